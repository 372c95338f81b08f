package spec

import (
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"
)

// findingsName is the name of the built-in schema, itemFinding what its list
// holds.
const findingsName, itemFinding = "findings", "finding"

// findingFields are the fields of one finding. A report may leave out those
// with a default.
var findingFields = []Field{
	{Name: "file", Type: "text"},
	{Name: "line", Type: "number"},
	{Name: "severity", Type: "enum", Values: []string{"error", "warning", "note"}},
	{Name: "title", Type: "text"},
	{Name: "detail", Type: "text"},
	{Name: "confirmed", Type: "bool"},
}

// findingDefaults completes a finding: after Check every field is there.
var findingDefaults = map[string]any{"file": "", "line": 0, "detail": "", "confirmed": false}

// findingsSchema is the built-in schema findings: {"findings": [...]}, or the
// bare list.
func findingsSchema() *Schema {
	s, err := compileSchema(findingsName, []Field{{Name: "findings", Type: "list", Item: itemFinding}})
	if err != nil {
		panic("spec: the built-in schema findings: " + err.Error())
	}
	return s
}

// findingSchema is the JSON Schema of one finding.
func findingSchema() *jsonschema.Schema {
	item := closedObject()
	for _, f := range findingFields {
		s := f.schema()
		if f.Name == "line" {
			least := 0.0
			s.Type, s.Minimum = "integer", &least
		}
		d, optional := findingDefaults[f.Name]
		if optional {
			s.Default = mustJSON(d)
		}
		addField(item, f.Name, s, !optional)
	}
	return item
}

func mustJSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic("spec: " + err.Error())
	}
	return b
}
