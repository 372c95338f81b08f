package spec

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// Schema is the shape of a report: its fields in the order of the file. Every
// field has to be there and no other may.
type Schema struct {
	Name   string
	Fields []Field

	root  *jsonschema.Schema
	rules []fieldRule
}

// Field is one value of a report.
type Field struct {
	Name   string
	Type   string   // text, number, bool, enum or list
	Values []string // of an enum
	Item   string   // of a list: text, number or bool; finding in the built-in schema
}

// maxListItems bounds the lists of a report, which conditions look through.
const maxListItems = 1000

// fieldName is what a field can be called: as the nouns of a team, or with a
// leading underscore.
var fieldName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_-]{0,31}$`)

// compileSchema makes the schema of a report. The error names the field that is
// wrong and what it has to be.
func compileSchema(name string, fields []Field) (*Schema, error) {
	if len(fields) == 0 {
		return nil, fmt.Errorf("schema %s has no fields: a report says something", name)
	}
	s := &Schema{Name: name, Fields: fields, root: closedObject()}
	s.root.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.root.Title = name
	for _, f := range fields {
		if err := f.check(); err != nil {
			return nil, err
		}
		if s.root.Properties[f.Name] != nil {
			return nil, fmt.Errorf("field %s is there twice: give one of them another name", f.Name)
		}
		addField(s.root, f.Name, f.schema(), true)
	}
	rules, err := rulesOf(s.root, fields)
	if err != nil {
		return nil, fmt.Errorf("schema %s: %w", name, err)
	}
	s.rules = rules
	return s, nil
}

func (f Field) check() error {
	if !fieldName.MatchString(f.Name) {
		return fmt.Errorf("%q is no name for a field: use up to 32 letters, digits, _ and -", f.Name)
	}
	switch f.Type {
	case "text", "number", "bool":
	case "enum":
		if len(f.Values) == 0 {
			return fmt.Errorf("field %s is an enum without values: write {enum: [a, b]}", f.Name)
		}
		for i, v := range f.Values {
			if slices.Contains(f.Values[:i], v) {
				return fmt.Errorf("field %s has the value %q twice", f.Name, v)
			}
		}
	case "list":
		if !slices.Contains([]string{"text", "number", "bool", itemFinding}, f.Item) {
			return fmt.Errorf("field %s is a list of %q: write {list: text}, {list: number} or {list: bool}", f.Name, f.Item)
		}
	default:
		return fmt.Errorf("field %s has the type %q: use text, number, bool, {enum: [a, b]} or {list: text}", f.Name, f.Type)
	}
	return nil
}

// schema is the JSON Schema of the field's values.
func (f Field) schema() *jsonschema.Schema {
	switch f.Type {
	case "number":
		return &jsonschema.Schema{Type: "number"}
	case "bool":
		return &jsonschema.Schema{Type: "boolean"}
	case "enum":
		s := &jsonschema.Schema{Type: "string"}
		for _, v := range f.Values {
			s.Enum = append(s.Enum, v)
		}
		return s
	case "list":
		if f.Item == itemFinding {
			return &jsonschema.Schema{Type: "array", Items: findingSchema()}
		}
		most := maxListItems
		return &jsonschema.Schema{Type: "array", Items: Field{Type: f.Item}.schema(), MaxItems: &most}
	}
	return &jsonschema.Schema{Type: "string"}
}

// closedObject is the schema of an object that allows no field but those added.
func closedObject() *jsonschema.Schema {
	return &jsonschema.Schema{
		Type:                 "object",
		Properties:           map[string]*jsonschema.Schema{},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
}

func addField(object *jsonschema.Schema, name string, s *jsonschema.Schema, required bool) {
	object.Properties[name] = s
	object.PropertyOrder = append(object.PropertyOrder, name)
	if required {
		object.Required = append(object.Required, name)
	}
}

// JSON is the schema as JSON Schema 2020-12, the same bytes every time.
func (s *Schema) JSON() []byte {
	b, err := json.Marshal(s.root)
	if err != nil {
		panic("spec: the schema " + s.Name + " cannot be written: " + err.Error())
	}
	return b
}
