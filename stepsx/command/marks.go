package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"sync"

	"github.com/teamrun/teamrun/runner"
)

// mark is a line of the marks of an effect. They say how far it came: it is
// about to start, it started, it ended.
type mark struct {
	Program string            `json:"program,omitempty"` // absolute path
	Process *identity         `json:"process,omitempty"`
	Turn    *runner.TurnEnded `json:"turn,omitempty"`
	Exec    *runner.ExecEnded `json:"exec,omitempty"`
}

// marks are what is known of an effect.
type marks struct {
	begun bool // perhaps: it was about to start
	mark
}

// intend marks that the program is about to start. The mark is on the disk when
// intend returns: after a loss of power too nothing that was perhaps begun
// looks as if it never was. It fails when the mark is there already.
func (f *folder) intend(program string) error {
	file, err := f.root.OpenFile(marksFile, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := writeMark(file, mark{Program: program}); err != nil {
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

// add adds a mark. It need not outlive a loss of power: no process does.
func (f *folder) add(m mark) error {
	file, err := f.root.OpenFile(marksFile, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	return writeMark(file, m)
}

func writeMark(file *os.File, m mark) error {
	line, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_, err = file.Write(append(line, '\n'))
	return err
}

// marks reads the marks. A line that a crash tore counts as not written.
func (f *folder) marks() marks {
	data, err := f.root.ReadFile(marksFile)
	known := marks{begun: !errors.Is(err, fs.ErrNotExist)}
	for line := range bytes.Lines(data) {
		_ = json.Unmarshal(line, &known.mark)
	}
	return known
}

// boot is the id of this boot, read once.
var boot = sync.OnceValues(bootID)
