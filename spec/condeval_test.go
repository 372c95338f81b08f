package spec

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// fullEnv has a value for everything the test team can ask for.
func fullEnv(n int) fakeEnv {
	report := func() map[string]any {
		return map[string]any{
			"verdict": "block", "summary": "all fine", "score": 7.5, "sure": true,
			"labels": []any{"x", "y"}, "parts": []any{1, 2.5},
		}
	}
	members, tasks := map[string]any{}, map[string]any{}
	for i, name := range []string{"qa", "dev", "my-lead", "1st"} {
		members[name] = map[string]any{
			"state": "idle", "reported": i%2 == 0, "failures": i, "turns": n, "unread": 0, "cost": 0.5, "report": report(),
		}
	}
	for i, name := range []string{"qa", "vet", "sec", "both", "chat"} {
		tasks[name] = map[string]any{
			"state": "done", "done": i%2 == 0, "failed": i%2 == 1, "skipped": false, "finished": true, "round": n,
			"report": report(), "output": "ok\nFAIL x", "reports": map[string]any{"qa": report(), "my-lead": report()},
		}
	}
	findings := []any{}
	for i := range n {
		findings = append(findings, finding([]string{"error", "warning", "note"}[i%3], i%2 == 1))
	}
	tasks["sec"].(map[string]any)["report"] = map[string]any{"findings": findings}
	return fakeEnv{values: map[string]any{
		"params":  map[string]any{"base": "origin/main", "n": 4, "deep": true, "mode": "fast"},
		"members": members, "tasks": tasks, "findings": findings,
		"run": map[string]any{"turns": n, "messages": 2, "failures": 0, "tasks_done": 3, "cost": 1.25},
	}}
}

func TestKleeneTables(t *testing.T) {
	const u, y, n, f = Unknown, True, False, Failed
	and := [4][4]Truth{ // rows and columns in the order unknown, true, false, error
		{u, u, n, u},
		{u, y, n, f},
		{n, n, n, n},
		{u, f, n, f},
	}
	or := [4][4]Truth{
		{u, y, u, u},
		{y, y, y, y},
		{u, y, n, f},
		{u, y, f, f},
	}
	not := [4]Truth{u, n, y, f}
	all := []Truth{u, y, n, f}
	e := env(map[string]any{"tasks.qa.done": true, "tasks.qa.failed": false, "members.qa.cost": 1.0, "run.turns": 0})
	e.never["members.dev.cost"] = true
	words := []string{"run.cost > 0", "tasks.qa.done", "tasks.qa.failed", "members.dev.cost > 0"}
	eval := func(src string) Truth {
		c := mustCompile(t, src)
		got, why := c.Eval(e), c.Explain(e)
		if got != why.Truth {
			t.Errorf("%s: Eval says %v and Explain %v", src, got, why.Truth)
		}
		return got
	}
	for i, a := range all {
		if got := eval("not (" + words[i] + ")"); got != not[i] {
			t.Errorf("not %v = %v, want %v", a, got, not[i])
		}
		for j, b := range all {
			if got := eval(words[i] + " and " + words[j]); got != and[i][j] {
				t.Errorf("%v and %v = %v, want %v", a, b, got, and[i][j])
			}
			if got := eval(words[i] + " or " + words[j]); got != or[i][j] {
				t.Errorf("%v or %v = %v, want %v", a, b, got, or[i][j])
			}
		}
	}
}

