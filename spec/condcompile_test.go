package spec

import (
	"slices"
	"strings"
	"testing"
)

func TestGoodConditionsCompileCleanly(t *testing.T) {
	s := newScope(condTeam(t))
	for src, reads := range map[string]string{
		`tasks.qa.done and any(findings, .severity == "error" and .confirmed)`:  "findings tasks.qa",
		`members["my-lead"].reported or members["1st"].turns >= 3`:              "members.1st members.my-lead",
		`not (tasks.qa.report.verdict == "block")`:                              "tasks.qa",
		`!tasks.qa.done && (tasks.vet.failed || tasks.vet.skipped)`:             "tasks.qa tasks.vet",
		`tasks.vet.output != ""`:                                                "tasks.vet",
		`tasks.vet.output matches "(?m)^FAIL"`:                                  "tasks.vet",
		`tasks.both.reports.qa.score + 1 > tasks.both.reports["my-lead"].score`: "tasks.both",
		`(tasks.qa.report.verdict ?? "block") != "block"`:                       "tasks.qa",
		`(tasks.qa.report.score ?? members.qa.report.score ?? 0) > 3`:           "members.qa tasks.qa",
		`params.mode == "fast" and params.base startsWith "origin/"`:            "params.base params.mode",
		`params.n > 3 or params.deep`:                                           "params.deep params.n",
		`run.turns % 2 == 1 and run.cost / run.turns > 0.5`:                     "run",
		`1 < run.turns and -run.tasks_done < 0`:                                 "run",
		`first(findings).line > 3 and findings[0].title contains "x"`:           "findings",
		`count(filter(findings, .confirmed), .line > 3) == len(findings)`:       "findings",
		`all(findings, .severity in ["note", "warning"])`:                       "findings",
		`any(findings, run.turns > .line)`:                                      "findings run",
		`any(tasks.sec.report.findings, {.file == "x"})`:                        "tasks.sec",
		`"x" in members.qa.report.labels`:                                       "members.qa",
		`any(members.qa.report.labels, # startsWith "x")`:                       "members.qa",
		`max(members.qa.report.parts) - min(1, 2) > sum(findings, .line)`:       "findings members.qa",
		`lower(trim(tasks.qa.report.summary)) == "ok"`:                          "tasks.qa",
		`tasks.qa.state not in ["failed", "skipped"]`:                           "tasks.qa",
		`members.dev.failures > 3 or members.dev.unread > 3`:                    "members.dev",
	} {
		c, problems := s.compile(src)
		if c == nil || len(problems) > 0 {
			t.Errorf("%s: %+v", src, problems)
			continue
		}
		if got := strings.Join(c.Reads(), " "); got != reads {
			t.Errorf("%s reads %s, want %s", src, got, reads)
		}
		if c.Source() != src {
			t.Errorf("%s has the source %s", src, c.Source())
		}
	}
}

