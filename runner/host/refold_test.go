package host

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/journal"
)

// belated is a journal of which one append fails although its records are
// durable.
type belated struct {
	durable
	which func(journal.Entry) bool
	hit   bool
}

func (b *belated) Append(entries []journal.Entry) error {
	err := b.durable.Append(entries)
	for _, e := range entries {
		if err == nil && !b.hit && b.which(e) {
			b.hit = true
			return errDisk
		}
	}
	return err
}

// TestCancelOfAnAppendThatFailed is sent after all when the journal holds it.
func TestCancelOfAnAppendThatFailed(t *testing.T) {
	f := newRun(t, newHome(t), hello)
	w := newWorld()
	w.turn = func(ctx context.Context, _ string, _ runner.Prompt, _ func(runner.TurnProgress)) runner.TurnEnded {
		<-ctx.Done()
		return cancelled()
	}
	log := &belated{which: func(e journal.Entry) bool {
		_, ok := e.Record.Event.(runner.TimerFired)
		return ok
	}}
	simulate(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Hour)
		defer cancel()
		r, err := run(ctx, config(t, f, w), func(path string) (durable, error) {
			j, err := openJournal(path)
			log.durable = j
			return log, err
		}, noSocket)
		if err != nil || r.Outcome != "failure" { // ann stalls
			t.Errorf("%+v, %v", r, err)
		}
	})
	if !log.hit {
		t.Error("no append failed")
	}
}

// unfit is a kind whose agents cannot be opened.
type unfit struct {
	fakeKind
	opened *int
}

func (k unfit) Open(runner.Post) (runner.Agent, error) {
	*k.opened++
	return nil, errors.New("no such folder")
}

// TestKeptOutcomeIsNotMadeAgain: an effect whose outcome waits to be recorded
// again is not begun again.
func TestKeptOutcomeIsNotMadeAgain(t *testing.T) {
	f := newRun(t, newHome(t), hello)
	w := newWorld()
	opened, fails := 0, 0
	log := &watched{before: func(_ int, entries []journal.Entry) error {
		if _, ok := entries[0].Record.Event.(runner.SessionStarted); ok {
			if fails++; fails == 1 {
				return errDisk
			}
		}
		return nil
	}}
	simulate(t, func(t *testing.T) {
		c := config(t, f, w)
		c.World.Kinds[0] = unfit{fakeKind{w, true}, &opened}
		if r, err := run(t.Context(), c, watching(log), noSocket); err != nil || r.Outcome != "failure" {
			t.Fatalf("%+v, %v", r, err)
		}
	})
	started := map[string]bool{}
	for _, e := range records(t, f) {
		if s, ok := e.Record.Event.(runner.SessionStarted); ok {
			started[s.Effect] = true
		}
	}
	if fails < 2 || opened != len(started) {
		t.Errorf("%d sessions were to be started, %d starts were tried", len(started), opened)
	}
}
