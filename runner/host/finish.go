package host

import (
	"context"
	"encoding/json"

	"github.com/teamrun/teamrun/runner"
)

func (e *engine) finish(id string) {
	failed := func(text string) runner.Event { return runner.FinishEnded{Effect: id, Error: text} }
	result := e.core.m.Result()
	e.stage.perform(id, act{
		closing: true,
		work: func(ctx context.Context) runner.Event {
			ended := e.config.World.Finisher.Finish(ctx, id, result, e.core.program.Team().Artifacts, e.core.meta.Out)
			ended.Effect = id
			return ended
		},
		crashed:   failed,
		abandoned: failed,
	})
}

// conclude writes what stays of an ended run. result.json comes last: where it
// is, everything is.
func (e *engine) conclude() (runner.Result, error) {
	result := e.core.m.Result()
	if err := fillState(e.root, archiveName, true, e.core.log.Archive); err != nil {
		return result, e.core.stateError(err)
	}
	if err := e.core.log.Seal(); err != nil {
		return result, e.core.stateError(err)
	}
	e.status.write(e.core.m.View(), stateEnded)
	text, err := json.MarshalIndent(result, "", "  ")
	if err == nil {
		err = writeState(e.root, resultName, append(text, '\n'), true)
	}
	if err != nil {
		return result, e.config.Folder.unreadable(err)
	}
	return result, nil
}

// concludeAgain concludes a run whose runner was killed when it had ended.
func (e *engine) concludeAgain() (runner.Result, error) {
	if e.core.log.Seal() != nil { // it was not sealed yet, and only a lease may do that
		self := thisProcess(e.core.clock.now(), "")
		if _, err := e.core.log.Lease(e.core.clock.now(), self.PID, self.Host); err != nil {
			return e.core.m.Result(), e.core.stateError(err)
		}
	}
	return e.conclude()
}