func TestEval(t *testing.T) {
	type v = map[string]any
	errors := []any{finding("error", true), finding("note", false)}
	for _, c := range []struct {
		src   string
		have  v
		never string
		want  Truth
	}{
		{`tasks.qa.report.verdict != "block"`, v{}, "", Unknown},
		{`tasks.qa.report.verdict != "block"`, v{"tasks.qa.report.verdict": "approve"}, "", True},
		{`tasks.qa.report.verdict != "block"`, v{}, "tasks.qa.report.verdict", Failed},
		{`(tasks.qa.report.verdict ?? "block") == "block"`, v{}, "", True},
		{`(tasks.qa.report.verdict ?? "block") == "block"`, v{}, "tasks.qa.report.verdict", True},
		{`(tasks.qa.report.verdict ?? "block") == "block"`, v{"tasks.qa.report.verdict": "approve"}, "", False},
		{`(tasks.qa.report.score ?? run.turns ?? 3) == 3`, v{}, "", True},
		{`(tasks.qa.report.score ?? run.turns) == 3`, v{}, "", Unknown},
		{`(tasks.qa.report.score ?? 1) + tasks.qa.report.score == 2`, v{}, "", Unknown},
		{`tasks.qa.done and tasks.qa.report.score > 3`, v{"tasks.qa.done": false}, "", False},
		{`tasks.qa.done or tasks.qa.report.score > 3`, v{"tasks.qa.done": true}, "tasks.qa.report.score", True},
		{`run.cost > 3`, v{"run.cost": 3.5}, "", True},
		{`run.cost > 3`, v{"run.cost": 4}, "", True},
		{`run.cost > 3`, v{"run.cost": nil}, "", Unknown},
		{`members.qa.cost > run.cost`, v{}, "members.qa.cost", Failed},
		{`run.turns == 3`, v{"run.turns": 3}, "", True},
		{`tasks.qa.report.score == 3`, v{"tasks.qa.report.score": 3}, "", True},
		{`tasks.qa.report.score == 3`, v{"tasks.qa.report.score": 3.0}, "", True},
		{`tasks.qa.report.score in [1, 3]`, v{"tasks.qa.report.score": 3.0}, "", True},
		{`run.turns / 0 > 3`, v{"run.turns": 3}, "", Failed},
		{`0 / run.turns == 0`, v{"run.turns": 0}, "", Failed},
		{`run.turns % 0 == 1`, v{"run.turns": 3}, "", Failed},
		{`run.turns / 2 == 1.5`, v{"run.turns": 3}, "", True},
		{`run.turns % 2 == 1`, v{"run.turns": 3}, "", True},
		{`run.turns / 0 > 3 or tasks.qa.done`, v{"run.turns": 3, "tasks.qa.done": true}, "", True},
		{`not (run.turns / 0 > 3)`, v{"run.turns": 3}, "", Failed},

		{`any(findings, .confirmed)`, v{"findings": []any{}}, "", False},
		{`all(findings, .confirmed)`, v{"findings": []any{}}, "", True},
		{`none(findings, .confirmed)`, v{"findings": []any{}}, "", True},
		{`count(findings, .confirmed) == 0`, v{"findings": []any{}}, "", True},
		{`count(findings, .confirmed) == 0`, v{}, "", Unknown},
		{`any(findings, .confirmed and .severity == "error")`, v{"findings": errors}, "", True},
		{`all(findings, .line == 3 and .file endsWith ".go")`, v{"findings": errors}, "", True},
		{`first(findings).severity == "error"`, v{"findings": errors}, "", True},
		{`last(findings).severity == "error"`, v{"findings": errors}, "", False},
		{`first(findings).severity == "error"`, v{"findings": []any{}}, "", Failed},
		{`first(map(findings, .severity)) != "error"`, v{"findings": []any{}}, "", Failed},
		{`min(members.qa.report.parts) == 0`, v{"members.qa.report.parts": []any{}}, "", Failed},
		{`max(members.qa.report.parts) == 2.5`, v{"members.qa.report.parts": []any{1, 2.5}}, "", True},
		{`sum(members.qa.report.parts) == 3.5`, v{"members.qa.report.parts": []any{1, 2.5}}, "", True},
		{`findings[9].line > 3`, v{"findings": errors}, "", Failed},
		{`"x" in members.qa.report.labels`, v{"members.qa.report.labels": []any{"x"}}, "", True},

		{`run.turns > 3`, v{"run.turns": "many"}, "", Failed},
		{`run.turns > 3`, v{"run.turns": 3.5}, "", Failed},
		{`tasks.qa.done`, v{"tasks.qa.done": "yes"}, "", Failed},
		{`tasks.qa.report.score == 3`, v{"tasks.qa.report.score": "3"}, "", Failed},
		{`any(findings, .confirmed)`, v{"findings": "none"}, "", Failed},
		{`any(findings, .confirmed)`, v{"findings": []any{3}}, "", Failed},
		{`any(findings, .confirmed)`, v{"findings": []any{map[string]any{"confirmed": 3}}}, "", Failed},
		{`any(members.qa.report.labels, # startsWith "x")`, v{"members.qa.report.labels": []any{3}}, "", Failed},
		{`tasks.qa.done`, v{"tasks": "none"}, "", Unknown},
	} {
		e := env(c.have)
		e.never[c.never] = true
		cond := mustCompile(t, c.src)
		if got := cond.Eval(e); got != c.want {
			t.Errorf("%s with %v: %v, want %v", c.src, c.have, got, c.want)
		}
		if why := cond.Explain(e); why.Truth != c.want {
			t.Errorf("%s with %v: Explain says %v, want %v", c.src, c.have, why.Truth, c.want)
		}
	}
}

