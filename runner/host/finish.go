package host

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/teamrun/teamrun/runner"
)

// finishWithin is how long writing the artifacts may take.
const finishWithin = 5 * time.Minute

func (e *engine) finish(id string) {
	failed := func(text string) runner.Event { return runner.FinishEnded{Effect: id, Error: text} }
	result := e.core.m.Result()
	e.stage.perform(id, act{
		closing: true,
		within:  finishWithin,
		work: func(ctx context.Context) runner.Event {
			ended := e.config.World.Finisher.Finish(ctx, id, result, e.core.program.Team().Artifacts, e.core.meta.Out)
			ended.Effect = id
			if err := e.closeOut(); err != nil && ended.OK {
				ended.OK, ended.Error = false, "the artifacts cannot be made private: "+reason(err)
			}
			return ended
		},
		crashed:   failed,
		abandoned: failed,
	})
}

// closeOut makes artifacts as private as the other state when they go below the
// run's folder. In a folder that the user named, the umask decides.
func (e *engine) closeOut() error {
	out, err := filepath.Rel(e.path(), e.core.meta.Out)
	if err != nil || !filepath.IsLocal(out) || out == "." {
		return nil
	}
	err = fs.WalkDir(e.root.FS(), filepath.ToSlash(out), func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return e.root.Chmod(name, 0o700)
		case d.Type().IsRegular():
			return e.root.Chmod(name, 0o600)
		}
		return nil
	})
	if errors.Is(err, os.ErrNotExist) {
		return nil // nothing was written
	}
	return err
}

// conclude writes what stays of an ended run. result.json comes last: where it
// is, everything is.
func (e *engine) conclude() (runner.Result, error) {
	result := e.core.m.Result()
	if err := fillState(e.root, archiveName, true, e.core.log.Archive); err != nil {
		return result, e.core.stateError(err)
	}
	// What somebody put there while the run went on must not stand beside a journal
	// that has ended.
	if err := e.root.Remove(resultName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return result, e.config.Folder.unreadable(err)
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
