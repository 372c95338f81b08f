package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/teamrun/teamrun/schemas"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"teamrun": main})
}

// TestScript runs the scripts of testdata/script: the program as a user sees
// it, one subject a file.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("TEAMRUN_UPDATE") != "",
		Setup: func(env *testscript.Env) error {
			// The socket's path is short only below a short folder.
			runtime, err := os.MkdirTemp("", "tr")
			if err != nil {
				return err
			}
			env.Defer(func() { os.RemoveAll(runtime) })
			env.Setenv("XDG_RUNTIME_DIR", runtime)
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("TEAMRUN_HOME", filepath.Join(env.WorkDir, "home", "state"))
			env.Setenv("LANG", "C.UTF-8")
			// A program built with -race sleeps a second at its end.
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			env.Defer(func() { endRuns(env) })
			return os.MkdirAll(filepath.Join(env.WorkDir, "home"), 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exit":   exit,
			"schema": schema,
			"until":  until,
			"signal": signalRun,
			"wide":   wide,
		},
	})
}

// endRuns ends what a script, failed or not, leaves running.
func endRuns(env *testscript.Env) {
	teamrun := func(args ...string) string {
		cmd := exec.Command("teamrun", args...)
		cmd.Dir, cmd.Env = env.WorkDir, env.Vars
		out, _ := cmd.Output() // what it cannot end, the script has broken on purpose
		return string(out)
	}
	for _, id := range strings.Fields(teamrun("ps", "-q")) {
		teamrun("down", id)
	}
}

// exit N COMMAND… runs a command that must end with exit code N.
func exit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exit N command args…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := code(ts.Exec(args[1], args[2:]...)); got != want {
		ts.Fatalf("exit code %d, want %d\n[stdout]\n%s[stderr]\n%s", got, want, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

func code(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -1
}

// schema NAME [FILE] checks that a file, the last standard output by default,
// is one document of that schema.
func schema(ts *testscript.TestScript, neg bool, args []string) {
	file := "stdout"
	if len(args) == 2 {
		file = args[1]
	}
	text, err := schemas.Files.ReadFile(args[0] + ".schema.json")
	ts.Check(err)
	var s jsonschema.Schema
	ts.Check(json.Unmarshal(text, &s))
	resolved, err := s.Resolve(nil)
	ts.Check(err)
	docs := json.NewDecoder(bytes.NewReader([]byte(ts.ReadFile(file))))
	for n := 0; docs.More() || n == 0; n++ {
		var doc any
		ts.Check(docs.Decode(&doc))
		if err := resolved.Validate(doc); err != nil {
			ts.Fatalf("document %d of %s: %v", n+1, file, err)
		}
	}
}

// until PATTERN COMMAND… runs a command again and again until its standard
// output matches.
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until pattern command args…")
	}
	pattern := regexp.MustCompile(args[0])
	poll(ts, "standard output of "+args[1]+" never matched "+args[0], func() bool {
		_ = ts.Exec(args[1], args[2:]...)
		return pattern.MatchString(ts.ReadFile("stdout"))
	})
}

// signal NAME RUN sends a signal to the runner of a run and waits until it is
// gone.
func signalRun(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: signal KILL|INT|TERM|HUP run")
	}
	signals := map[string]syscall.Signal{"KILL": syscall.SIGKILL, "INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP}
	pid := runnerOf(ts, args[1])
	if pid == 0 {
		ts.Fatalf("run %s is not live", args[1])
	}
	ts.Check(syscall.Kill(pid, signals[args[0]]))
	poll(ts, "the runner does not end", func() bool { return runnerOf(ts, args[1]) == 0 })
}

// runnerOf is the process that drives a run, 0 for none.
func runnerOf(ts *testscript.TestScript, run string) int {
	ts.Check(ts.Exec("teamrun", "ps", "--json", run))
	var doc struct {
		Runs []struct{ PID *int }
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &doc))
	if len(doc.Runs) != 1 || doc.Runs[0].PID == nil {
		return 0
	}
	return *doc.Runs[0].PID
}

// poll waits for something that another process brings about.
func poll(ts *testscript.TestScript, failure string, done func() bool) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(30 * time.Second)
	for !done() {
		select {
		case <-tick.C:
		case <-limit:
			ts.Fatalf("%s\n[stdout]\n%s[stderr]\n%s", failure, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
		}
	}
}

// wide LINES COLUMNS checks that standard output has at most that many lines and
// none is longer.
func wide(ts *testscript.TestScript, neg bool, args []string) {
	lines, err := strconv.Atoi(args[0])
	ts.Check(err)
	columns, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := bytes.Split(bytes.TrimSuffix([]byte(ts.ReadFile("stdout")), []byte("\n")), []byte("\n"))
	if len(text) > lines {
		ts.Fatalf("%d lines, more than %d", len(text), lines)
	}
	for _, line := range text {
		if n := len(bytes.Runes(line)); n > columns {
			ts.Fatalf("%d columns, more than %d: %s", n, columns, line)
		}
	}
}
