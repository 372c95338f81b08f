package host

import (
	"cmp"
	"slices"
	"time"
)

// timers are the pending timer effects. They belong to the loop: a timer that
// was cancelled cannot fire any more, and due ones fire in their order.
type timers struct {
	waiting []alarm // by time, then in the order they were set
	wake    *time.Timer
}

type alarm struct {
	at     int64 // Unix time in milliseconds
	effect string
}

// newTimers sets nothing yet.
func newTimers() *timers {
	t := &timers{wake: time.NewTimer(time.Hour)}
	t.wake.Stop()
	return t
}

// set arms a timer. One that is already armed stays as it is.
func (t *timers) set(effect string, at int64, c clock) {
	if slices.ContainsFunc(t.waiting, func(a alarm) bool { return a.effect == effect }) {
		return
	}
	// Behind all of the same time: they were set before.
	i, _ := slices.BinarySearchFunc(t.waiting, at+1, func(a alarm, at int64) int { return cmp.Compare(a.at, at) })
	t.waiting = slices.Insert(t.waiting, i, alarm{at, effect})
	if i == 0 {
		t.arm(c)
	}
}

// cancel takes a timer away.
func (t *timers) cancel(effect string) {
	t.waiting = slices.DeleteFunc(t.waiting, func(a alarm) bool { return a.effect == effect })
}

// due takes away the timers whose time has come.
func (t *timers) due(c clock) []string {
	var effects []string
	for now := c.now(); len(t.waiting) > 0 && t.waiting[0].at <= now; t.waiting = t.waiting[1:] {
		effects = append(effects, t.waiting[0].effect)
	}
	t.arm(c)
	return effects
}

// arm sets the one timer of the process to the first of ours. Waking for one
// that was cancelled meanwhile finds nothing due and arms the next.
func (t *timers) arm(c clock) {
	if len(t.waiting) > 0 {
		t.wake.Reset(c.until(t.waiting[0].at))
	}
}

// clear takes all timers away.
func (t *timers) clear() {
	t.waiting = nil
	t.wake.Stop()
}