// In each condition, the part in ‹ › is what the problem marks.
var badConditions = []struct{ src, code, words string }{
	{`members.‹qq›.reported`, codeName, `no member "qq" (did you mean "qa"?)`},
	{`tasks.‹qaa›.done`, codeName, `no task "qaa" (did you mean "qa"?)`},
	{`tasks.qa.‹dnoe›`, codeName, `no field "dnoe" in tasks.qa (did you mean "done"?)`},
	{`params.‹bse› == "x"`, codeName, `no param "bse" (did you mean "base"?)`},
	{`‹member›.qa.reported`, codeName, `unknown name "member" (did you mean "members"?)`},
	{`run.‹clock› > 3`, codeName, `no field "clock" (turns, messages`},
	{`members[‹"qq"›].reported`, codeName, `no member "qq"`},
	{`members.‹my-lead›.reported`, codeName, `members["my-lead"]`},
	{`members.‹my-laed›.reported`, codeName, `members["my-lead"]`},
	{`members.‹1st›.turns > 3`, codeSyntax, `brackets: ["1st"]`},
	{`members.‹qa›`, codeName, `no value: name one field of it (state`},
	{`‹tasks›`, codeName, `name one task of it (qa, vet`},
	{`members.qa.turns.‹x› > 1`, codeName, `members.qa.turns has no fields, it is a number`},
	{`members[‹params.base›].reported`, codeName, `a name must be written out`},
	{`any(findings, .‹sevrity› == "x")`, codeName, `did you mean "severity"?`},
	{`findings[‹run.turns›].line > 3`, codeName, `by a written number`},
	{`‹len› > 3`, codeName, `len is a function`},

	{`tasks.vet.‹report›.x == 1`, codeField, `task vet runs a command: it has output, not a report`},
	{`tasks.vet.‹reports›.qa.x == 1`, codeField, `it has output`},
	{`tasks.chat.‹report›.x == 1`, codeField, `task chat has no report: give it report: SCHEMA`},
	{`tasks.qa.‹output› == ""`, codeField, `only a run task has output`},
	{`tasks.both.‹report›.verdict == "block"`, codeField, `write reports.MEMBER, with MEMBER one of qa, my-lead`},
	{`tasks.qa.‹reports›.qa.verdict == "block"`, codeField, `write report, not reports`},
	{`tasks.both.reports.‹dev›.verdict == "block"`, codeName, `no performer "dev"`},
	{`members.dev.‹report›.x == 1`, codeField, `member dev has no report`},
	{`tasks.qa.‹passed›`, codeField, `only a vote`},
	{`tasks.qa.‹by› == "qa"`, codeField, `only a vote`},
	{`‹task›.round > 3`, codeField, `only under again`},

	{`tasks.qa.report.score == ‹"10"›`, codeType, `tasks.qa.report.score is a number and "10" is text: they cannot be compared`},
	{`‹"10"› == tasks.qa.report.score`, codeType, `cannot be compared`},
	{`tasks.qa.report.summary ‹==› tasks.qa.report.score`, codeType, `cannot be compared`},
	{`params.base > ‹3›`, codeType, `cannot be compared`},
	{`tasks.qa.done == ‹"true"›`, codeType, `cannot be compared`},
	{`tasks.qa.report.labels ‹==› ["x"]`, codeType, `lists cannot be compared`},
	{`findings[0] ‹==› findings[1]`, codeType, `records cannot be compared`},
	{`‹not› tasks.qa.report.verdict == "block"`, codeType, `write not (tasks.qa.report.verdict == "block")`},
	{`‹!›tasks.qa.report.verdict in ["block"]`, codeType, `write not (`},
	{`‹not› run.turns`, codeType, `not needs true or false, but run.turns is a number`},
	{`‹run.turns› and tasks.qa.done`, codeType, `and needs true or false, but run.turns is a number`},
	{`‹run.turns›`, codeType, `must be true or false, but this is a number`},
	{`run.turns ‹+› 1`, codeType, `must be true or false`},
	{`‹findings›`, codeType, `but this is a list`},
	{`tasks.qa.report.score ‹%› 2 == 1`, codeType, `whole numbers`},
	{`‹-›params.base == "x"`, codeType, `- needs a number`},
	{`"x" ‹in› params.base`, codeType, `params.base contains "x"`},
	{`3 ‹in› members.qa.report.labels`, codeType, `every item of members.qa.report.labels is text`},
	{`3 ‹in› run.turns`, codeType, `needs a list on its right`},
	{`findings ‹in› ["x"]`, codeType, `cannot be looked for`},
	{`members.qa.report.labels ‹contains› "x"`, codeType, `write x in members.qa.report.labels`},
	{`run.turns ‹matches› "x"`, codeType, `matches needs text`},
	{`‹len›(run.turns) > 1`, codeType, `len is written len(list or text), but run.turns is a number`},
	{`‹len›() > 1`, codeType, `len is written`},
	{`‹count›(run.turns, .x) > 1`, codeType, `count needs a list`},
	{`‹any›(findings, .line)`, codeType, `any is written any(list, predicate)`},
	{`run.turns in [1, ‹"a"›]`, codeType, `one kind of value`},
	{`(lower(params.base) ‹??› "x") == "x"`, codeType, `left of ?? stands the one value`},
	{`(tasks.qa.report.verdict ?? ‹3›) == 3`, codeType, `cannot be compared`},

	{`tasks.qa.report.verdict == ‹"blok"›`, codeNever, `can never be "blok" (did you mean "block"?)`},
	{`tasks.qa.report.verdict in ["block", ‹"ok"›]`, codeNever, `can never be "ok" (approve, block)`},
	{`tasks.qa.state == ‹"finished"›`, codeNever, `can never be`},
	{`members.qa.state != ‹"buzy"›`, codeNever, `can never be`},
	{`any(findings, .severity == ‹"eror"›)`, codeNever, `did you mean "error"?`},
	{`first(map(findings, .severity)) == ‹"eror"›`, codeNever, `did you mean "error"?`},

	{`tasks.qa.done ‹=› true`, codeForbidden, `write == to compare`},
	{`tasks.qa.done ‹&› tasks.vet.done`, codeForbidden, `write and`},
	{`‹count›(findings) > 1`, codeType, `len(list)`},
	{`findings ‹|› count(.confirmed) > 1`, codeForbidden, `write or`},
	{`tasks.qa‹?.›done`, codeForbidden, `write . alone`},
	{`tasks.qa.done ‹?› true : false`, codeForbidden, `instead of a choice`},
	{`‹if› tasks.qa.done { true } else { false }`, codeForbidden, `instead of a choice`},
	{`‹let› x = 1; x == 1`, codeForbidden, `no variables`},
	{`tasks.qa.done‹;› tasks.vet.done`, codeForbidden, `one expression`},
	{`run.turns in 1‹..›3`, codeForbidden, `>= and <=`},
	{`run.turns ‹**› 2 > 3`, codeForbidden, `powers`},
	{`run.turns ‹^› 2 > 3`, codeForbidden, `powers`},
	{`1 < run.turns ‹<› 3`, codeForbidden, `write a < b and b < c`},
	{`‹::›len(findings) > 3`, codeForbidden, `without it`},
	{`len(findings[1‹:›2]) > 3`, codeForbidden, `parts of lists`},
	{`len(‹{›}) > run.turns`, codeForbidden, `cannot make a record`},
	{`‹$env›.run.turns > 3`, codeForbidden, `name the value itself`},
	{`‹$env›["run"].turns > 3`, codeForbidden, `name the value itself`},
	{`‹now›() > 1`, codeForbidden, `there is no clock`},
	{`‹reduce›(findings, #.line) > 1`, codeForbidden, `does not exist`},
	{`‹sortBy›(findings, .line)[0].confirmed`, codeForbidden, `does not exist`},
	{`‹repeat›("x", 9) == params.base`, codeForbidden, `does not exist`},
	{`‹get›(run, "turns") == 3`, codeForbidden, `does not exist`},
	{`‹lne›(findings) > 1`, codeForbidden, `did you mean len?`},
	{`run.‹turns›() > 1`, codeForbidden, `cannot be called`},
	{`tasks.qa.report.summary == ‹nil›`, codeForbidden, `x ?? y`},
	{`params.base ‹+› "x" == "y"`, codeForbidden, `cannot be joined`},
	{`any(findings, ‹any›(findings, .confirmed))`, codeForbidden, `cannot stand in the predicate`},
	{`any(findings, ‹#›index > 3)`, codeForbidden, `#index is not allowed`},
	{`params.base matches ‹params.mode›`, codeForbidden, `written out in quotes`},
	{`‹b"x"› == params.base`, codeForbidden, `bytes`},

	{``, codeSyntax, `the condition is empty`},
	{`tasks.qa.done an‹d›`, codeSyntax, `ends too early`},
	{`(tasks.qa.don‹e›`, codeSyntax, `ends too early`},
	{`tasks.qa.done‹)›`, codeSyntax, `) is not expected here`},
	{`tasks.qa.done ‹tasks›.vet.done`, codeSyntax, `is not expected here`},
	{`params.base == ‹"›abc`, codeSyntax, `no end`},
	{`params.base == "\‹q›"`, codeSyntax, `backslash`},
	{`params.base == "é" and ‹@›x`, codeSyntax, `not allowed`},
	{`tasks.qa.done ‹// why›`, codeSyntax, `comment`},
	{`tasks.qa.done ‹/* why */ ›and tasks.vet.done`, codeSyntax, `comment`},
	{`run.turns > ‹010›`, codeSyntax, `no plain number`},
	{`run.turns > ‹0x10›`, codeSyntax, `no plain number`},
	{`run.turns > ‹1_000›`, codeSyntax, `no plain number`},
	{`run.cost > ‹.5›`, codeSyntax, `no plain number`},
	{`run.turns > ‹99999999999999999999›`, codeSyntax, `too large`},
	{`‹.›confirmed`, codeSyntax, `only in a predicate`},
	{`all(findings‹)›`, codeSyntax, `a list and a predicate`},
	{`tasks.qa.report.verdict ?? "x" ‹==› "y"`, codeSyntax, `write (a ?? b) == c`},
	{`params.base matches ‹"("›`, codeSyntax, `no regular expression`},
	{"tasks.qa.done‹\u200b›", codeSyntax, `U+200B`},
	{"params.base == \"‹\u202e›\"", codeSyntax, `U+202E`},

	{`‹1 < 2›`, codeConstant, `never changes`},
	{`‹all([1, 2], # > 3)›`, codeConstant, `never changes`},
	{`‹t›asks.qa.done` + strings.Repeat(" and tasks.qa.done", 60), codeTooLong, `more than 200 parts`},
	{`‹t›asks.qa.done` + strings.Repeat(" ", 4096), codeTooLong, `more than 4096`},
	{`params.base matches ‹"` + strings.Repeat("x", 257) + `"›`, codeTooLong, `more than 256`},
}

