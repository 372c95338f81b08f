package spec

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNULInArgvIsRefused: no program can be given such an argument, so nothing
// may start that would find out.
func TestNULInArgvIsRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`tasks: {a: {run: [echo, "a\0b"]}}`, `2:25: error: tasks.a.run[1] holds U+0000, which no argument of a program can; remove it [control-char]`},
		{`tasks: {a: {run: ["\0"]}}`, `tasks.a.run[0] holds U+0000`},
		{`tasks: {a: {run: [echo, "a\u0001b"]}}`, ""},
		{`params: {x: {default: "a\0b"}}
tasks: {a: {run: [echo, "${params.x}"]}}`, `the default of params.x must not hold U+0000, which no argument of a program can [bad-param]`},
	} {
		path := filepath.Join(t.TempDir(), "team.yaml")
		if err := os.WriteFile(path, []byte("teamrun: v1\n"+c.text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, problems := Load(path, LoadOptions{})
		if c.want == "" && len(problems) > 0 || c.want != "" && (len(problems) != 1 || !strings.Contains(problems[0].String(), c.want)) {
			t.Errorf("%s: %v, want %q", c.text, problems, c.want)
		}
	}
}

// TestReasonOfAStopIsExpanded: values stand in it plainly, also untrusted ones.
func TestReasonOfAStopIsExpanded(t *testing.T) {
	team := good(t, `teamrun: v1
params: {q: {default: "<why>", untrusted: true}}
tasks: {t: {run: [x]}}
stop:
  - {when: tasks.t.failed, outcome: failure, reason: 'because ${params.q}, $$'}
  - {when: tasks.t.done, outcome: success}
`)
	if got := []string{team.Stops[0].Reason, team.Stops[1].Reason}; got[0] != "because <why>, $" || got[1] != "tasks.t.done" {
		t.Errorf("reasons %q", got)
	}
}