func TestOnlyAnyIsDecidedEarly(t *testing.T) {
	e := env(map[string]any{"run.turns": 3, "members.qa.cost": "dear"})
	e.soFar = []any{finding("error", true)}
	for src, want := range map[string]Truth{
		`any(findings, .severity == "error")`:                     True,
		`any(findings, .severity == "note")`:                      Unknown,
		`any(findings, .line == run.turns)`:                       True,
		`any(findings, .line == tasks.qa.report.score)`:           Unknown,
		`any(findings, .line != tasks.qa.report.score)`:           Unknown,
		`any(findings, .line != members.qa.cost)`:                 Failed,
		`any(findings, .line / 0 > 1)`:                            Unknown,
		`not any(findings, .severity == "error")`:                 False,
		`none(findings, .severity == "error")`:                    Unknown,
		`count(findings, .severity == "error") > 0`:               Unknown,
		`any(filter(findings, .confirmed), .severity == "error")`: Unknown,
		`any(tasks.sec.report.findings, .severity == "error")`:    Unknown,
		`len(findings) > 0`:                                       Unknown,
	} {
		if got := mustCompile(t, src).Eval(e); got != want {
			t.Errorf("%s: %v, want %v", src, got, want)
		}
	}
	e.never["findings"] = true
	if got := mustCompile(t, `any(findings, .severity == "note")`).Eval(e); got != Failed {
		t.Errorf("a list that can no longer come to exist: %v, want error", got)
	}
}

