package command

import (
	"encoding/json"
	"errors"
	"io/fs"
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
	promptFile  = "prompt.md"
	stdoutFile  = "stdout"
	stderrFile  = "stderr"
	intentFile  = "intent"
	processFile = "process.json"
	outcomeFile = "outcome.json"
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

// intend marks that the process is about to start, and with which program. The
// mark is on the disk when intend returns: after a loss of power too nothing
// that was perhaps begun looks as if it never was. It fails when the mark is
// there already.
func (f *folder) intend(program string) error {
	file, err := f.root.OpenFile(intentFile, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := file.WriteString(program + "\n"); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	dir, err := f.root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

func (f *folder) intended() bool {
	_, err := f.root.Lstat(intentFile)
	return !errors.Is(err, fs.ErrNotExist)
}

// save writes a mark whole or not at all. It need not outlive a loss of power:
// no process does.
func (f *folder) save(name string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if err := f.root.WriteFile(name+".tmp", b, 0o600); err != nil {
		return err
	}
	return f.root.Rename(name+".tmp", name)
}

// load reads a mark; false when there is none that can be read.
func (f *folder) load(name string, v any) bool {
	b, err := f.root.ReadFile(name)
	return err == nil && json.Unmarshal(b, v) == nil
}