func TestBadConditionsSayWhatAndWhere(t *testing.T) {
	s := newScope(condTeam(t))
	for _, bad := range badConditions {
		src := strings.NewReplacer("‹", "", "›", "").Replace(bad.src)
		c, problems := s.compile(src)
		if c != nil || len(problems) != 1 {
			t.Errorf("%s: compiled %v, %+v", src, c != nil, problems)
			continue
		}
		p := problems[0]
		if p.code != bad.code || p.warn || !strings.Contains(p.msg, bad.words) {
			t.Errorf("%s: [%s] %s\n\twant [%s] … %s", src, p.code, p.msg, bad.code, bad.words)
		}
		if src == "" {
			continue
		}
		r := []rune(src)
		if got := string(r[:p.off]) + "‹" + string(r[p.off:p.off+p.len]) + "›" + string(r[p.off+p.len:]); got != bad.src {
			t.Errorf("%s: marks %s", bad.src, got)
		}
		for _, leak := range []string{"interface", "reflect", "map[", "ast.", "float64", "int ", "string ", "0x"} {
			if strings.Contains(p.msg, leak) && !strings.Contains(src, leak) {
				t.Errorf("%s: the message shows %q: %s", src, leak, p.msg)
			}
		}
	}
}

func TestAllProblemsOfAConditionInOnePass(t *testing.T) {
	_, problems := newScope(condTeam(t)).compile(`members.qq.reported or tasks.qaa.done or run.turns == "x"`)
	var at []int
	for _, p := range problems {
		at = append(at, p.off)
	}
	if want := []int{8, 29, 54}; !slices.Equal(at, want) {
		t.Errorf("problems at %v, want %v", at, want)
	}
}

