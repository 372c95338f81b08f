package host

import (
	"errors"
	"io/fs"
	"path"
)

// The folder below the run's that members find teamrun in, whatever the file of
// the program that drives the run is called.
const (
	binFolder = "bin"
	binName   = "teamrun"
)

// bin is that folder, absolute; "" where the program is not known.
func (e *engine) bin() string {
	if e.config.Exe == "" {
		return ""
	}
	return e.path(binFolder)
}

// linkProgram makes the name teamrun mean the program of this lease.
func (e *engine) linkProgram() error {
	if e.config.Exe == "" {
		return nil
	}
	link, draft := path.Join(binFolder, binName), path.Join(binFolder, "."+binName+".new")
	err := e.root.MkdirAll(binFolder, 0o700)
	if err == nil {
		err = e.root.Remove(draft) // of a runner that was killed
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = e.root.Symlink(e.config.Exe, draft)
	}
	if err == nil {
		err = e.root.Rename(draft, link)
	}
	if err != nil {
		return e.config.Folder.unreadable(err)
	}
	return nil
}
