package spec

import (
	"reflect"

	"gopkg.in/yaml.v3"
)

// rawField is one field of a report as written.
type rawField struct {
	Name string   `team:",name"`
	Type string   `team:"type" values:"text number bool" help:"a single value"`
	Enum []string `team:"enum,verbatim" help:"one of these words"`
	List string   `team:"list" values:"text number bool" help:"a list of such values"`
}

// rawFields is the fields of a report as written, in their order.
type rawFields struct {
	list []rawField
	bad  bool // a problem was found in them
}

var fieldsField = &field{opts: map[string]bool{"fielded": true}}

// DecodeSpec implements Decoded.
func (r *rawFields) DecodeSpec(d *Decoder, n *yaml.Node, path string) {
	before := len(d.l.problems)
	d.named(n, reflect.ValueOf(&r.list).Elem(), fieldsField, path)
	r.bad = len(d.l.problems) > before
}

func (rawFields) specSchema(s *schemaMaker) object {
	return s.named(s.of(reflect.TypeFor[rawField](), no), nameForm.String())
}

// schema compiles the fields, nil when something is wrong with them.
func (r rawFields) schema(l *loader, name, path string) *Schema {
	var fields []Field
	ok := !r.bad
	for _, f := range r.list {
		at := join(path, f.Name)
		field, forms := Field{Name: f.Name}, 0
		if l.has(join(at, "type")) {
			field.Type, forms = f.Type, forms+1
		}
		if l.has(join(at, "enum")) {
			field.Type, field.Values, forms = "enum", f.Enum, forms+1
		}
		if l.has(join(at, "list")) {
			field.Type, field.Item, forms = "list", f.List, forms+1
		}
		if forms != 1 && l.isMapping(at) && !(forms == 0 && r.bad) {
			l.errorAtKey(at, "bad-field", "%s needs one of {type: text}, {enum: [a, b]} and {list: text}", at)
		}
		ok = ok && forms == 1
		fields = append(fields, field)
	}
	if !ok {
		return nil
	}
	s, err := compileSchema(name, fields)
	if err != nil {
		l.errorAtKey(path, "bad-schema", "%s: %s", path, err)
		return nil
	}
	return s
}

// rawSchema is schemas.S as written.
type rawSchema struct {
	Name   string `team:",name"`
	Fields rawFields
}

// DecodeSpec implements Decoded: a schema is its fields.
func (r *rawSchema) DecodeSpec(d *Decoder, n *yaml.Node, path string) {
	r.Fields.DecodeSpec(d, n, path)
}

func (r rawSchema) specSchema(s *schemaMaker) object { return r.Fields.specSchema(s) }

// rawReport is a report: as written: the name of a schema or its fields.
type rawReport struct {
	Name   string
	Fields rawFields
}

// DecodeSpec implements Decoded.
func (r *rawReport) DecodeSpec(d *Decoder, n *yaml.Node, path string) {
	if n.Kind == yaml.MappingNode {
		r.Fields.DecodeSpec(d, n, path)
		return
	}
	d.Value(n, &r.Name, path)
}

func (r rawReport) specSchema(s *schemaMaker) object {
	return object{"anyOf": []any{object{"type": "string"}, r.Fields.specSchema(s)}}
}
