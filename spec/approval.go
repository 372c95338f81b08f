package spec

import (
	"reflect"

	"gopkg.in/yaml.v3"
)

// DecodeSpec implements Decoded.
func (a *Approval) DecodeSpec(d *Decoder, n *yaml.Node, path string) {
	if n.Kind == yaml.MappingNode {
		var long struct {
			Allow []string `team:"allow,required" like:"[pattern]" help:"patterns of what is granted without asking"`
		}
		d.mapping(n, path, nil, reflect.ValueOf(&long).Elem())
		a.Mode, a.Allow = "allow", long.Allow
		return
	}
	d.value(n, reflect.ValueOf(&a.Mode).Elem(), &field{values: []string{"ask", "never"}}, path)
}

func (Approval) specSchema(s *schemaMaker) object {
	return object{"anyOf": []any{
		object{"type": "string", "enum": []string{"ask", "never"}},
		object{"type": "object", "properties": object{"allow": s.words()}, "required": []string{"allow"}, "additionalProperties": false},
	}}
}

// DecodeSpec implements Decoded.
func (w *Writes) DecodeSpec(d *Decoder, n *yaml.Node, path string) {
	if n.Kind == yaml.SequenceNode {
		d.Value(n, &w.Globs, path)
		w.Mode = "globs"
		if len(n.Content) == 0 {
			d.Errorf(n, "empty-value", "%s is an empty list; write none", path)
		}
		return
	}
	d.value(n, reflect.ValueOf(&w.Mode).Elem(), &field{values: []string{"none", "all"}}, path)
}

func (Writes) specSchema(s *schemaMaker) object {
	return object{"anyOf": []any{object{"type": "string", "enum": []string{"none", "all"}}, s.wordList()}}
}
