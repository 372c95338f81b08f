package spec

import (
	"strings"
	"testing"
)

// condTeam is the team of all condition tests.
func condTeam(t testing.TB) *Team {
	t.Helper()
	review, err := compileSchema("review", []Field{
		{Name: "verdict", Type: "enum", Values: []string{"approve", "block"}},
		{Name: "summary", Type: "text"},
		{Name: "score", Type: "number"},
		{Name: "sure", Type: "bool"},
		{Name: "labels", Type: "list", Item: "text"},
		{Name: "parts", Type: "list", Item: "number"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return &Team{
		Params: []Param{
			{Name: "base", Type: ParamRef}, {Name: "n", Type: ParamNumber}, {Name: "deep", Type: ParamBool},
			{Name: "mode", Type: ParamEnum, Values: []string{"fast", "full"}},
		},
		Members: []Member{{Name: "qa", Report: review}, {Name: "dev"}, {Name: "my-lead"}, {Name: "1st"}},
		Tasks: []Task{
			{Name: "qa", For: []string{"qa"}, Report: review},
			{Name: "vet", Run: []Text{{}}},
			{Name: "sec", For: []string{"dev"}, Report: findingsSchema()},
			{Name: "both", For: []string{"qa", "my-lead"}, Report: review},
			{Name: "chat", For: []string{"dev"}},
		},
	}
}

// fakeEnv holds values by their paths.
type fakeEnv struct {
	values map[string]any
	never  map[string]bool
	soFar  []any
}

func (e fakeEnv) Values() map[string]any   { return e.values }
func (e fakeEnv) Never(path []string) bool { return e.never[strings.Join(path, ".")] }
func (e fakeEnv) SoFar(root string) []any {
	if root == "findings" {
		return e.soFar
	}
	return nil
}

// env makes an Env of paths and their values.
func env(values map[string]any) fakeEnv {
	e := fakeEnv{values: map[string]any{}, never: map[string]bool{}}
	for path, v := range values {
		steps := strings.Split(path, ".")
		at := e.values
		for _, s := range steps[:len(steps)-1] {
			if at[s] == nil {
				at[s] = map[string]any{}
			}
			at = at[s].(map[string]any)
		}
		at[steps[len(steps)-1]] = v
	}
	return e
}

func finding(severity string, confirmed bool) map[string]any {
	return map[string]any{"file": "a.go", "line": 3, "severity": severity, "title": "t", "detail": "", "confirmed": confirmed}
}

func mustCompile(t testing.TB, src string) *Cond {
	t.Helper()
	c, problems := newScope(condTeam(t)).compile(src)
	for _, p := range problems {
		if !p.warn {
			t.Fatalf("%s: %+v", src, p)
		}
	}
	return c
}
