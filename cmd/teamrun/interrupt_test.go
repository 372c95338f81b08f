package main

import (
	"context"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/teamrun/teamrun/runner/host"
	"github.com/teamrun/teamrun/spec"
)

// The first signal saves, the second ends the grace, the third the process: no
// person is left with a program that cannot be ended.
func TestThirdSignalExitsAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	quit, signals, done := make(chan int), make(chan os.Signal), make(chan struct{})
	i := &interrupts{ctx: ctx, hurry: make(chan struct{}), quit: func(code int) { quit <- code }}
	go i.watch(signals, done, cancel)
	defer close(done)
	signals <- syscall.SIGTERM
	<-ctx.Done()
	select {
	case <-i.hurry:
		t.Error("the first signal ends the grace")
	default:
	}
	signals <- syscall.SIGINT
	<-i.hurry
	signals <- syscall.SIGINT
	if code := <-quit; code != 143 {
		t.Errorf("exit %d, want that of the first signal", code)
	}
}

// A reader of standard error that stands still does not make a run that ended,
// or was interrupted, immortal.
func TestStandingReaderDoesNotHoldTheEnd(t *testing.T) {
	for _, mode := range []string{"plain", "json"} {
		synctest.Test(t, func(t *testing.T) {
			a, _, _ := testApp(nil)
			reader := make(chan struct{})
			defer close(reader)
			a.progress, a.err = mode, standing{reader}
			p := a.newProgress(&spec.Team{}, host.Folder{})
			p.say("saving\n")
			p.close() // deadlocks where it waits without bound
			p.say("too late\n")
		})
	}
}

// standing is a stream nobody reads until the channel is closed.
type standing struct{ until chan struct{} }

func (s standing) Write(p []byte) (int, error) {
	<-s.until
	return len(p), nil
}

func TestLostLinesAreSaidInTheFormOfTheStream(t *testing.T) {
	if got := lostJSON(3); got != "{\"left_out\":3}\n" {
		t.Errorf("JSON %q", got)
	}
	if got := lostLine(3); !strings.Contains(got, "3 lines left out") {
		t.Errorf("plain %q", got)
	}
}
