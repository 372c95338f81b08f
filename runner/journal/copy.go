package journal

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// needsCopy reports whether a journal cannot be read where it is: SQLite wants
// to write beside a file in WAL mode, even to read it. Telling it that the file
// is immutable would help, and silently drop what is in the -wal.
func needsCopy(err error) bool {
	switch c := code(err); c & 0xff {
	case codeCantOpen, codeReadonly:
		return true
	case codeIO:
		const shmOpen, shmSize, shmLock, shmMap = 18, 19, 20, 21
		return c>>8 >= shmOpen && c>>8 <= shmMap
	}
	return false
}

// makeCopy copies the journal to a private folder.
func (r *Reader) makeCopy() error {
	folder, err := os.MkdirTemp("", "teamrun-journal-")
	if err != nil {
		return explainFile(r.path, err)
	}
	r.copy = folder
	for _, suffix := range []string{"", "-wal", "-journal"} {
		if err := copyFile(filepath.Join(folder, filepath.Base(r.path)+suffix), r.path+suffix); err != nil {
			if suffix != "" && errors.Is(err, fs.ErrNotExist) {
				continue
			}
			r.dropCopy()
			return explainFile(r.path, err)
		}
	}
	return nil
}

func (r *Reader) dropCopy() {
	if r.copy != "" {
		os.RemoveAll(r.copy)
	}
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
