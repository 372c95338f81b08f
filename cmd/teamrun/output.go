package main

import (
	"errors"
	"io"
	"syscall"
)

// output is standard output. It keeps the first error of writing, but for that
// of a reader that went away: whoever closes the stream has seen enough.
type output struct {
	to     io.Writer
	failed error
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.to.Write(p)
	if err != nil && o.failed == nil && !errors.Is(err, syscall.EPIPE) {
		o.failed = err
	}
	return n, err
}

// watchOutput makes the program notice what standard output does not take.
func (a *app) watchOutput() *output {
	o := &output{to: a.out}
	a.out = o
	isTerminal := a.terminal
	a.terminal = func(stream any) bool {
		if stream == any(o) {
			stream = o.to
		}
		return isTerminal(stream)
	}
	return o
}

// settle is the exit code of a call whose own code is code: data that was lost
// is no success, and any other code says more than that.
func (o *output) settle(a *app, code int) int {
	if o.failed == nil {
		return code
	}
	lost := a.fail(&failure{exit: exitRefused, code: "output-lost", msg: "standard output does not take what was printed: " + reason(o.failed)})
	if code == 0 {
		return lost
	}
	return code
}
