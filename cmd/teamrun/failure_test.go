package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/host"
	"github.com/teamrun/teamrun/runner/journal"
)

// testApp is a call of the program with its streams in memory.
func testApp(env map[string]string) (a *app, out, errs *bytes.Buffer) {
	out, errs = &bytes.Buffer{}, &bytes.Buffer{}
	return &app{
		in: strings.NewReader(""), out: out, err: errs, now: time.Now,
		getenv:   func(name string) string { return env[name] },
		terminal: func(any) bool { return false },
		color:    "auto", progress: "auto",
	}, out, errs
}

func TestExitCodesOfErrors(t *testing.T) {
	for _, c := range []struct {
		err  error
		exit int
		code string
	}{
		{&host.HeldError{Run: "7f3k2mqa", PID: 4121, Host: "build-3", Since: 1}, 5, "run-held"},
		{&journal.StateError{Path: "run.db", Problem: "record 7 is damaged", Remedy: "restore it"}, 6, "state-unusable"},
		{errors.New("write: no space left on device"), 6, "state-unusable"},
		{&host.EnvError{Problem: "HOME is read-only", Remedy: "set TEAMRUN_HOME"}, 7, "environment"},
		{&runner.Refusal{Code: "unknown-recipient", Msg: "no member leed"}, 1, "unknown-recipient"},
		{&host.UnreachableError{Socket: "/s", Err: io.EOF}, 6, "unreachable"},
		{noRun("no run x", nil), 2, "no-such-run"},
	} {
		a, out, errs := testApp(nil)
		if got := a.fail(c.err); got != c.exit {
			t.Errorf("%v: exit %d, want %d", c.err, got, c.exit)
		}
		first, _, _ := strings.Cut(errs.String(), "\n")
		if !strings.HasPrefix(first, "teamrun: ") || !strings.HasSuffix(first, "["+c.code+"]") {
			t.Errorf("%v: %q", c.err, first)
		}
		if out.Len() > 0 {
			t.Errorf("%v: standard output has %q", c.err, out)
		}
	}
}

// What another process drives is named in every command that helps.
func TestHeldHintsNameTheRun(t *testing.T) {
	a, _, errs := testApp(nil)
	a.fail(&host.HeldError{Run: "7f3k2mqa", PID: 4121, Host: "build-3", Since: 1})
	for _, want := range []string{"teamrun logs -f 7f3k2mqa", "teamrun wait 7f3k2mqa", "teamrun down 7f3k2mqa"} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("%q is not in %q", want, errs)
		}
	}
}

func TestSilentExit(t *testing.T) {
	a, _, errs := testApp(nil)
	if got := a.fail(exitCode(3)); got != 3 || errs.Len() > 0 {
		t.Errorf("exit %d, said %q", got, errs)
	}
}

// A panic is one line and exit 6, never a stack.
func TestPanicIsOneLine(t *testing.T) {
	a, _, errs := testApp(nil)
	a.getenv = func(name string) string {
		if name == "TEAMRUN_PROGRESS" {
			panic("boom")
		}
		return ""
	}
	if got := run([]string{"version"}, a); got != 6 {
		t.Errorf("exit %d", got)
	}
	if !strings.HasPrefix(errs.String(), "teamrun: internal error: boom [internal-error]\n") || strings.Contains(errs.String(), "goroutine") {
		t.Errorf("said %q", errs)
	}
}

// Every code of this program and of its refusals has a page, once.
func TestEveryCodeHasAPage(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range codes() {
		if seen[c.Code] {
			t.Errorf("%s has two pages", c.Code)
		}
		seen[c.Code] = true
		if c.Title == "" || strings.TrimSpace(c.Text) == "" {
			t.Errorf("the page of %s is empty", c.Code)
		}
		if len(c.Code) > 24 {
			t.Errorf("%s is longer than 24 characters", c.Code)
		}
	}
	for _, code := range usedCodes(t) {
		if !seen[code] {
			t.Errorf("%s has no page", code)
		}
	}
}

// usedCodes are the codes that appear in the source of this program, the runner,
// the host and the kinds.
func usedCodes(t *testing.T) []string {
	named := regexp.MustCompile(`(?:[Cc]ode: |refuse\(|(?:Errorf|Warnf)\(.*?, )"([a-z]+(?:-[a-z]+)*)"`)
	var found []string
	for _, pattern := range []string{"*.go", "../../runner/*.go", "../../runner/host/*.go", "../../stepsx/*/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range named.FindAllStringSubmatch(string(text), -1) {
				found = append(found, m[1])
			}
		}
	}
	if len(found) < 30 {
		t.Fatalf("only %d codes found: %v", len(found), found)
	}
	return found
}

// CI-8: text in our streams cannot act as a command of the CI system, and JSON
// keeps its values.
func TestCI8_StreamsAreHarmless(t *testing.T) {
	evil := "##[error]x\n::error::y\n##vso[task.complete]\n##teamcity[x]"
	for _, name := range []string{"GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"} {
		a, out, errs := testApp(map[string]string{name: "true"})
		a.print(evil)
		a.say(evil)
		for _, text := range []string{out.String(), errs.String()} {
			for _, command := range []string{"##[", "##vso[", "##teamcity["} {
				if strings.Contains(text, command) {
					t.Errorf("%s: %q in %q", name, command, text)
				}
			}
			for _, line := range strings.Split(text, "\n") {
				if strings.HasPrefix(strings.TrimSpace(line), "::") {
					t.Errorf("%s: %q", name, line)
				}
			}
		}
		out.Reset()
		if err := a.printJSON(map[string]any{"text": evil, "list": []string{"::error::z"}}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "##") || strings.HasPrefix(strings.TrimSpace(out.String()), "::") {
			t.Errorf("%s: %q", name, out)
		}
		var back struct{ Text string }
		if err := json.Unmarshal(out.Bytes(), &back); err != nil || back.Text != evil {
			t.Errorf("%s: the value became %q, %v", name, back.Text, err)
		}
	}
}
