package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/host"
	"github.com/teamrun/teamrun/runner/journal"
	"github.com/teamrun/teamrun/runner/safe"
)

// The exit codes that are not a run's own.
const (
	exitRefused = 1
	exitUsage   = 2
	exitHeld    = 5
	exitState   = 6
	exitEnv     = 7
)

// failure is an error as people see it: what is wrong, its code, what helps.
type failure struct {
	exit  int
	code  string // kebab-case, explained by `teamrun help CODE`
	msg   string
	hints []string
	usage string // shown below, for wrong use
}

func (f *failure) Error() string { return f.msg }

// exitCode ends the program with a code and says nothing: all has been said.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// fail says what went wrong and returns the exit code.
func (a *app) fail(err error) int {
	var code exitCode
	if errors.As(err, &code) {
		return int(code)
	}
	f := classify(err)
	var b strings.Builder
	fmt.Fprintf(&b, "teamrun: %s [%s]\n", safe.Line(f.msg, 1000), f.code)
	for _, h := range f.hints {
		fmt.Fprintf(&b, "hint: %s\n", safe.Line(h, 1000))
	}
	b.WriteString(f.usage)
	a.say(b.String())
	return f.exit
}

// classify gives each kind of error its exit code. What no part below has a
// type for went wrong with files of the run.
func classify(err error) *failure {
	var (
		f           *failure
		held        *host.HeldError
		state       *journal.StateError
		env         *host.EnvError
		missing     *host.MissingError
		refusal     *runner.Refusal
		unreachable *host.UnreachableError
	)
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &held):
		return &failure{exit: exitHeld, code: "run-held", msg: err.Error(),
			hints: []string{fmt.Sprintf("teamrun logs -f %[1]s shows what it does; teamrun wait %[1]s waits for its end; teamrun down %[1]s ends it", held.Run)}}
	case errors.As(err, &state):
		return &failure{exit: exitState, code: "state-unusable", msg: err.Error()}
	case errors.As(err, &env):
		return &failure{exit: exitEnv, code: "environment", msg: err.Error()}
	case errors.As(err, &missing):
		return &failure{exit: exitEnv, code: "missing-program", msg: err.Error(), hints: []string{"nothing was started"}}
	case errors.As(err, &refusal):
		return &failure{exit: exitRefused, code: refusal.Code, msg: refusal.Msg}
	case errors.As(err, &unreachable):
		return &failure{exit: exitState, code: "unreachable", msg: err.Error()}
	}
	return &failure{exit: exitState, code: "state-unusable", msg: err.Error()}
}
