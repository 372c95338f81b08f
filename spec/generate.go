package spec

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"time"
)

type object = map[string]any

// Described is implemented by a Decoded type that tells editors what it can be.
type Described interface {
	// SpecSchema is a JSON Schema of the forms the value can have.
	SpecSchema() map[string]any
}

// described is the same for the types of this package.
type described interface {
	specSchema(s *schemaMaker) object
}

// JSONSchema is the JSON Schema 2020-12 of a team file.
func JSONSchema(kinds []Kind) []byte {
	return schemaFile("https://json-schema.org/draft/2020-12/schema", kinds)
}

// JSONSchemaDraft07 is the same for editors that know draft-07 only.
func JSONSchemaDraft07(kinds []Kind) []byte {
	return schemaFile("http://json-schema.org/draft-07/schema#", kinds)
}

func schemaFile(draft string, kinds []Kind) []byte {
	s := &schemaMaker{kinds: kinds}
	root := s.of(reflect.TypeFor[rawTeam](), no)
	root["$schema"] = draft
	root["title"] = "teamrun team file"
	root["patternProperties"] = object{"^x-": object{"description": "Free for your own use."}}
	out, err := json.MarshalIndent(root, "", "  ")
	must(err)
	return append(out, '\n')
}

// schemaMaker makes JSON Schema from shapes.
type schemaMaker struct {
	kinds []Kind
	open  []reflect.Type // structs around the present one
}

// of is the schema of a value of type t with the tags f.
func (s *schemaMaker) of(t reflect.Type, f *field) object {
	o := s.form(t, f)
	if f.help != "" {
		o["description"] = sentence(f.help)
	}
	if f.hasDef {
		o["default"] = defaultValue(t, f.def)
	}
	return o
}

func (s *schemaMaker) form(t reflect.Type, f *field) object {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch z := reflect.New(t).Interface().(type) {
	case *later:
		return object{"not": object{}}
	case described:
		return z.specSchema(s)
	case Described:
		return s.orFile(z.SpecSchema(), f)
	case Decoded:
		return s.orFile(s.ownForms(t), f)
	}
	switch {
	case t == durationType:
		return object{"type": "string", "pattern": durationForm.String()}
	case t == textType && f.is("verbatim"), t.Kind() == reflect.String && f.is("verbatim"):
		return s.orFile(object{"type": []string{"string", "number", "boolean"}}, f)
	case t == textType:
		return s.orFile(object{"type": "string"}, f)
	case t.Kind() == reflect.String && len(f.values) > 0:
		return object{"type": "string", "enum": f.values}
	case t.Kind() == reflect.String:
		return object{"type": "string"}
	case t.Kind() == reflect.Bool:
		return object{"type": "boolean"}
	case t.Kind() == reflect.Int:
		return withMin(object{"type": "integer"}, f)
	case t.Kind() == reflect.Float64:
		return withMin(object{"type": "number"}, f)
	case t.Kind() == reflect.Struct:
		return s.orFile(s.mapping(t), f)
	case t.Kind() == reflect.Slice:
		return s.list(t, f)
	case t.Kind() == reflect.Map:
		return object{"type": "object"}
	}
	return object{}
}

// ownForms is the schema of a type that reads itself and does not describe
// itself: its keys when it has any, or a word.
func (s *schemaMaker) ownForms(t reflect.Type) object {
	if t.Kind() != reflect.Struct || len(shapeOf(t).fields) == 0 {
		return object{}
	}
	return object{"anyOf": []any{s.mapping(t), object{"type": []string{"string", "number", "boolean"}}}}
}

func withMin(o object, f *field) object {
	if n, err := strconv.Atoi(f.min); err == nil {
		o["minimum"] = n
	}
	return o
}

// orFile adds the form {file: path} where it may be used.
func (s *schemaMaker) orFile(o object, f *field) object {
	if !f.is("file") {
		return o
	}
	return object{"anyOf": []any{o, s.mapping(reflect.TypeFor[fileRef]())}}
}

// mapping is the schema of the keys of structs that share one mapping.
func (s *schemaMaker) mapping(types ...reflect.Type) object {
	if slices.Contains(s.open, types[0]) {
		return object{"type": "object"} // a struct that holds itself
	}
	s.open = append(s.open, types[0])
	defer func() { s.open = s.open[:len(s.open)-1] }()
	props, required := object{}, []string{}
	for _, t := range types {
		for _, f := range shapeOf(t).fields {
			props[f.key] = s.of(f.typ, &f)
			if f.is("required") {
				required = append(required, f.key)
			}
		}
	}
	o := object{"type": "object", "properties": props, "additionalProperties": false}
	if len(required) > 0 {
		o["required"] = required
	}
	return o
}

func (s *schemaMaker) list(t reflect.Type, f *field) object {
	item := *f
	item.help, item.hasDef = "", false
	item.opts = map[string]bool{"verbatim": f.is("argv") || f.is("verbatim"), "file": f.is("argv")}
	elem := s.of(t.Elem(), &item)
	switch {
	case f.is("named"), f.is("fielded"):
		return s.named(elem, nameForm.String())
	case f.is("filenamed"):
		return object{"type": "object", "additionalProperties": elem}
	case t.Elem().Kind() == reflect.String || t.Elem() == textType:
		return object{"anyOf": []any{elem, object{"type": "array", "items": elem}}}
	}
	return object{"type": "array", "items": elem}
}

func (s *schemaMaker) named(elem object, pattern string) object {
	return object{"type": "object", "propertyNames": object{"pattern": pattern}, "additionalProperties": elem}
}

func (s *schemaMaker) words() object {
	return object{"type": "array", "items": object{"type": "string"}}
}

// wordList is a list of words or a single one.
func (s *schemaMaker) wordList() object {
	return object{"anyOf": []any{object{"type": "string"}, s.words()}}
}

// specSchema of an agent has one form for each kind.
func (rawAgent) specSchema(s *schemaMaker) object {
	var forms []any
	for _, k := range s.kinds {
		types := []reflect.Type{reflect.TypeFor[rawAgent]()}
		if k.New != nil {
			types = append(types, reflect.TypeOf(k.New()).Elem())
		}
		o := s.mapping(types...)
		o["properties"].(object)["kind"] = object{"const": k.Name, "description": "How the agent is run."}
		forms = append(forms, o)
	}
	return object{"anyOf": forms}
}

func defaultValue(t reflect.Type, def string) any {
	switch {
	case t.Kind() == reflect.Int && t != reflect.TypeFor[time.Duration]():
		n, err := strconv.Atoi(def)
		must(err)
		return n
	case t.Kind() == reflect.Bool:
		return def == "true"
	}
	return def
}
