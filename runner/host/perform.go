package host

import (
	"github.com/teamrun/teamrun/runner"
)

// begin performs an effect that is pending in the journal. adopted says that an
// earlier runner began it and its adapter has taken it over.
func (e *engine) begin(effect runner.Effect, adopted bool) {
	if e.draining {
		return // it stays pending; whoever resumes the run performs it
	}
	id := effect.ID
	if e.core.m.CancelSent(id) && !adopted {
		e.settleCancelled(effect)
		return
	}
	switch op := effect.Op.(type) {
	case runner.StartSession:
		e.startSession(id, op)
	case runner.StopSession:
		e.stopSession(id, op)
	case runner.TakeTurn:
		e.takeTurn(id, op)
	case runner.RunExec:
		e.runExec(id, op)
	case runner.AskBackoff:
		e.enqueue(id, backoffDue(id, op, e.core.clock.now()))
	case runner.SetTimer:
		e.timers.set(id, op.At, e.core.clock)
	case runner.Finish:
		e.finish(id)
	case runner.Cancel:
		e.timers.cancel(op.Target)
		e.stage.cancel(op.Target)
	}
	if adopted && e.core.m.CancelSent(id) {
		e.stage.cancel(id)
	}
}

// withdrawn says that work is not begun any more, be it for the first time or
// again.
const withdrawn = "not begun any more"

// settleCancelled is the outcome of an effect that was withdrawn and that no
// adapter is at: it is not performed. Whether an earlier runner was at the same
// work, which then ended in order, is in the records before.
func (e *engine) settleCancelled(effect runner.Effect) {
	switch effect.Op.(type) {
	case runner.StartSession:
		e.enqueue(effect.ID, runner.SessionStarted{Effect: effect.ID, Class: classCancelled, Text: withdrawn})
	case runner.TakeTurn:
		e.enqueue(effect.ID, runner.TurnEnded{Effect: effect.ID, Stop: runner.StopCancelled, Seen: runner.SeenNo})
	case runner.RunExec:
		e.enqueue(effect.ID, runner.ExecEnded{Effect: effect.ID, Exit: -1, Class: classCancelled, Text: withdrawn})
	}
}

// enqueue records an event that the loop itself knows: the outcome of effect, or
// of none when that is "".
func (e *engine) enqueue(effect string, event runner.Event) {
	s := outcome(event)
	s.ended = effect
	e.queue = append(e.queue, s)
}
