package host

import "time"

// clock gives records their time: wall time when the lease began, from there on
// as much further as really went by. A clock of the machine that is set while
// the run goes on moves no limit and no timer.
type clock struct {
	base int64 // Unix time in milliseconds
	from time.Time
}

// newClock starts a clock that is not before former, the newest time the run
// has seen.
func newClock(former int64) clock {
	now := time.Now()
	return clock{base: max(now.UnixMilli(), former), from: now}
}

// now is Unix time in milliseconds.
func (c clock) now() int64 { return c.base + time.Since(c.from).Milliseconds() }

// until is how long it is to a time, at least 0.
func (c clock) until(at int64) time.Duration {
	return max(0, time.Duration(at-c.now())*time.Millisecond)
}
