package host

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/teamrun/teamrun/runner"
)

func TestBackoffDelay(t *testing.T) {
	for _, c := range []struct {
		attempt  int
		low, top time.Duration
	}{
		{1, 4500 * time.Millisecond, 5500 * time.Millisecond},
		{2, 9 * time.Second, 11 * time.Second},
		{4, 36 * time.Second, 44 * time.Second},
		{5, time.Minute, time.Minute},
		{500, time.Minute, time.Minute},
	} {
		spread := map[time.Duration]bool{}
		for range 200 {
			d := backoffDelay(runner.AskBackoff{Base: 5 * time.Second, Max: time.Minute, Attempt: c.attempt})
			if spread[d] = true; d < c.low || d > c.top {
				t.Fatalf("attempt %d: %v is not in %v .. %v", c.attempt, d, c.low, c.top)
			}
		}
		if c.low < c.top && len(spread) < 2 {
			t.Errorf("attempt %d: no jitter", c.attempt)
		}
	}
	if d := backoffDelay(runner.AskBackoff{Attempt: 3}); d != 0 {
		t.Errorf("without a base: %v", d)
	}
}

func TestTimersFireInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClock(0)
		ts, now := newTimers(), c.now()
		ts.set("late", now+9000, c)
		ts.set("b", now+1000, c)
		ts.set("a", now+1000, c)
		ts.set("gone", now+1000, c)
		ts.set("past", now-5000, c)
		ts.set("b", now+5000, c) // is armed already
		ts.cancel("gone")
		var fired []string
		for len(fired) < 4 {
			<-ts.wake.C
			fired = append(fired, ts.due(c)...)
		}
		if want := []string{"past", "b", "a", "late"}; !slices.Equal(fired, want) {
			t.Errorf("fired %v, want %v", fired, want)
		}
		if took := c.now() - now; took != 9000 {
			t.Errorf("took %d ms", took)
		}
	})
}

// TestClockIsNeverBeforeTheRun: a clock that was set back moves no record.
func TestClockIsNeverBeforeTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ahead := time.Now().Add(time.Hour).UnixMilli()
		c := newClock(ahead)
		time.Sleep(time.Second)
		if got := c.now() - ahead; got != 1000 {
			t.Errorf("a second later it is %d ms later", got)
		}
	})
}