// TestB05_WhatCanNeverBeIsRefused: a condition of which it is proven that it is
// never true as a whole.
func TestB05_WhatCanNeverBeIsRefused(t *testing.T) {
	s := newScope(condTeam(t))
	for src, n := range map[string]int{
		`run.turns > 3 and run.turns < 2`:                    1,
		`run.turns > 3 and tasks.qa.done and 3 >= run.turns`: 1,
		`run.turns < 0`:                                                            1,
		`params.n == 1 and params.n == 2`:                                          1,
		`params.base == "a" and params.base == "b"`:                                1,
		`tasks.qa.done and (params.n == 1 and params.n == 2)`:                      1,
		`tasks.qa.done and (run.turns < 0 or params.n == 1 and params.n == 2)`:     2,
		`(run.turns < 0 or run.messages < 0) and (tasks.qa.done or run.turns > 1)`: 2,
	} {
		c, problems := s.compile(src)
		if c != nil || len(problems) != n || problems[0].code != codeNever || problems[0].warn {
			t.Errorf("%s: compiled %v, %+v", src, c != nil, problems)
		}
	}
}

func TestWarningsKeepTheCondition(t *testing.T) {
	s := newScope(condTeam(t))
	for src, code := range map[string]string{
		`tasks.qa.done or true`:                                      codeConstant,
		`"a" == "a" and tasks.qa.done`:                               codeConstant,
		`not (run.turns > 3 and run.turns < 2)`:                      codeNever,
		`tasks.qa.done and (run.turns < 0 or run.turns > 9)`:         codeNever,
		`tasks.qa.done or (params.base == "a" and params.base=="b")`: codeNever,
	} {
		c, problems := s.compile(src)
		if c == nil || len(problems) != 1 || problems[0].code != code || !problems[0].warn {
			t.Errorf("%s: compiled %v, %+v", src, c != nil, problems)
		}
	}
	for _, src := range []string{
		`run.turns >= 3 and run.turns <= 3`, `run.turns > 3 or run.turns < 2`, `params.n < 0`,
		`run.turns > 3 and run.messages < 2`, `params.base != "a" and params.base != "b"`,
		`not (run.turns > 3) and run.turns < 2`, `params.base == "a" or params.base == "b"`,
	} {
		if _, problems := s.compile(src); len(problems) > 0 {
			t.Errorf("%s: false alarm %+v", src, problems)
		}
	}
}

