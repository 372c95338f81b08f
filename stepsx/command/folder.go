package command

import (
	"os"
	"path/filepath"
)

// folder is the place of one effect: the prompt, what the process printed, and
// the marks by which a later runner process learns how far this one came.
type folder struct {
	root *os.Root
	path string // absolute
}

// The files of an effect.
const (
	promptFile = "prompt.md"
	stdoutFile = "stdout"
	stderrFile = "stderr"
	marksFile  = "marks.ndjson"
)

// openFolder opens the folder of an effect below base, which is absolute. It
// makes it when create is set.
func openFolder(base, rel string, create bool) (*folder, error) {
	if create {
		if err := os.MkdirAll(base, 0o700); err != nil {
			return nil, err
		}
	}
	top, err := os.OpenRoot(base)
	if err != nil {
		return nil, err
	}
	defer top.Close()
	if create {
		if err := top.MkdirAll(rel, 0o700); err != nil {
			return nil, err
		}
	}
	root, err := top.OpenRoot(rel)
	if err != nil {
		return nil, err
	}
	return &folder{root: root, path: filepath.Join(base, rel)}, nil
}

func (f *folder) close() { f.root.Close() }
