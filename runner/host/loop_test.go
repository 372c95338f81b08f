package host

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/journal"
)

// TestLoopHearsWhileItIsBusy: events that the loop makes itself, one after the
// other without an end, keep neither a timer nor the person from it.
func TestLoopHearsWhileItIsBusy(t *testing.T) {
	h := newHome(t)
	limited := func(t *testing.T, r runner.Result, err error) {
		if err != nil || r.Outcome != "limit" {
			t.Errorf("%+v, %v", r, err)
		}
	}
	interrupted := func(t *testing.T, _ runner.Result, err error) {
		if !errors.Is(err, ErrInterrupted) {
			t.Errorf("err = %v", err)
		}
	}
	for name, c := range map[string]struct {
		wall          string
		cancel, hurry bool
		want          func(*testing.T, runner.Result, error)
	}{
		"timer":     {"2s", false, false, limited},
		"interrupt": {"1h", true, false, interrupted},
		"hurry":     {"1h", false, true, interrupted},
	} {
		t.Run(name, func(t *testing.T) {
			f := newRun(t, h, hello+"limits: {wall: "+c.wall+"}\n")
			w := newWorld()
			w.turn = func(ctx context.Context, _ string, _ runner.Prompt, _ func(runner.TurnProgress)) runner.TurnEnded {
				<-ctx.Done()
				return cancelled()
			}
			slow := &watched{before: func(int, []journal.Entry) error {
				time.Sleep(10 * time.Millisecond) // of simulated time
				return nil
			}}
			simulate(t, func(t *testing.T) {
				k := config(t, f, w)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if c.cancel {
					time.AfterFunc(2*time.Second, cancel)
				}
				if c.hurry {
					hurry := make(chan struct{})
					k.Hurry = hurry
					time.AfterFunc(2*time.Second, func() { close(hurry) })
				}
				var e *engine
				began := time.Now()
				k.Watch = func(s Step) {
					if !s.Replayed && !e.draining && time.Since(began) < 10*time.Second {
						e.enqueue("", runner.TurnProgress{Effect: "none", What: runner.ProgressSign})
					}
				}
				r, err := run(ctx, k, watching(slow), func(_ string, it *engine) (func(), error) {
					e = it
					return func() {}, nil
				})
				c.want(t, r, err)
				if took := time.Since(began); took > 5*time.Second {
					t.Errorf("it was heard after %v", took)
				}
			})
		})
	}
}
