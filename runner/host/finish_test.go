package host

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/teamrun/teamrun/runner"
)

// TestFinishThatNeverReturns is told to end and then given up: the run ends, and
// says that its artifacts are missing.
func TestFinishThatNeverReturns(t *testing.T) {
	f := newRun(t, newHome(t), hello)
	w := newWorld()
	w.turn = obliging
	told := time.Duration(0)
	simulate(t, func(t *testing.T) {
		w.finish = func(ctx context.Context, _ string) {
			began := time.Now()
			<-ctx.Done()
			told = time.Since(began)
			time.Sleep(100 * time.Hour) // of simulated time
		}
		began := time.Now()
		r, err := runQuietly(t.Context(), t, f, w)
		if took := time.Since(began); err != nil || r.FinishErr == "" || took > finishWithin+2*endPatience {
			t.Errorf("%+v, %v after %v", r, err, took)
		}
		time.Sleep(200 * time.Hour) // it comes back at last, to nobody
	})
	if told != finishWithin {
		t.Errorf("told to end after %v", told)
	}
	n := 0
	for _, e := range records(t, f) {
		if ended, ok := e.Record.Event.(runner.FinishEnded); ok {
			n++
			if ended.OK || !strings.Contains(ended.Error, "did not end within 5m27s") {
				t.Errorf("%+v", ended)
			}
		}
	}
	if n != 1 {
		t.Errorf("%d outcomes", n)
	}
}
