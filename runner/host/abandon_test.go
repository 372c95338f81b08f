package host

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/teamrun/teamrun/runner"
)

// TestAdapterThatIgnoresItsCancel is given up: the run ends, with an outcome that
// says so, and what the adapter returns in the end is dropped.
func TestAdapterThatIgnoresItsCancel(t *testing.T) {
	h := newHome(t)
	deaf := func() { time.Sleep(100 * time.Hour) } // of simulated time
	givenUp := func(text string) bool { return strings.Contains(text, "did not end within 27s") }
	for name, c := range map[string]struct {
		world func(*world)
		is    func(runner.Event) bool
	}{
		"turn": {
			func(w *world) {
				w.turn = func(context.Context, string, runner.Prompt, func(runner.TurnProgress)) runner.TurnEnded {
					deaf()
					return done()
				}
			},
			func(e runner.Event) bool {
				ended, ok := e.(runner.TurnEnded)
				return ok && ended.Cut && ended.Seen == runner.SeenUnknown && givenUp(ended.Text)
			},
		},
		"exec": {
			func(w *world) {
				w.exec = func(context.Context, runner.ExecOrder) runner.ExecEnded {
					deaf()
					return runner.ExecEnded{}
				}
			},
			func(e runner.Event) bool {
				ended, ok := e.(runner.ExecEnded)
				return ok && ended.Exit == -1 && ended.Class == "unknown" && givenUp(ended.Text)
			},
		},
		"session start": {
			func(w *world) {
				w.start = func(context.Context, string) runner.SessionStarted {
					deaf()
					return runner.SessionStarted{OK: true}
				}
			},
			func(e runner.Event) bool {
				ended, ok := e.(runner.SessionStarted)
				return ok && !ended.OK && ended.Class == "cancelled" && givenUp(ended.Text)
			},
		},
		"session stop": {
			func(w *world) { w.stop = func(string) { deaf() } },
			func(e runner.Event) bool {
				ended, ok := e.(runner.SessionStopped)
				return ok && len(ended.Escaped) == 1 && givenUp(ended.Escaped[0])
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newRun(t, h, strings.Replace(relay, "turns: 100", "turns: 100, wall: 2m", 1))
			w := newWorld()
			w.turn = waits
			c.world(w)
			simulate(t, func(t *testing.T) {
				began := time.Now()
				r, err := runQuietly(t.Context(), t, f, w)
				if took := time.Since(began); err != nil || r.Outcome != "limit" || took > 4*time.Minute {
					t.Errorf("%+v, %v after %v", r, err, took)
				}
				time.Sleep(200 * time.Hour) // the adapter comes back at last, to nobody
			})
			n := 0
			for _, e := range records(t, f) {
				if c.is(e.Record.Event) {
					n++
				}
			}
			if n == 0 {
				t.Errorf("nothing says that it was given up: %s", kinds(records(t, f)))
			}
		})
	}
}

// waits is a turn that ends when it is told to.
func waits(ctx context.Context, _ string, _ runner.Prompt, _ func(runner.TurnProgress)) runner.TurnEnded {
	<-ctx.Done()
	return cancelled()
}

// TestLateReturnIsDropped: a turn that was given up because of its own limit has
// one outcome, also when its adapter comes back while the run goes on.
func TestLateReturnIsDropped(t *testing.T) {
	f := newRun(t, newHome(t), strings.Replace(hello, "agent: fake", "agent: fake, turn_timeout: 1m", 1)+
		"recovery:\n  - {on: [turn_limit, unknown], do: [replace, fail]}\n")
	w := newWorld()
	w.turn = func(ctx context.Context, member string, p runner.Prompt, progress func(runner.TurnProgress)) runner.TurnEnded {
		if member == "ann" && p.Nth == 1 {
			time.Sleep(2 * time.Minute)
			return done()
		}
		if member == "bob" && p.Task != "" {
			time.Sleep(50 * time.Second)
		}
		return obliging(ctx, member, p, progress)
	}
	simulate(t, func(t *testing.T) {
		if r, err := runQuietly(t.Context(), t, f, w); err != nil || r.Outcome != "success" {
			t.Errorf("%+v, %v", r, err)
		}
	})
	first := w.promptsOf("ann")[0].Effect
	n := 0
	for _, e := range records(t, f) {
		if ended, ok := e.Record.Event.(runner.TurnEnded); ok && ended.Effect == first {
			n++
		}
	}
	if n != 1 || len(w.promptsOf("ann")) < 2 {
		t.Errorf("the turn that was given up has %d outcomes", n)
	}
}
