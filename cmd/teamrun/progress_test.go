package main

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/host"
	"github.com/teamrun/teamrun/spec"
)

func stepOf(seq uint64, e runner.Event, replayed bool) host.Step {
	return host.Step{Record: runner.Record{Seq: seq, Event: e}, View: runner.View{Seq: seq}, Replayed: replayed}
}

// A minute without a line brings a line of life, half a minute where output is
// for a screen reader.
func TestHeartbeat(t *testing.T) {
	for _, c := range []struct {
		env   map[string]string
		mode  string
		after time.Duration
		want  int
	}{
		{nil, "auto", 59 * time.Second, 0},
		{nil, "auto", 61 * time.Second, 1},
		{nil, "plain", 185 * time.Second, 3},
		{map[string]string{"ACCESSIBLE": "1"}, "auto", 31 * time.Second, 1},
		{nil, "quiet", 185 * time.Second, 0},
		{nil, "json", 185 * time.Second, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			a, _, errs := testApp(c.env)
			a.progress = c.mode
			p := a.newProgress(&spec.Team{}, host.Folder{})
			ctx, cancel := context.WithCancel(t.Context())
			p.step(stepOf(1, runner.Leased{Lease: 1}, false))
			go p.beat(ctx)
			time.Sleep(c.after)
			synctest.Wait()
			cancel()
			p.close()
			if got := strings.Count(errs.String(), "alive"); got != c.want {
				t.Errorf("%s %v after %s: %d lines of life, want %d\n%s", c.mode, c.env, c.after, got, c.want, errs)
			}
		})
	}
}

// Of a resumed run only what is new is shown.
func TestReplayIsNotShownAgain(t *testing.T) {
	a, _, errs := testApp(nil)
	p := a.newProgress(&spec.Team{}, host.Folder{})
	p.step(stepOf(1, runner.MailSent{From: "lead", To: []string{"tests"}, Body: "old"}, true))
	p.step(stepOf(2, runner.MailSent{From: "lead", To: []string{"tests"}, Body: "new"}, false))
	p.close()
	if text := errs.String(); strings.Contains(text, "old") || !strings.Contains(text, "new") {
		t.Errorf("shown %q", text)
	}
}

// A reader that stands still does not hold the run up; what is left out is said.
func TestSinkNeverBlocks(t *testing.T) {
	hold := make(chan struct{})
	var got strings.Builder
	s := newSink(func(line string) { <-hold; got.WriteString(line) }, lostLine)
	for range sinkLines + 100 {
		s.write("line\n")
	}
	lost := s.missing
	if lost < 99 {
		t.Fatalf("%d lines left out", lost)
	}
	close(hold)
	for s.missing > 0 { // until the writer has made room
		s.write("last\n")
	}
	s.close()
	if !strings.Contains(got.String(), "lines left out, teamrun logs has them\nlast\n") {
		t.Error("nothing says that lines were left out")
	}
}

// What is held back because the run is being interrupted does not begin.
func TestHeldWorkIsNotShown(t *testing.T) {
	for _, held := range []bool{false, true} {
		a, _, errs := testApp(nil)
		p := a.newProgress(&spec.Team{}, host.Folder{})
		s := stepOf(2, runner.ExecEnded{Effect: "1.1", Class: "cancelled"}, false)
		s.Effects = []runner.Effect{{ID: "2.1", Op: runner.RunExec{Task: "vet"}}, {ID: "2.2", Op: runner.TakeTurn{Member: "lead"}}}
		s.Held = held
		p.step(s)
		p.close()
		if shown := strings.Count(errs.String(), "\n"); shown != map[bool]int{false: 2, true: 0}[held] {
			t.Errorf("held %v: shown %q", held, errs)
		}
	}
}
