package command

import (
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/teamrun/teamrun/runner"
)

// endLeftovers ends what is left of the process of the effect, which another
// runner process started, and names what could not be ended. Only what is
// proven to be it is signalled: the process by boot, pid and start time, the
// rest as its group and descendants or by its label.
func (k marks) endLeftovers(f *folder, grace time.Duration, hurry <-chan struct{}) []string {
	now, err := boot()
	if err != nil {
		return nil
	}
	var leader identity
	if k.Process != nil {
		if k.Process.Boot != now {
			return nil // everything of that boot is gone
		}
		if k.Process.leads() {
			leader = *k.Process
		}
	}
	// Without the mark, the runner died right after the start: the label alone
	// tells.
	return newFamily(leader, label(f), time.Time{}).end(grace, hurry)
}

// missing is the answer when the folder of an effect cannot be opened.
func missing(err error) runner.Answer {
	if errors.Is(err, fs.ErrNotExist) {
		return runner.Answer{State: runner.AnswerNotStarted, Seen: runner.SeenNo}
	}
	return runner.Answer{State: runner.AnswerUnknown, Seen: runner.SeenUnknown}
}

// relative is the path of a file of f as records hold it.
func relative(runFolder string, f *folder, name string) string {
	path := filepath.Join(f.path, name)
	if rel, err := filepath.Rel(runFolder, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}
