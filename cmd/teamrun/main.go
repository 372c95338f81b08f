// Command teamrun runs a team of coding agents that a checked-in file declares
// and ends with an outcome, a result and an exit code.
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/mattn/go-isatty"
)

func main() {
	keepInherited()
	os.Exit(run(os.Args[1:], &app{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		getenv: os.Getenv, now: time.Now,
		terminal: func(f any) bool {
			file, ok := f.(*os.File)
			return ok && isatty.IsTerminal(file.Fd())
		},
	}))
}

// run executes one call of the program and returns its exit code. Whatever
// goes wrong is one line for people: a panic too, with its stack only when
// TEAMRUN_DEBUG asks for it.
func run(args []string, a *app) (code int) {
	out := a.watchOutput()
	defer func() { code = out.settle(a, code) }()
	if a.getenv("TEAMRUN_DEBUG") == "" {
		defer func() {
			if v := recover(); v != nil {
				code = a.fail(&failure{exit: exitState, code: "internal-error", msg: fmt.Sprintf("internal error: %v", v),
					hints: []string{"a run that was under way is kept: teamrun resume", "TEAMRUN_DEBUG=1 shows where it happened"}})
			}
		}()
	}
	root := newRoot(a)
	root.SetArgs(args)
	if err := root.Execute(); err != nil {
		return a.fail(err)
	}
	return 0
}
