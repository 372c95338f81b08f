package spec

import (
	"bytes"
	"strings"
	"testing"
)

func printed(t *testing.T, text string, color bool) string {
	t.Helper()
	_, ps := loadText(t, "team.yaml", text, LoadOptions{})
	var b bytes.Buffer
	Print(&b, ps, func(string) []byte { return []byte(text) }, color)
	return b.String()
}

func TestPrint(t *testing.T) {
	got := printed(t, `teamrun: v1
agents: {reader: {kind: fake}}
tasks: {vet: {run: [x]}}
defaults: {agent: reader, turn_timeout: 10}
members:
  security:
    rol: You look for security bugs.
stop:
  - {when: 'tasks.vett.done and run.turns > 1 and run.turns > 1 and run.turns > 1 and run.turns > 1 and run.turns > 1', outcome: failure}
`, false)
	want := `team.yaml:4:41: error: defaults.turn_timeout: 10 has no unit; write 10s or 10m [duration-unit]
    4 | defaults: {agent: reader, turn_timeout: 10}
      |                                         ^~
team.yaml:7:5: error: unknown key "rol" in members.security (did you mean "role"?) [unknown-key]
    7 |     rol: You look for security bugs.
      |     ^~~
team.yaml:9:19: error: no task "vett" (did you mean "vet"?) (in stop[0].when) [condition-name]
    9 |   - {when: 'tasks.vett.done and run.turns > 1 and run.turns > 1 and run.turns > 1 and run.turns > 1…
      |                   ^~~~
3 errors in team.yaml; nothing was started. Explain one: teamrun help duration-unit
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestPrintCutsAroundTheCaret(t *testing.T) {
	text := "teamrun: v1\ntasks: {t: {run: [" + strings.Repeat("x, ", 60) + "ä, '${params.é}', " + strings.Repeat("y, ", 60) + "z]}}\n"
	lines := strings.Split(printed(t, text, false), "\n")
	source, caret := []rune(lines[1]), []rune(lines[2])
	if len(source) > maxLine+8 || source[8] != '…' || source[len(source)-1] != '…' {
		t.Errorf("%q", string(source))
	}
	at := strings.IndexRune(string(caret), '^')
	if source[at] != 'é' {
		t.Errorf("the caret points at %q\n%s\n%s", source[at], lines[1], lines[2])
	}
}

func TestPrintShowsNoControlCharacters(t *testing.T) {
	got := printed(t, "teamrun: v1\nname: \"a\x1b[31m\u202e\"\ntasks: {t:\t{run: [x]}}\n", false)
	if strings.ContainsAny(got, "\x1b\u202e\t") || !strings.Contains(got, `\u001b[31m\u202e`) {
		t.Errorf("%q", got)
	}
	lines := strings.Split(got, "\n")
	if at := strings.IndexByte(lines[2], '^'); !strings.HasPrefix(lines[1][at:], `\u001b`) {
		t.Errorf("%s\n%s", lines[1], lines[2])
	}
}

func TestPrintStopsAtTwenty(t *testing.T) {
	text := "teamrun: v1\n" + strings.Repeat("x: 1\n", 0)
	for i := range 34 {
		text += "k" + string(rune('a'+i%26)) + string(rune('a'+i/26)) + ": 1\n"
	}
	got := printed(t, text+"tasks: {t: {run: [x]}}\n", false)
	if strings.Count(got, "[unknown-key]") != 20 || !strings.Contains(got, "\n… and 14 more (--json shows all)\n34 errors in team.yaml; nothing was started.") {
		t.Error(got)
	}
}

func TestPrintOfWarningsAndOfNoFile(t *testing.T) {
	got := printed(t, "teamrun: v1\nparams: {a: {default: x}}\ntasks: {t: {run: [x]}}\n", true)
	want := "\x1b[1mteam.yaml:2:10\x1b[0m: \x1b[1;33mwarning\x1b[0m: param a is not used \x1b[2m[unused]\x1b[0m\n" +
		"    2 | params: {a: {default: x}}\n      |          \x1b[1;33m^\x1b[0m\n1 warning in team.yaml. Explain one: teamrun help unused\n"
	if got != want {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	var b bytes.Buffer
	no := func(name string) Problem {
		return Problem{Pos: Pos{File: "--set " + name}, Severity: Error, Code: "bad-param", Msg: "no"}
	}
	Print(&b, []Problem{no("x"), no("y")}, func(string) []byte { return nil }, false)
	if b.String() != "--set x: error: no [bad-param]\n--set y: error: no [bad-param]\n2 errors in --set; nothing was started. Explain one: teamrun help bad-param\n" {
		t.Error(b.String())
	}
}
