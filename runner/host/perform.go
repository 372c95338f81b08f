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
		e.enqueue(backoffDue(id, op, e.core.clock.now()))
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

// settleCancelled is the outcome of an effect that was withdrawn before anybody
// began it: it is never performed.
func (e *engine) settleCancelled(effect runner.Effect) {
	switch effect.Op.(type) {
	case runner.StartSession:
		e.enqueue(runner.SessionStarted{Effect: effect.ID, Class: classCancelled, Text: "withdrawn before it began"})
	case runner.TakeTurn:
		e.enqueue(runner.TurnEnded{Effect: effect.ID, Stop: runner.StopCancelled, Seen: runner.SeenNo})
	case runner.RunExec:
		e.enqueue(runner.ExecEnded{Effect: effect.ID, Exit: -1, Class: classCancelled, Text: "withdrawn before it began"})
	}
}

// enqueue records an outcome that the loop itself knows.
func (e *engine) enqueue(event runner.Event) { e.queue = append(e.queue, outcome(event)) }
