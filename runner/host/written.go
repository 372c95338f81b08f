package host

import "github.com/teamrun/teamrun/runner"

// written is an event as the journal gives it back, which may not be what it was
// given: text that is no UTF-8 is mended. The machine only ever sees that form,
// so that it decides the same live and replayed. An outcome that cannot be
// written becomes one that says so.
func written(event runner.Event) (runner.Event, error) {
	same, err := reread(event)
	if err == nil {
		return same, nil
	}
	text := "the outcome cannot be recorded: " + err.Error()
	switch e := event.(type) {
	case runner.TurnEnded:
		return reread(runner.TurnEnded{Effect: e.Effect, Stop: runner.StopError, Class: classProtocol, Text: text, Seen: e.Seen, Cut: e.Cut})
	case runner.ExecEnded:
		return reread(runner.ExecEnded{Effect: e.Effect, Exit: -1, Class: classProtocol, Text: text})
	}
	return nil, err
}

func reread(event runner.Event) (runner.Event, error) {
	body, err := runner.EncodeEvent(event)
	if err != nil {
		return nil, err
	}
	return runner.DecodeEvent(event.EventKind(), body)
}
