package host

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"
)

// maxStateFile bounds what is read back of a state file.
const maxStateFile = 64 << 20

// openState opens a file of a run's folder, never to truncate it. Whatever somebody put in its place,
// a link to elsewhere, a second name of another file, a FIFO, is refused: the
// folder is the run's own.
func openState(root *os.Root, name string, flag int) (*os.File, error) {
	f, err := root.OpenFile(name, flag|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, err
	}
	if err := ownFile(root, name, f); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// ownFile checks that an open file is the plain file of that name and ours.
func ownFile(root *os.Root, name string, f *os.File) error {
	open, err := f.Stat()
	if err != nil {
		return err
	}
	named, err := root.Lstat(name)
	if err != nil {
		return err
	}
	sys := open.Sys().(*syscall.Stat_t)
	switch {
	case !os.SameFile(open, named):
		return fmt.Errorf("%s is a link; remove it", name)
	case !open.Mode().IsRegular():
		return fmt.Errorf("%s is not a plain file; remove it", name)
	case sys.Nlink != 1:
		return fmt.Errorf("%s has a second name elsewhere; remove it", name)
	case int(sys.Uid) != os.Getuid():
		return fmt.Errorf("%s belongs to another user; remove it", name)
	case open.Mode().Perm()&0o077 != 0:
		return f.Chmod(0o600)
	}
	return nil
}

// readState reads a whole state file.
func readState(root *os.Root, name string) ([]byte, error) {
	f, err := openState(root, name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxStateFile+1))
	if err == nil && len(data) > maxStateFile {
		err = fmt.Errorf("%s is larger than %d bytes", name, maxStateFile)
	}
	return data, err
}

// writeState puts a whole file in place: a reader sees the old one or the new
// one. With durable it has also reached the disk.
func writeState(root *os.Root, name string, data []byte, durable bool) error {
	return fillState(root, name, durable, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// fillState is writeState for a file that fill writes. The file it is written in
// is always a new one, so nothing that was put in its place is written to.
func fillState(root *os.Root, name string, durable bool, fill func(io.Writer) error) error {
	temp := path.Join(path.Dir(name), "."+path.Base(name)+".new")
	if err := root.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = fill(f)
	if err == nil && durable {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, root.Remove(temp))
	}
	if durable {
		return syncFolder(root, path.Dir(name))
	}
	return nil
}

// syncFolder makes the names in a folder durable.
func syncFolder(root *os.Root, name string) error {
	d, err := root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