// Hostile conditions are refused, or compiled, in little time and memory.
func TestE1_WorstConditionsAreCheap(t *testing.T) {
	s := newScope(condTeam(t))
	chain := "1"
	for range 60 {
		chain = "1 < (" + chain + ") < 1"
	}
	for name, src := range map[string]string{
		"parentheses": strings.Repeat("(", 2000) + "tasks.qa.done" + strings.Repeat(")", 2000),
		"brackets":    strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + " == []",
		"not":         strings.Repeat("!", 4000) + "tasks.qa.done",
		"chains":      chain,
		"predicates":  strings.Repeat("all(findings, ", 60) + "true" + strings.Repeat(")", 60),
		"sums":        "run.turns" + strings.Repeat(" + run.turns", 60) + " > 3",
		"pattern":     `params.base matches "` + strings.Repeat("(a{1,100}){1,10}", 15) + `"`,
		"text":        `params.base == "` + strings.Repeat("x", 4000) + `"`,
		"open text":   `params.base == "` + strings.Repeat("x", 4000),
		"dots":        strings.Repeat("a.", 2000),
		"range":       "run.turns in 1..1000000000",
		"choices":     strings.Repeat("true ? ", 90) + "true" + strings.Repeat(" : true", 90),
		"growth":      "reduce(1..900, {#acc + #acc}, 'xxxxxxxx') == params.base",
	} {
		// Allocations stand for work: unlike time they are the same every time.
		if got := testing.AllocsPerRun(1, func() { s.compile(src) }); got > 50_000 {
			t.Errorf("%s: %v allocations", name, got)
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	s := newScope(condTeam(b))
	for b.Loop() {
		s.compile(`tasks.qa.done and any(findings, .severity == "error" and .confirmed)`)
	}
}

func TestFindingsNeedATaskThatReportsThem(t *testing.T) {
	team := condTeam(t)
	team.Tasks = team.Tasks[:2]
	_, problems := newScope(team).compile(`any(findings, .confirmed)`)
	if len(problems) != 1 || problems[0].code != codeField || !strings.Contains(problems[0].msg, "no task reports findings") {
		t.Errorf("%+v", problems)
	}
}

func TestEveryConditionCodeHasAPage(t *testing.T) {
	pages := map[string]bool{}
	for _, c := range condCodes() {
		if c.Title == "" || c.Text == "" || pages[c.Code] {
			t.Errorf("the page of %s is empty or there twice", c.Code)
		}
		pages[c.Code] = true
	}
	for _, bad := range badConditions {
		if !pages[bad.code] {
			t.Errorf("%s has no page", bad.code)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, bad := range badConditions {
		f.Add(strings.NewReplacer("‹", "", "›", "").Replace(bad.src))
	}
	f.Add(`tasks.qa.done and any(findings, .severity == "error" and .confirmed)`)
	f.Add(`(tasks.qa.report.score ?? 0) / run.turns > 3 or not members["my-lead"].reported`)
	s := newScope(condTeam(f))
	f.Fuzz(func(t *testing.T, src string) {
		c, problems := s.compile(src)
		size := len([]rune(src))
		refused := false
		for _, p := range problems {
			if p.off < 0 || p.len < 1 || p.off > size || p.off+p.len > max(size, p.off+1) {
				t.Errorf("%q: %d+%d is outside of %d characters", src, p.off, p.len, size)
			}
			refused = refused || !p.warn
			if strings.Contains(p.msg, "types do not fit each other") {
				t.Errorf("%q: expr refuses what our own check lets pass", src)
			}
		}
		if refused == (c != nil) {
			t.Errorf("%q: compiled %v with %+v", src, c != nil, problems)
		}
		if c != nil {
			c.Eval(env(nil))
			full := fullEnv(2)
			if got, why := c.Eval(full), c.Explain(full); got != why.Truth {
				t.Errorf("%q: Eval says %v and Explain %v", src, got, why.Truth)
			}
		}
	})
}
