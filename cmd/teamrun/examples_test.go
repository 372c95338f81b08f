package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/spec"
)

func exampleFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(repo, "examples", "*", "team.yaml"))
	if err != nil || len(files) < 2 {
		t.Fatalf("examples %v, %v", files, err)
	}
	return files
}

// TestExamplesAreClean: every example loads without so much as a warning, and has
// a page.
func TestExamplesAreClean(t *testing.T) {
	for _, file := range exampleFiles(t) {
		team, problems := spec.Load(file, spec.LoadOptions{Kinds: kinds(), NeedParams: true, Strict: true})
		for _, p := range problems {
			t.Error(p)
		}
		if team != nil && len(team.Stops) == 0 {
			t.Errorf("%s has no stop", file)
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(file), "README.md")); err != nil {
			t.Error(err)
		}
	}
}

// stage is where an example runs.
type stage struct {
	dir string // the work folder
	out string // the artifacts
	env []string
}

func newStage(t *testing.T) stage {
	t.Helper()
	home, err := os.MkdirTemp("", "ex")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	s := stage{dir: filepath.Join(home, "work"), out: filepath.Join(home, "out"), env: docEnv(t, home)}
	if err := os.Mkdir(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return s
}

// up runs an example to its end.
func (s stage) up(t *testing.T, example string, args ...string) runner.Result {
	t.Helper()
	spec, err := filepath.Abs(filepath.Join(repo, "examples", example))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("teamrun", append([]string{"up", spec, "--dir", s.dir, "--out", s.out, "--json"}, args...)...)
	cmd.Env, cmd.Dir = s.env, s.dir
	var progress strings.Builder
	cmd.Stderr = &progress
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	var r runner.Result
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatalf("no result: %v\n%s%s", err, out, progress.String())
	}
	if code := cmd.ProcessState.ExitCode(); code != r.Exit {
		t.Errorf("exit code %d, and the result says %d", code, r.Exit)
	}
	t.Logf("%s\n%s", r.Reason, progress.String())
	return r
}

func (s stage) artifact(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.out, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestExampleHello: mail, a report, a failure that is recovered, a success stop.
func TestExampleHello(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	r := s.up(t, "01-hello")
	if r.Outcome != "success" || r.Exit != 0 || r.Reason != "the world is greeted" {
		t.Errorf("%s (exit %d): %s", r.Outcome, r.Exit, r.Reason)
	}
	if r.Messages != 2 {
		t.Errorf("%d messages, want bob's and the answer", r.Messages)
	}
	if r.Failures != 1 {
		t.Errorf("%d failures, want the one that is recovered", r.Failures)
	}
	if got := s.artifact(t, "greeting.txt"); got != "Hello, world!\n" {
		t.Errorf("greeting.txt holds %q", got)
	}
	var tasks struct {
		Tasks []struct{ Name, State string }
	}
	if err := json.Unmarshal([]byte(s.artifact(t, "tasks.json")), &tasks); err != nil || len(tasks.Tasks) != 2 {
		t.Errorf("tasks.json: %v, %v", tasks, err)
	}
}

// TestExampleChecks: each fault ends with its reason, and what is no fault does
// not.
func TestExampleChecks(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	const (
		code = "package greet\n\n// Hello greets.\nfunc Hello(name string) string { return \"hello, \" + name }\n"
		test = "package greet\n\nimport \"testing\"\n\nfunc TestHello(t *testing.T) {\n\tif got := Hello(\"you\"); got != \"hello, you\" {\n\t\tt.Fatal(got)\n\t}\n}\n"
	)
	s.commit(t, map[string]string{"go.mod": "module example.test/greet\n\ngo 1.26\n", "greet.go": code, "greet_test.go": test})
	for _, c := range []struct {
		name   string
		files  map[string]string
		args   []string
		exit   int
		reason string
		found  []string // severity title file
	}{
		{name: "green", exit: 0, reason: "all checks are green"},
		{
			name: "not formatted", files: map[string]string{"greet.go": strings.Replace(code, "return \"", "return  \"", 1)},
			exit: 1, reason: "some files are not formatted",
		},
		{
			name: "failing test", files: map[string]string{"greet.go": strings.Replace(code, "hello, ", "good day, ", 1)},
			exit: 1, reason: "a check is red",
		},
		{
			name: "does not compile", files: map[string]string{"greet.go": strings.Replace(code, "+ name", "+ nam", 1)},
			exit: 1, reason: "a check is red",
		},
		{
			name: "conflict markers", files: map[string]string{"notes.md": "<<<<<<< ours\none\n=======\ntwo\n>>>>>>> theirs\n"},
			exit: 1, reason: "the difference holds what must not be committed",
			found: []string{"error conflict marker notes.md:1", "error conflict marker notes.md:3", "error conflict marker notes.md:5"},
		},
		{
			name: "a title is no conflict", files: map[string]string{"notes.md": "A title\n=======\n"},
			exit: 0, reason: "all checks are green",
		},
		{
			name: "debug print", files: map[string]string{"greet.go": code + "\nfunc init() { println(\"debug\") }\n"},
			exit: 0, reason: "all checks are green", found: []string{"warning leftover debug print greet.go:6"},
		},
		{
			name: "no such base", args: []string{"--set", "base=nowhere"},
			exit: 1, reason: "the difference could not be read",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.reset(t, c.files)
			r := s.up(t, "02-checks", c.args...)
			if r.Exit != c.exit || r.Reason != c.reason {
				t.Errorf("exit %d: %s; want %d: %s", r.Exit, r.Reason, c.exit, c.reason)
			}
			var found []string
			for _, f := range r.Findings {
				found = append(found, fmt.Sprintf("%s %s %s:%d", f.Severity, f.Title, f.File, f.Line))
			}
			if strings.Join(found, "\n") != strings.Join(c.found, "\n") {
				t.Errorf("findings %q, want %q", found, c.found)
			}
		})
	}
}

func (s stage) git(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = s.dir, s.env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", args, err, out)
	}
}

// commit makes a repository with these files.
func (s stage) commit(t *testing.T, files map[string]string) {
	t.Helper()
	s.git(t, "init", "-q", "-b", "main")
	s.write(t, files)
	s.git(t, "add", "-A")
	s.git(t, "commit", "-q", "-m", "first")
}

// reset makes the work tree the last commit with these changes.
func (s stage) reset(t *testing.T, changes map[string]string) {
	t.Helper()
	s.git(t, "reset", "-q", "--hard")
	s.write(t, changes)
	s.git(t, "add", "-A")
}

func (s stage) write(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
