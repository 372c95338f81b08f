package spec

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

func reviewSchema(t testing.TB) *Schema {
	t.Helper()
	return condTeam(t).Members[0].Report
}

func TestSchemaCheckGivesNormalValues(t *testing.T) {
	got, err := reviewSchema(t).Check([]byte(` {"verdict":"block","summary":"é","score":3.0,"sure":true,"labels":[],"parts":[1,2.5,1e2]} `))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"verdict": "block", "summary": "é", "score": 3, "sure": true, "labels": []any{}, "parts": []any{1, 2.5, 100}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %#v\nwant %#v", got, want)
	}
}

func TestSchemaCheckSaysWhatIsWrong(t *testing.T) {
	good := func(change string) string {
		fields := map[string]json.RawMessage{}
		for _, text := range []string{`{"verdict":"block","summary":"x","score":3,"sure":true,"labels":["a"],"parts":[1]}`, change} {
			if err := json.Unmarshal([]byte(text), &fields); err != nil {
				t.Fatal(err)
			}
		}
		b, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for body, want := range map[string]string{
		good(`{"verdict":"ok"}`):     `verdict must be one of approve, block, not the text "ok"`,
		good(`{"summary":3}`):        `summary must be text, not the number 3`,
		good(`{"score":"3"}`):        `score must be a number, not the text "3"`,
		good(`{"sure":null}`):        `sure must be true or false, not null`,
		good(`{"labels":"a"}`):       `labels must be a list of at most 1000 items, each text, not the text "a"`,
		good(`{"labels":["a",3,4]}`): "labels[1] must be text, not the number 3\nlabels[2] must be text, not the number 4",
		good(`{"parts":[1,"x"]}`):    `parts[1] must be a number, not the text "x"`,
		good(`{"labels":[` + strings.Repeat(`"a",`, 1000) + `"a"]}`): `labels must be a list of at most 1000 items, each text, not a list`,
		good(`{"verdit":"ok"}`): `"verdit" is not a field: there is only verdict, summary, score, sure, labels, parts`,
		`{"summary":"x","score":"3"}`: "verdict is missing: it must be one of approve, block\nscore must be a number, not the text \"3\"\n" +
			"sure is missing: it must be true or false\nlabels is missing: it must be a list of at most 1000 items, each text\n" +
			"parts is missing: it must be a list of at most 1000 items, each a number",
		`[]`:                                     `the report must be one JSON object with verdict, summary, score, sure, labels, parts, not a list`,
		`"block"`:                                `not the text "block"`,
		``:                                       `the report is empty`,
		" \n":                                    `the report is empty`,
		`verdict: block`:                         `the report is not JSON: invalid character 'v'`,
		`{"verdict":"block"`:                     `it ends too early`,
		`{} {}`:                                  `something follows it`,
		`{} x`:                                   `something follows it`,
		`{"a":1,"a":2}`:                          `has the key "a" twice`,
		`{"a":1e999}`:                            `is too large`,
		"{\"a\":\"\xff\"}":                       `is not UTF-8`,
		strings.Repeat("[", 99):                  `nested more than 16 deep`,
		`"` + strings.Repeat("x", 256<<10) + `"`: `more than 262144`,
	} {
		_, err := reviewSchema(t).Check([]byte(body))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s:\n%v\nwant %s", body, err, want)
		}
	}
}

func TestSchemaCheckTellsAtMostTwentyProblems(t *testing.T) {
	_, err := reviewSchema(t).Check([]byte(`{"verdict":"block","summary":"","score":1,"sure":true,"parts":[],"labels":[` + strings.Repeat("1,", 99) + `1]}`))
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 21 || lines[20] != "and 80 more" {
		t.Errorf("%d lines, the last is %q", len(lines), lines[len(lines)-1])
	}
}

func TestFindingsAreCompletedAndBareListsAccepted(t *testing.T) {
	want := map[string]any{"findings": []any{
		map[string]any{"severity": "error", "title": "x", "file": "", "line": 0, "detail": "", "confirmed": false},
		map[string]any{"severity": "note", "title": "", "file": "a.go", "line": 7, "detail": "d", "confirmed": true},
	}}
	list := `[{"severity":"error","title":"x"},{"severity":"note","title":"","file":"a.go","line":7,"detail":"d","confirmed":true}]`
	for _, body := range []string{list, `{"findings":` + list + `}`} {
		got, err := findingsSchema().Check([]byte(body))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\ngot %#v", body, err, got)
		}
	}
	if got, err := findingsSchema().Check([]byte("[]")); err != nil || len(got["findings"].([]any)) != 0 {
		t.Errorf("no findings: %v %v", got, err)
	}
}

