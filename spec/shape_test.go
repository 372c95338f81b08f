package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	"gopkg.in/yaml.v3"
)

// structs calls f for every struct of the language, with a function that puts
// the text of a mapping there into a whole spec, and its path in messages.
func structs(f func(t reflect.Type, path string, spec func(string) string)) {
	var visit func(t reflect.Type, path string, spec func(string) string)
	visit = func(t reflect.Type, path string, spec func(string) string) {
		if len(shapeOf(t).fields) == 0 {
			return
		}
		f(t, path, spec)
		for _, fd := range shapeOf(t).fields {
			at := join(path, fd.key)
			below := func(inner string) string { return spec(fmt.Sprintf("{%s: %s}", fd.key, inner)) }
			typ := fd.typ
			if typ.Kind() == reflect.Pointer {
				typ = typ.Elem()
			}
			in := func(head, tail string) func(string) string {
				return func(inner string) string { return below(head + inner + tail) }
			}
			switch {
			case fd.is("later"):
			case typ == reflect.TypeFor[rawReport]():
				visit(reflect.TypeFor[rawField](), at+".f", in("{f: ", "}"))
			case typ == reflect.TypeFor[rawParams]():
				visit(reflect.TypeFor[rawParam](), at+".n", in("{n: ", "}"))
			case typ == reflect.TypeFor[[]rawSchema]():
				visit(reflect.TypeFor[rawField](), at+".s.f", in("{s: {f: ", "}}"))
			case typ == reflect.TypeFor[[]rawAction]():
				visit(reflect.TypeFor[rawCount](), at+"[0].retry", in("[{retry: ", "}]"))
			case typ == textsType && fd.is("argv"):
				visit(reflect.TypeFor[fileRef](), at+"[0]", in("[", "]"))
			case typ == textType && fd.is("file"):
				visit(reflect.TypeFor[fileRef](), at, below)
			case typ == textType:
			case typ.Kind() == reflect.Struct && len(shapeOf(typ).fields) > 0:
				visit(typ, at, below)
			case fd.is("named") || fd.is("filenamed"):
				visit(typ.Elem(), at+".n", in("{n: ", "}"))
			case typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.Struct && typ.Elem() != textType:
				visit(typ.Elem(), at+"[0]", in("[", "]"))
			}
		}
	}
	visit(reflect.TypeFor[rawTeam](), "", func(s string) string { return s })
	agent := func(kind string) func(string) string {
		return func(inner string) string {
			return fmt.Sprintf("{agents: {n: {kind: %s, %s}}", kind, strings.TrimPrefix(inner, "{"))
		}
	}
	for _, k := range fakeKinds() {
		if k.New != nil {
			visit(reflect.TypeOf(k.New()).Elem(), "agents.n", func(inner string) string { return agent(k.Name)(inner) + "}" })
		}
	}
}

// TestA01_UnknownKeyAtEveryDepth puts a key that does not exist into every
// struct that the language has.
func TestA01_UnknownKeyAtEveryDepth(t *testing.T) {
	count := 0
	structs(func(typ reflect.Type, path string, spec func(string) string) {
		count++
		text := spec("{zzz: 1}")
		if typ == reflect.TypeFor[rawAgent]() {
			text = spec("{kind: fake, zzz: 1}")
		}
		_, ps := loadText(t, "team.yaml", text, LoadOptions{})
		col := 1 + utf8.RuneCountInString(text[:strings.Index(text, "zzz")])
		for _, p := range ps {
			if p.Code == "unknown-key" && p.Line == 1 && p.Col == col && strings.Contains(p.Msg, fmt.Sprintf("%q in %s", "zzz", whole(path))) {
				return
			}
		}
		t.Errorf("%s: zzz in %s (%s) is not refused: %v", text, path, typ, ps)
	})
	if count < 25 {
		t.Errorf("only %d structs", count)
	}
}

// TestEmptyValueAtEveryKey gives every key no value.
func TestEmptyValueAtEveryKey(t *testing.T) {
	structs(func(typ reflect.Type, path string, spec func(string) string) {
		for _, f := range shapeOf(typ).fields {
			text := spec("{" + f.key + ": }")
			if typ == reflect.TypeFor[rawAgent]() && f.key != "kind" {
				text = spec("{kind: fake, " + f.key + ": }")
			}
			want := "empty-value"
			if f.is("later") {
				want = "not-in-this-build"
			}
			_, ps := loadText(t, "team.yaml", text, LoadOptions{})
			found := false
			for _, p := range ps {
				found = found || p.Code == want && strings.Contains(p.Msg, join(path, f.key))
			}
			if !found {
				t.Errorf("%s: no value for %s is not %s: %v", text, join(path, f.key), want, ps)
			}
		}
	})
}

