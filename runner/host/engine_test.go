package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/journal"
)

// TestOneAppendForWhatIsThere: calls that wait while an append is under way
// become one batch.
func TestOneAppendForWhatIsThere(t *testing.T) {
	f := newRun(t, newHome(t), hello)
	w := newWorld()
	const senders = 40
	w.turn = func(ctx context.Context, member string, p runner.Prompt, progress func(runner.TurnProgress)) runner.TurnEnded {
		var all sync.WaitGroup
		if member == "ann" {
			for range senders {
				all.Go(func() {
					if _, err := p.Room.Send(ctx, []string{"bob"}, "hi"); err != nil {
						t.Error(err)
					}
				})
			}
		}
		all.Wait()
		return obliging(ctx, "", p, progress)
	}
	batches := 0 // that hold mail
	log := &watched{before: func(_ int, entries []journal.Entry) error {
		if slices.ContainsFunc(entries, func(e journal.Entry) bool { return e.Record.Event.EventKind() == "mail_sent" }) {
			batches++
		}
		time.Sleep(time.Millisecond) // of simulated time: it goes on when all senders wait
		return nil
	}}
	simulate(t, func(t *testing.T) {
		if _, err := run(t.Context(), config(t, f, w), watching(log), noSocket); err != nil {
			t.Fatal(err)
		}
	})
	if n := strings.Count(kinds(records(t, f)), "mail_sent"); n != senders || batches > 2 {
		t.Errorf("%d mails of %d senders in %d batches; whoever misses the first is in the second", n, senders, batches)
	}
}

// TestNothingLeavesBeforeItIsDurable: while a batch is being written, none of its
// effects was begun and none of its callers answered.
func TestNothingLeavesBeforeItIsDurable(t *testing.T) {
	f := newRun(t, newHome(t), hello)
	w, acked := newWorld(), &list{}
	w.turn = func(ctx context.Context, member string, p runner.Prompt, progress func(runner.TurnProgress)) runner.TurnEnded {
		if member == "ann" {
			if id, err := p.Room.Send(ctx, []string{"bob"}, "hi"); err == nil {
				acked.add(id)
			}
		}
		return obliging(ctx, "", p, progress)
	}
	sawMail, sawTurn := false, false
	check := func(_ int, entries []journal.Entry) error {
		time.Sleep(time.Second) // of simulated time: whoever can run does
		for _, e := range entries {
			if _, ok := e.Record.Event.(runner.MailSent); ok && len(acked.copy()) > 0 {
				t.Errorf("mail was answered before record %d was durable", e.Record.Seq)
			} else if ok {
				sawMail = true
			}
			for _, s := range e.Effects {
				w.mu.Lock()
				sawTurn = sawTurn || w.begun[s.ID] == 0
				if w.begun[s.ID] > 0 {
					t.Errorf("effect %s left before record %d was durable", s.ID, e.Record.Seq)
				}
				w.mu.Unlock()
			}
		}
		return nil
	}
	simulate(t, func(t *testing.T) {
		if _, err := run(t.Context(), config(t, f, w), watching(&watched{before: check}), noSocket); err != nil {
			t.Fatal(err)
		}
	})
	if !sawMail || !sawTurn {
		t.Error("the run had neither mail nor effects")
	}
}

// TestAppendThatFails: every append of a run fails once. Callers are told, the
// machine is folded anew, outcomes are recorded after all.
func TestAppendThatFails(t *testing.T) {
	h := newHome(t)
	for n := 3; n <= 9; n++ { // 1 and 2 are the lease and the answers
		t.Run(fmt.Sprint("append ", n), func(t *testing.T) {
			f := newRun(t, h, hello)
			w := newWorld()
			w.turn = stubborn
			log := &watched{before: func(i int, _ []journal.Entry) error {
				if i == n {
					return errDisk
				}
				return nil
			}}
			simulate(t, func(t *testing.T) {
				r, err := run(t.Context(), config(t, f, w), watching(log), noSocket)
				if err != nil || r.Outcome != "success" {
					t.Fatalf("%+v, %v: %s", r, err, kinds(records(t, f)))
				}
			})
			if log.n < n {
				t.Fatalf("the run had only %d appends", log.n)
			}
			for id, times := range w.begun {
				if times != 1 {
					t.Errorf("effect %s was begun %d times", id, times)
				}
			}
		})
	}
}