func TestFindingsSayWhatIsWrong(t *testing.T) {
	for body, want := range map[string]string{
		`[{"title":"x"}]`:                               `findings[0].severity is missing: it must be one of error, warning, note`,
		`[{"severity":"error"}]`:                        `findings[0].title is missing: it must be text`,
		`[{"severity":"fatal","title":"x"}]`:            `findings[0].severity must be one of error, warning, note, not the text "fatal"`,
		`[{"severity":"error","title":"x","line":1.5}]`: `findings[0].line must be a whole number, 0 or more, not the number 1.5`,
		`[{"severity":"error","title":"x","line":-1}]`:  `findings[0].line must be a whole number, 0 or more, not the number -1`,
		`[{"severity":"error","title":"x","rule":"y"}]`: `findings[0]."rule" is not a field: there is only file, line, severity`,
		`["x"]`:                         `findings[0] must be an object with file, line`,
		`{"findings":"x"}`:              `findings must be a list of objects with file, line`,
		`{}`:                            `findings is missing: it must be a list`,
		`{"findings":[],"summary":"x"}`: `"summary" is not a field: there is only findings`,
		`[{"severity":"error","title":"x"},{"title":3}]`: "findings[1].severity is missing: it must be one of error, warning, note\nfindings[1].title must be text",
	} {
		_, err := findingsSchema().Check([]byte(body))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n%v\nwant %s", body, err, want)
		}
	}
}

// What Check lets pass, the published JSON Schema lets pass, and the other way
// round, but for the bare list of findings.
func TestSchemaJSONSaysWhatCheckDoes(t *testing.T) {
	for _, s := range []*Schema{reviewSchema(t), findingsSchema()} {
		var published jsonschema.Schema
		if err := json.Unmarshal(s.JSON(), &published); err != nil {
			t.Fatal(err)
		}
		resolved, err := published.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(s.JSON(), s.JSON()) || !strings.Contains(string(s.JSON()), "2020-12") {
			t.Errorf("%s: %s", s.Name, s.JSON())
		}
		for _, body := range []string{
			`{}`, `{"findings":[]}`, `{"findings":[{"severity":"error","title":"x"}]}`, `{"findings":[{"severity":"error"}]}`,
			`{"findings":[{"severity":"error","title":"x","line":-1}]}`, `{"findings":[{"severity":"error","title":"x","y":1}]}`,
			`{"verdict":"block","summary":"x","score":3,"sure":true,"labels":["a"],"parts":[1]}`,
			`{"verdict":"no","summary":"x","score":3,"sure":true,"labels":["a"],"parts":[1]}`,
			`{"verdict":"block","summary":"x","score":3,"sure":true,"labels":["a"],"parts":[1],"more":1}`,
			`{"verdict":"block","summary":"x","score":3,"sure":true,"labels":[1],"parts":[1]}`,
		} {
			var v any
			if err := json.Unmarshal([]byte(body), &v); err != nil {
				t.Fatal(err)
			}
			_, err := s.Check([]byte(body))
			if (resolved.Validate(v) == nil) != (err == nil) {
				t.Errorf("%s: %s: Check says %v", s.Name, body, err)
			}
		}
	}
}

func TestCompileSchemaRefusesWhatCannotBe(t *testing.T) {
	for want, fields := range map[string][]Field{
		"has no fields":          {},
		`"a b" is no name`:       {{Name: "a b", Type: "text"}},
		`type "texts"`:           {{Name: "a", Type: "texts"}},
		"enum without values":    {{Name: "a", Type: "enum"}},
		`the value "x" twice`:    {{Name: "a", Type: "enum", Values: []string{"x", "x"}}},
		`a list of "enum"`:       {{Name: "a", Type: "list", Item: "enum"}},
		"field a is there twice": {{Name: "a", Type: "text"}, {Name: "a", Type: "bool"}},
	} {
		if _, err := compileSchema("s", fields); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", fields, err, want)
		}
	}
}

func FuzzSchemaCheck(f *testing.F) {
	f.Add([]byte(`{"verdict":"block","summary":"x","score":3,"sure":true,"labels":["a"],"parts":[1]}`))
	f.Add([]byte(`[{"severity":"error","title":"x"}]`))
	f.Add([]byte(`{"findings":[{"severity":"note","title":"\ud800","line":1e2}]}`))
	schemas := []*Schema{reviewSchema(f), findingsSchema()}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, s := range schemas {
			values, err := s.Check(body)
			if err != nil {
				continue
			}
			again, err := json.Marshal(values)
			if err != nil {
				t.Fatalf("%q: %v", body, err)
			}
			if back, err := s.Check(again); err != nil && len(again) <= maxReport || err == nil && !reflect.DeepEqual(back, values) {
				t.Errorf("%q: what was accepted is refused or read differently: %v", body, err)
			}
		}
	})
}
