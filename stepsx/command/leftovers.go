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
	leader, gone := k.leader(now)
	if gone {
		return nil
	}
	return newFamily(leader, label(f), time.Time{}).end(grace, hurry)
}

// leader is the process of the effect; gone when that was of another boot than
// now. Without a usable mark, because the runner died right after the start, it
// is nobody: then the label alone tells who is left.
func (k marks) leader(now string) (leader identity, gone bool) {
	switch {
	case k.Process == nil:
		return identity{}, false
	case k.Process.Boot != now:
		return identity{}, true
	case !k.Process.leads():
		return identity{}, false
	}
	return *k.Process, false
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