func TestExplainNamesEveryOperand(t *testing.T) {
	e := env(map[string]any{"tasks.qa.done": true, "run.turns": 0})
	e.never["tasks.vet.output"] = true
	src := `tasks.qa.done and (tasks.vet.output == "" or members.qa.cost > 3) and 5 / run.turns > 1`
	var b strings.Builder
	tell(&b, mustCompile(t, src).Explain(e), "")
	want := `unknown and ` + src + `
  true tasks.qa.done [tasks.qa.done=true]
  unknown or tasks.vet.output == "" or members.qa.cost > 3
    error tasks.vet.output == "" [tasks.vet.output never] (tasks.vet.output can no longer come to exist)
    unknown members.qa.cost > 3 [members.qa.cost absent]
  error 5 / run.turns > 1 [run.turns=0] (division by zero)
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &b, want)
	}
}

func tell(b *strings.Builder, w Why, indent string) {
	fmt.Fprintf(b, "%s%s ", indent, w.Truth)
	if w.Op != "" {
		fmt.Fprintf(b, "%s ", w.Op)
	}
	b.WriteString(w.Source)
	for _, o := range w.Operands {
		switch {
		case o.Present:
			fmt.Fprintf(b, " [%s=%v]", o.Path, o.Value)
		case o.Never:
			fmt.Fprintf(b, " [%s never]", o.Path)
		default:
			fmt.Fprintf(b, " [%s absent]", o.Path)
		}
	}
	if w.Err != "" {
		fmt.Fprintf(b, " (%s)", w.Err)
	}
	b.WriteString("\n")
	for _, k := range w.Kids {
		tell(b, k, indent+"  ")
	}
}

func TestEvalIsSafeForConcurrentUse(t *testing.T) {
	c := mustCompile(t, `tasks.qa.done and any(findings, .severity == "error") and run.turns >= 3`)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			e := fullEnv(i)
			want := False
			if i >= 3 {
				want = True
			}
			for range 200 {
				if got := c.Eval(e); got != want {
					t.Errorf("%d: %v, want %v", i, got, want)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestB01_AbsentValueIsUnknownThenAnError(t *testing.T) {
	c := mustCompile(t, `members.qa.report.score > 7`)
	e := env(nil)
	if got := c.Eval(e); got != Unknown {
		t.Errorf("before the first report: %v, want unknown", got)
	}
	e.never["members.qa.report.score"] = true
	why := c.Explain(e)
	if why.Truth != Failed || !strings.Contains(why.Err, "members.qa.report.score") {
		t.Errorf("without a report for ever: %v %q, want an error that names the score", why.Truth, why.Err)
	}
}

func TestB02_NegativeTestIsNotTrueBeforeAnythingRan(t *testing.T) {
	for _, src := range []string{
		`members.qa.report.verdict != "block"`, `not (members.qa.report.verdict == "block")`,
		`members.qa.report.verdict not in ["block"]`, `not members.qa.report.sure`,
	} {
		if got := mustCompile(t, src).Eval(env(nil)); got != Unknown {
			t.Errorf("%s: %v, want unknown", src, got)
		}
	}
}

func TestB03_TypoInANameIsFoundAtItsPlace(t *testing.T) {
	_, problems := newScope(condTeam(t)).compile(`members.qaa.reported`)
	if len(problems) != 1 || problems[0].off != 8 || problems[0].code != codeName || !strings.Contains(problems[0].msg, `did you mean "qa"?`) {
		t.Errorf("%+v", problems)
	}
}

func TestB04_TextComparedWithNumber(t *testing.T) {
	_, problems := newScope(condTeam(t)).compile(`members.qa.report.score == "10"`)
	if len(problems) != 1 || problems[0].off != 27 || problems[0].code != codeType {
		t.Errorf("%+v", problems)
	}
	late := env(map[string]any{"members.qa.report.score": "10"})
	if got := mustCompile(t, `members.qa.report.score == 10`).Eval(late); got != Failed {
		t.Errorf("a text where a number was declared: %v, want error", got)
	}
}

func TestB05_ConstantsAndContradictions(t *testing.T) {
	s := newScope(condTeam(t))
	if c, problems := s.compile(`3 > 2`); c != nil || len(problems) != 1 || problems[0].code != codeConstant {
		t.Errorf("%+v", problems)
	}
	if c, problems := s.compile(`tasks.qa.round > 3 && tasks.qa.round < 2`); c != nil || len(problems) != 1 || problems[0].code != codeNever {
		t.Errorf("%+v", problems)
	}
}

func TestB11_PrecedenceSurprises(t *testing.T) {
	s := newScope(condTeam(t))
	for src, hint := range map[string]string{
		"tasks.qa.round > 1 and\n  not members.qa.report.verdict == \"block\"": `write not (members.qa.report.verdict == "block")`,
		`tasks.qa.report.verdict ?? "x" == "x"`:                                `write (a ?? b) == c`,
		`tasks.qa.state = "done"`:                                              `write == to compare`,
	} {
		_, problems := s.compile(src)
		if len(problems) != 1 || !strings.Contains(problems[0].msg, hint) {
			t.Errorf("%s: %+v, want %s", src, problems, hint)
		}
	}
}

func BenchmarkEval10x50(b *testing.B) {
	team := condTeam(b)
	e := fullEnv(3)
	var parts []string
	for i := range 50 {
		name := fmt.Sprintf("m%d", i)
		team.Members = append(team.Members, Member{Name: name})
		e.values["members"].(map[string]any)[name] = map[string]any{"state": "idle", "turns": i, "reported": true}
		if i%5 == 0 {
			parts = append(parts, fmt.Sprintf("members.%s.turns >= %d", name, i))
		}
	}
	c, problems := newScope(team).compile(strings.Join(parts, " and "))
	if len(problems) > 0 || c.Eval(e) != True {
		b.Fatal(problems)
	}
	b.ReportAllocs()
	for b.Loop() {
		c.Eval(e)
	}
}
