package host

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/teamrun/teamrun/runner"
)

// waiting agents work until they are told to end, in their first turn.
func waiting(ctx context.Context, member string, p runner.Prompt, progress func(runner.TurnProgress)) runner.TurnEnded {
	if p.Nth == 1 && member == "ann" {
		<-ctx.Done()
		time.Sleep(3 * time.Second) // the grace it needs
		return cancelled()
	}
	return obliging(ctx, member, p, progress)
}

// TestC01_InterruptSavesAndResumes: what runs is ended and recorded, nothing new
// is begun, and the resumed run goes on with a new session.
func TestC01_InterruptSavesAndResumes(t *testing.T) {
	f := newRun(t, newHome(t), hello)
	w := newWorld()
	w.turn = waiting
	simulate(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := runQuietly(ctx, t, f, w)
		if !errors.Is(err, ErrInterrupted) {
			t.Fatalf("err = %v", err)
		}
	})
	if !slices.Contains(w.stopped, "ann") {
		t.Error("ann's session was not stopped")
	}
	if n := len(w.prompts); n != 1 {
		t.Errorf("%d prompts were handed over", n)
	}
	if got := kinds(records(t, f)); !strings.HasSuffix(got, "session_lost turn_ended") {
		t.Errorf("the end of session and turn is not recorded: %s", got)
	}
	s, err := f.Status()
	if err != nil || s.State != "interrupted" || s.View.State != "running" || s.Holder.PID != 0 {
		t.Errorf("Status = %+v, %v", s, err)
	}
	w = w.copy()
	simulate(t, func(t *testing.T) {
		r, err := runQuietly(t.Context(), t, f, w)
		if err != nil || r.Outcome != "success" || r.Failures != 0 {
			t.Fatalf("resumed: %+v, %v", r, err)
		}
	})
	if e := w.promptsOf("ann")[1].Epoch; e != 2 {
		t.Errorf("ann went on in epoch %d", e)
	}
}

// TestHurryEndsTheGrace: a second Ctrl-C does not wait for adapters for long.
func TestHurryEndsTheGrace(t *testing.T) {
	f := newRun(t, newHome(t), hello)
	w := newWorld()
	w.turn = func(ctx context.Context, member string, p runner.Prompt, _ func(runner.TurnProgress)) runner.TurnEnded {
		<-ctx.Done()
		time.Sleep(time.Hour)
		return cancelled()
	}
	simulate(t, func(t *testing.T) {
		c := config(t, f, w)
		h := make(chan struct{})
		c.Hurry = h
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		time.AfterFunc(time.Minute+time.Second, func() { close(h) })
		began := time.Now()
		_, err := run(ctx, c, openJournal, noSocket)
		if took := time.Since(began); !errors.Is(err, ErrInterrupted) || took > time.Minute+10*time.Second {
			t.Fatalf("err = %v after %v", err, took)
		}
		time.Sleep(2 * time.Hour) // the agent comes back at last, to nobody
	})
	w = w.copy()
	w.asked = func(runner.Effect) runner.Answer {
		return runner.Answer{State: runner.AnswerGone, Seen: runner.SeenNo}
	}
	w.turn = obliging
	simulate(t, func(t *testing.T) {
		if r, err := runQuietly(t.Context(), t, f, w); err != nil || r.Outcome != "success" {
			t.Fatalf("resumed: %+v, %v", r, err)
		}
	})
}

// TestDownOnResume: an interrupted run is taken over only to be ended; what was
// never begun is not begun any more.
func TestDownOnResume(t *testing.T) {
	f := newRun(t, newHome(t), hello)
	w := newWorld()
	w.turn = waiting
	simulate(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := runQuietly(ctx, t, f, w); !errors.Is(err, ErrInterrupted) {
			t.Fatal(err)
		}
	})
	simulate(t, func(t *testing.T) {
		c := config(t, f, w)
		c.Down = true
		r, err := run(t.Context(), c, openJournal, noSocket)
		if err != nil || r.Outcome != "cancelled" || r.Exit != 1 {
			t.Fatalf("%+v, %v", r, err)
		}
	})
	if n := len(w.prompts); n != 1 {
		t.Errorf("%d prompts were handed over", n)
	}
	if s, err := f.Status(); err != nil || s.State != "ended" {
		t.Errorf("Status = %+v, %v", s, err)
	}
}