func TestDefaultsOfTagsCanBeRead(t *testing.T) {
	structs(func(typ reflect.Type, path string, _ func(string) string) {
		for _, f := range shapeOf(typ).fields {
			if f.help == "" {
				t.Errorf("%s has no help", join(path, f.key))
			}
			if !f.hasDef {
				continue
			}
			v := reflect.New(f.typ).Elem()
			setDefault(v, f.def)
			if v.IsZero() && f.def != "false" && f.typ != reflect.TypeFor[Approval]() {
				t.Errorf("the default %q of %s sets nothing", f.def, join(path, f.key))
			}
		}
	})
}

func TestDefaultLimitsAreThoseOfTheTags(t *testing.T) {
	given := good(t, "teamrun: v1\ntasks: {t: {run: [x]}}\nlimits: {}\n").Limits
	absent := good(t, "teamrun: v1\ntasks: {t: {run: [x]}}\n").Limits
	if given != absent {
		t.Errorf("%+v and %+v", given, absent)
	}
}

func TestSchemaAndReferenceHoldEveryKey(t *testing.T) {
	schema, draft7, page := JSONSchema(fakeKinds()), JSONSchemaDraft07(fakeKinds()), string(Reference(fakeKinds()))
	structs(func(typ reflect.Type, path string, _ func(string) string) {
		if typ == reflect.TypeFor[fileRef]() {
			return
		}
		for _, f := range shapeOf(typ).fields {
			for name, s := range map[string]string{"schema": string(schema), "draft-07": string(draft7)} {
				if !strings.Contains(s, fmt.Sprintf("%q: {", f.key)) || !strings.Contains(s, strings.Trim(jsonText(t, sentence(f.help)), `"`)) {
					t.Errorf("%s has no %s", name, join(path, f.key))
				}
			}
			row := fmt.Sprintf("| `%s` |", f.key)
			if !strings.Contains(page, row) || !strings.Contains(page, sentence(f.help)) {
				t.Errorf("the reference has no %s", join(path, f.key))
			}
			if f.is("later") && !strings.Contains(page, "*Not in this build.* "+sentence(f.help)) {
				t.Errorf("the reference does not say that %s comes later", join(path, f.key))
			}
		}
	})
	if !bytes.Equal(schema, JSONSchema(fakeKinds())) {
		t.Error("the schema is not the same each time")
	}
}

func jsonText(t *testing.T, s string) string {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestSchemaAgreesWithLoad: what Load takes the schema takes, and it refuses
// wrong keys, words and types.
func TestSchemaAgreesWithLoad(t *testing.T) {
	var s jsonschema.Schema
	if err := json.Unmarshal(JSONSchema(fakeKinds()), &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	valid := func(text string) error {
		var v any
		if err := yaml.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var j any
		if err := json.Unmarshal(b, &j); err != nil {
			t.Fatal(err)
		}
		return r.Validate(j)
	}
	if err := valid(hello); err != nil {
		t.Errorf("the schema refuses a good spec: %v", err)
	}
	for _, bad := range []string{
		"tasks: {t: {run: [x]}}",
		"teamrun: v2",
		"teamrun: v1\ntaks: {}",
		"teamrun: v1\nchair: x",
		"teamrun: v1\nmembers: {a: {breif: x}}",
		"teamrun: v1\nmembers: {'a b': {}}",
		"teamrun: v1\nagents: {a: {kind: nope}}",
		"teamrun: v1\nagents: {a: {kind: cmd}}",
		"teamrun: v1\nagents: {a: {kind: fake, script: {}}}",
		"teamrun: v1\nlimits: {turns: 0}",
		"teamrun: v1\nlimits: {wall: 30}",
		"teamrun: v1\nlimits: {wall: 30min}",
		"teamrun: v1\nstop: [{when: a, outcome: sucess}]",
		"teamrun: v1\nrecovery: [{on: exit, do: [retyr]}]",
		"teamrun: v1\ntasks: {t: {needs: {a: failed}}}",
		"teamrun: v1\nschemas: {s: {f: {type: int}}}",
	} {
		if valid(bad) == nil {
			t.Errorf("the schema takes %q", bad)
		}
	}
}
