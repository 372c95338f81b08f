package host

import (
	"errors"

	"github.com/teamrun/teamrun/runner"
)

// submission is something that wants to become a record. The loop takes it.
type submission struct {
	// event is asked by the loop, on the state of that moment, for the event to
	// record. An error is a refusal: nothing is recorded, unless it is a
	// *runner.Refusal that says so. A nil event records nothing either: the
	// submission only read.
	event func(*runner.Machine) (runner.Event, error)
	// answer is called when the record, or what was read, is durable. Nil for
	// outcomes, to which nobody listens; those are never given up.
	answer func(seq uint64, err error)
	// ended is the effect whose outcome this is, "" for none.
	ended string
}

// outcome is the submission of an event that nobody can refuse.
func outcome(e runner.Event) submission {
	return submission{event: func(*runner.Machine) (runner.Event, error) { return e, nil }}
}

// recorded reports whether what event returned becomes a record.
func recorded(e runner.Event, err error) bool {
	var refusal *runner.Refusal
	return e != nil && (err == nil || errors.As(err, &refusal) && refusal.Recorded)
}