// TestWallCountsUnderALeaseOnly: a run that was down for a day has not used its
// hour.
func TestWallCountsUnderALeaseOnly(t *testing.T) {
	f := newRun(t, newHome(t), strings.Replace(hello, "agent: fake", "agent: fake, stall_after: 3h", 1))
	w := newWorld()
	w.turn = waiting
	simulate(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
		defer cancel()
		if _, err := runQuietly(ctx, t, f, w); !errors.Is(err, ErrInterrupted) {
			t.Fatal(err)
		}
		time.Sleep(24 * time.Hour)
		w.turn = func(ctx context.Context, member string, p runner.Prompt, progress func(runner.TurnProgress)) runner.TurnEnded {
			if member == "bob" {
				for ctx.Err() == nil {
					time.Sleep(time.Minute)
					progress(runner.TurnProgress{What: runner.ProgressSign})
				}
				return cancelled()
			}
			return obliging(ctx, member, p, progress)
		}
		began := time.Now()
		r, err := runQuietly(t.Context(), t, f, w)
		if err != nil || r.Outcome != "limit" || r.Exit != 3 {
			t.Fatalf("%+v, %v", r, err)
		}
		if took := time.Since(began).Round(time.Minute); took < 39*time.Minute || took > 42*time.Minute {
			t.Errorf("the second lease had %v of the hour", took)
		}
	})
}

// TestInterruptedExecRunsAgain: a process that was ended in order has no unknown
// end.
func TestInterruptedExecRunsAgain(t *testing.T) {
	f := newRun(t, newHome(t), relay)
	w := newWorld()
	w.turn = obliging
	w.exec = func(ctx context.Context, _ runner.ExecOrder) runner.ExecEnded {
		<-ctx.Done()
		return runner.ExecEnded{Exit: -1, Class: "exit", Text: "killed"}
	}
	simulate(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := runQuietly(ctx, t, f, w); !errors.Is(err, ErrInterrupted) {
			t.Fatal(err)
		}
	})
	w = w.copy()
	w.exec = nil
	simulate(t, func(t *testing.T) {
		r, err := runQuietly(t.Context(), t, f, w)
		if err != nil || r.Outcome != "success" || r.Tasks[0].State != "done" {
			t.Fatalf("%+v, %v", r, err)
		}
	})
}

// TestWorkHeldBackIsMarked: what is wanted while a run saves is recorded and not
// begun, and whoever watches is told; ended instead of resumed, it is said not to
// begin any more, not that it never began.
func TestWorkHeldBackIsMarked(t *testing.T) {
	f := newRun(t, newHome(t), relay)
	w := newWorld()
	w.turn = obliging
	w.exec = func(ctx context.Context, _ runner.ExecOrder) runner.ExecEnded {
		<-ctx.Done()
		return runner.ExecEnded{Exit: -1}
	}
	held := map[bool]int{}
	simulate(t, func(t *testing.T) {
		c := config(t, f, w)
		c.Watch = func(s Step) {
			for _, e := range s.Effects {
				if _, ok := e.Op.(runner.RunExec); ok {
					held[s.Held]++
				}
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := run(ctx, c, openJournal, noSocket); !errors.Is(err, ErrInterrupted) {
			t.Fatal(err)
		}
	})
	if held[false] != 1 || held[true] != 1 {
		t.Errorf("held back %d, begun %d; want one of each", held[true], held[false])
	}
	simulate(t, func(t *testing.T) {
		c := config(t, f, w)
		c.Down = true
		if _, err := run(t.Context(), c, openJournal, noSocket); err != nil {
			t.Fatal(err)
		}
	})
	var texts []string
	for _, e := range records(t, f) {
		if ended, ok := e.Record.Event.(runner.ExecEnded); ok {
			texts = append(texts, ended.Text)
		}
	}
	if len(texts) != 2 || texts[1] != "not begun any more" {
		t.Errorf("the ends of the process say %q", texts)
	}
}

// TestInterruptedStartIsNoFailure, whatever the agent says it failed of.
func TestInterruptedStartIsNoFailure(t *testing.T) {
	f := newRun(t, newHome(t), hello)
	w := newWorld()
	w.turn = obliging
	w.start = func(ctx context.Context, _ string) runner.SessionStarted {
		<-ctx.Done()
		return runner.SessionStarted{Class: "crashed", Text: "signal: terminated"}
	}
	simulate(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := runQuietly(ctx, t, f, w); !errors.Is(err, ErrInterrupted) {
			t.Fatal(err)
		}
	})
	w = w.copy()
	w.start = nil
	simulate(t, func(t *testing.T) {
		r, err := runQuietly(t.Context(), t, f, w)
		if err != nil || r.Outcome != "success" || r.Failures != 0 {
			t.Fatalf("%+v, %v", r, err)
		}
	})
}