// stubborn agents make a call that failed again.
func stubborn(ctx context.Context, member string, p runner.Prompt, progress func(runner.TurnProgress)) runner.TurnEnded {
	for {
		ended := obliging(ctx, member, p, progress)
		if ended.Class != classCrashed || !strings.Contains(ended.Text, "try again") {
			return ended
		}
	}
}

func TestJournalThatStaysBroken(t *testing.T) {
	f := newRun(t, newHome(t), hello)
	w := newWorld()
	left := false
	w.turn = func(ctx context.Context, _ string, _ runner.Prompt, _ func(runner.TurnProgress)) runner.TurnEnded {
		<-ctx.Done()
		time.Sleep(time.Second)
		left = true
		return cancelled()
	}
	log := &watched{before: func(_ int, entries []journal.Entry) error {
		if _, ok := entries[0].Record.Event.(runner.TimerFired); ok { // ann stalls
			return errDisk
		}
		return nil
	}}
	simulate(t, func(t *testing.T) {
		_, err := run(t.Context(), config(t, f, w), watching(log), noSocket)
		var state *journal.StateError
		if !errors.As(err, &state) || !errors.Is(err, errDisk) || state.Remedy == "" {
			t.Fatalf("err = %v", err)
		}
		if !left {
			t.Error("the agent was left running")
		}
	})
	s, err := f.Status()
	if err != nil || s.State != "interrupted" {
		t.Errorf("Status = %+v, %v", s, err)
	}
}

func TestAdapterThatPanics(t *testing.T) {
	f := newRun(t, newHome(t), hello)
	w := newWorld()
	w.turn = func(ctx context.Context, member string, p runner.Prompt, progress func(runner.TurnProgress)) runner.TurnEnded {
		if p.Nth == 1 && member == "ann" {
			panic("nil map")
		}
		return obliging(ctx, member, p, progress)
	}
	simulate(t, func(t *testing.T) {
		r, err := runQuietly(t.Context(), t, f, w)
		if err != nil || r.Outcome != "success" || r.Failures != 1 {
			t.Fatalf("%+v, %v", r, err)
		}
	})
	for _, e := range records(t, f) {
		if ended, ok := e.Record.Event.(runner.TurnEnded); ok && ended.Class == "crashed" {
			if !strings.Contains(ended.Text, "nil map") {
				t.Errorf("text %q", ended.Text)
			}
			return
		}
	}
	t.Error("no turn crashed")
}

// TestSignsAreRecordedSparsely: at most four signs in the time after which a turn
// counts as stalled are recorded.
func TestSignsAreRecordedSparsely(t *testing.T) {
	f := newRun(t, newHome(t), strings.Replace(hello, "agent: fake", "agent: fake, stall_after: 4m", 1))
	w := newWorld()
	w.turn = func(ctx context.Context, member string, p runner.Prompt, progress func(runner.TurnProgress)) runner.TurnEnded {
		if member == "ann" {
			for range 600 { // ten minutes of signs, one a second
				time.Sleep(time.Second)
				progress(runner.TurnProgress{What: runner.ProgressSign})
			}
		}
		return obliging(ctx, "", p, progress)
	}
	simulate(t, func(t *testing.T) {
		if r, err := runQuietly(t.Context(), t, f, w); err != nil || r.Outcome != "success" {
			t.Fatalf("%+v, %v", r, err)
		}
	})
	if n := strings.Count(kinds(records(t, f)), "turn_progress"); n < 9 || n > 10 {
		t.Errorf("%d signs were recorded; 4m/4 in 10m makes 9 or 10", n)
	}
}
