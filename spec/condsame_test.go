package spec

import (
	"fmt"
	"testing"

	"github.com/expr-lang/expr"
	"pgregory.net/rapid"
)

// With every value known, splitting a condition into atoms changes nothing: the
// answer is that of expr's own machine on the whole.
func TestKnownConditionsAnswerAsExprDoes(t *testing.T) {
	s := newScope(condTeam(t))
	rapid.Check(t, func(t *rapid.T) {
		src := drawCondition(t, 3)
		e := fullEnv(rapid.IntRange(0, 5).Draw(t, "n"))
		c, problems := s.compile(src)
		if c == nil {
			if len(problems) == 1 && (problems[0].code == codeTooLong || problems[0].code == codeConstant) {
				t.Skip("too long, or without a value")
			}
			t.Fatalf("%s: %+v", src, problems)
		}
		program, err := expr.Compile(src, expr.AsBool())
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		answer, err := expr.Run(program, e.values)
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		want := False
		if answer.(bool) {
			want = True
		}
		if got := c.Eval(e); got != want {
			t.Fatalf("%s: %v, expr says %v", src, got, want)
		}
		if why := c.Explain(e); why.Truth != want {
			t.Fatalf("%s: Explain says %v, expr says %v", src, why.Truth, want)
		}
	})
}

// drawCondition writes a random condition over the test team.
func drawCondition(t *rapid.T, depth int) string {
	pick := func(of ...string) string { return rapid.SampledFrom(of).Draw(t, "pick") }
	if depth == 0 || rapid.IntRange(0, 3).Draw(t, "stop") == 0 {
		return drawAtom(t, pick)
	}
	a := drawCondition(t, depth-1)
	switch pick("not", "and", "or", "&&", "||", "any", "count") {
	case "not":
		return pick("not", "!") + " (" + a + ")"
	case "any":
		return fmt.Sprintf("%s(findings, %s)", pick("any", "all", "none", "one"), drawItem(t, pick))
	case "count":
		return fmt.Sprintf("count(filter(findings, %s), %s) %s %d", drawItem(t, pick), drawItem(t, pick), pick("<", ">=", "=="), depth)
	}
	return "(" + a + " " + pick("and", "or", "&&", "||") + " " + drawCondition(t, depth-1) + ")"
}

func drawAtom(t *rapid.T, pick func(...string) string) string {
	number := func() string {
		return pick("run.turns", "run.cost", "members.dev.failures", "params.n", "tasks.qa.report.score", `members["my-lead"].turns`,
			"len(findings)", "sum(findings, .line)", "2.5", "abs(1 - run.turns)", "max(run.turns, 3)", "tasks.qa.round * 2 + 1")
	}
	text := func() string {
		return pick("params.base", "members.qa.report.summary", "lower(tasks.vet.output)", `"x"`, `"all fine"`)
	}
	switch pick("flag", "number", "text", "in", "or else", "true") {
	case "number":
		return number() + " " + pick("<", "<=", ">", ">=", "==", "!=") + " " + number()
	case "text":
		return text() + " " + pick("==", "!=", "contains", "startsWith", "endsWith", "<") + " " + text()
	case "in":
		return pick(`tasks.qa.state in ["done", "failed"]`, `"x" not in members.qa.report.labels`, "2.5 in members.qa.report.parts",
			`params.mode not in ["fast"]`, `any(members.qa.report.labels, # == "y")`, "run.turns in [1, 2, 3]")
	case "or else":
		return "(" + pick("tasks.qa.report.score", "run.cost") + " ?? 3) >= " + number()
	case "true":
		return pick("true", "false")
	}
	return pick("tasks.qa.done", "tasks.vet.failed", "members.qa.reported", "params.deep", "tasks.both.reports.qa.sure")
}

func drawItem(t *rapid.T, pick func(...string) string) string {
	a := pick(".confirmed", `.severity == "error"`, "#.line > run.turns", `.file endsWith ".go"`, `.severity in ["note", "warning"]`, "not .confirmed")
	if rapid.Bool().Draw(t, "join") {
		return a + " " + pick("and", "or") + " " + pick(".confirmed", ".line % 2 == 1", "tasks.qa.done")
	}
	return a
}
