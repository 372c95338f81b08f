package spec

import "reflect"

type object = map[string]any

// schemaMaker makes JSON Schema from shapes.
type schemaMaker struct{}

func (s *schemaMaker) words() object {
	return object{"type": "array", "items": object{"type": "string"}}
}
func (s *schemaMaker) wordList() object {
	return object{"anyOf": []any{object{"type": "string"}, s.words()}}
}
func (s *schemaMaker) named(of object, pattern string) object { return object{} }
func (s *schemaMaker) of(t reflect.Type, f *field) object     { return object{} }
