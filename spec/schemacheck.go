package spec

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// maxReport bounds the body of a report in bytes, maxReportProblems how much of
// what is wrong with it is told at once.
const (
	maxReport         = 256 << 10
	maxReportProblems = 20
)

// fieldRule judges one field of an object. Every field has its own, so that all
// that is wrong is told at once.
type fieldRule struct {
	Field
	required bool
	whole    bool // no fraction, and not below zero
	value    *jsonschema.Resolved
	item     *jsonschema.Resolved // of a list
	fields   []fieldRule          // of a list of objects
}

func rulesOf(object *jsonschema.Schema, fields []Field) ([]fieldRule, error) {
	var rules []fieldRule
	for _, f := range fields {
		s := object.Properties[f.Name]
		r := fieldRule{Field: f, required: slices.Contains(object.Required, f.Name), whole: s.Type == "integer"}
		var err error
		if r.value, err = s.CloneSchemas().Resolve(nil); err != nil {
			return nil, err
		}
		if f.Item == itemFinding {
			if r.fields, err = rulesOf(s.Items, findingFields); err != nil {
				return nil, err
			}
		} else if s.Items != nil {
			if r.item, err = s.Items.CloneSchemas().Resolve(nil); err != nil {
				return nil, err
			}
		}
		rules = append(rules, r)
	}
	return rules, nil
}

// Check validates the body of a report and returns its values, completed with
// the defaults: int for whole numbers, else float64, string, bool, []any and
// map[string]any. The error says all that is wrong with the body, one line for
// each, so that whoever wrote it can write it right.
func (s *Schema) Check(body []byte) (map[string]any, error) {
	if len(body) > maxReport {
		return nil, fmt.Errorf("the report has %d bytes, more than %d: shorten it", len(body), maxReport)
	}
	v, err := strictJSON(body)
	if err != nil {
		return nil, err
	}
	if list, bare := v.([]any); bare && s.Name == findingsName {
		v = map[string]any{findingsName: list}
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the report must be one JSON object with %s, not %s", names(s.rules), jsonWord(v))
	}
	w := reportWords{}
	w.object(object, s.rules, "")
	if len(w.wrong) > 0 {
		return nil, errors.New(w.String())
	}
	return object, nil
}

// reportWords is what is wrong with one report.
type reportWords struct{ wrong []string }

func (w *reportWords) add(format string, args ...any) {
	w.wrong = append(w.wrong, fmt.Sprintf(format, args...))
}

func (w *reportWords) String() string {
	lines := w.wrong
	if len(lines) > maxReportProblems {
		lines = append(slices.Clone(lines[:maxReportProblems]), fmt.Sprintf("and %d more", len(lines)-maxReportProblems))
	}
	return strings.Join(lines, "\n")
}

// object checks and completes object, whose fields are named with prefix.
func (w *reportWords) object(object map[string]any, rules []fieldRule, prefix string) {
	for _, r := range rules {
		v, given := object[r.Name]
		switch d, optional := findingDefaults[r.Name]; {
		case given:
			w.field(v, r, prefix+r.Name)
		case r.required:
			w.add("%s is missing: it must be %s", prefix+r.Name, r.words())
		case optional:
			object[r.Name] = d
		}
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if !slices.ContainsFunc(rules, func(r fieldRule) bool { return r.Name == key }) {
			w.add("%s%s is not a field: there is only %s", prefix, quoteKey(key), names(rules))
		}
	}
}

func (w *reportWords) field(v any, r fieldRule, name string) {
	list, isList := v.([]any)
	switch {
	case r.fields != nil && isList:
		for i, item := range list {
			at := fmt.Sprintf("%s[%d]", name, i)
			if object, ok := item.(map[string]any); ok {
				w.object(object, r.fields, at+".")
			} else {
				w.add("%s must be an object with %s, not %s", at, names(r.fields), jsonWord(item))
			}
		}
	case r.item != nil && isList && len(list) <= maxListItems:
		for i, item := range list {
			if r.item.Validate(item) != nil {
				w.add("%s[%d] must be %s, not %s", name, i, fieldRule{Field: Field{Type: r.Item}}.words(), jsonWord(item))
			}
		}
	case r.value.Validate(v) != nil:
		w.add("%s must be %s, not %s", name, r.words(), jsonWord(v))
	}
}

// words is what a value of the field has to be.
func (r fieldRule) words() string {
	switch {
	case r.whole:
		return "a whole number, 0 or more"
	case r.Type == "number":
		return "a number"
	case r.Type == "bool":
		return "true or false"
	case r.Type == "enum":
		return "one of " + strings.Join(r.Values, ", ")
	case r.Type == "list" && r.fields != nil:
		return "a list of objects with " + names(r.fields)
	case r.Type == "list":
		return fmt.Sprintf("a list of at most %d items, each %s", maxListItems, fieldRule{Field: Field{Type: r.Item}}.words())
	}
	return "text"
}

func names(rules []fieldRule) string {
	var out []string
	for _, r := range rules {
		out = append(out, r.Name)
	}
	return strings.Join(out, ", ")
}
