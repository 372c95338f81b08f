package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// siblings are the suffixes of the files that belong to a journal.
var siblings = []string{"-wal", "-shm", "-journal", headSuffix}

// Closing any descriptor of a file drops the locks SQLite holds on it in this
// process, so nothing here opens the database itself while it may be in use.

// requireRegular refuses a journal that is a link, a pipe or the like: SQLite
// follows what it is given.
func requireRegular(path string) error {
	for _, suffix := range append([]string{""}, siblings...) {
		info, err := os.Lstat(path + suffix)
		if suffix != "" && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return explainFile(path, err)
		}
		if !info.Mode().IsRegular() && !(suffix == "-shm" && info.IsDir()) {
			return damaged(path+suffix, "this is not a regular file but a %s", describe(info.Mode()))
		}
	}
	return nil
}

// requireOwn refuses to write to a file that somebody else can change or that
// has a second name somewhere.
func requireOwn(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return explainFile(path, err)
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	if stat.Nlink != 1 {
		return damaged(path, "the file has %d names (hard links)", stat.Nlink)
	}
	if uid := os.Geteuid(); int(stat.Uid) != uid {
		e := damaged(path, "the file belongs to user %d", stat.Uid)
		e.Remedy = fmt.Sprintf("resume the run as that user, not as user %d", uid)
		return e
	}
	return nil
}

// requireFolder refuses to write to a file beside which no file can be made.
func requireFolder(path string) error {
	return explainFile(path, unix.Access(filepath.Dir(path), unix.W_OK))
}

func describe(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "folder"
	case m&fs.ModeSymlink != 0:
		return "symbolic link"
	case m&fs.ModeNamedPipe != 0:
		return "named pipe"
	}
	return "device or socket"
}

// narrow takes the rights of others away and reports whether there were any.
func narrow(path string) (bool, error) {
	wide := false
	for _, suffix := range append([]string{""}, siblings...) {
		info, err := os.Lstat(path + suffix)
		if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o077 == 0 {
			continue
		}
		wide = true
		if err := os.Chmod(path+suffix, 0o600); err != nil {
			return wide, explainFile(path+suffix, err)
		}
	}
	return wide, nil
}

// createFile makes the empty file, private whatever the umask; SQLite gives
// its own files the mode of this one.
func createFile(path string) error {
	if _, err := os.Lstat(path); err == nil {
		return explainFile(path, fs.ErrExist)
	}
	for _, suffix := range siblings {
		if _, err := os.Lstat(path + suffix); err == nil && suffix != "-shm" {
			e := damaged(path+suffix, "this file is left from another journal")
			e.Remedy = "choose another folder"
			return e
		}
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return explainFile(path, err)
	}
	if err := errors.Join(f.Chmod(0o600), f.Sync(), f.Close()); err != nil {
		return explainFile(path, err)
	}
	return nil
}

// syncFolder makes the names in the folder of path durable.
func syncFolder(path string) error {
	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return explainFile(path, err)
	}
	defer d.Close()
	return explainFile(path, d.Sync())
}

// remove takes a journal with everything that belongs to it away.
func remove(path string) {
	for _, suffix := range append([]string{""}, siblings...) {
		os.Remove(path + suffix)
	}
}
