package host

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"strings"
	"syscall"
)

// reason is an error in words for people: without the names of system calls and
// in one line.
func reason(err error) string {
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		var all []string
		for _, one := range e.Unwrap() {
			all = append(all, reason(one))
		}
		return strings.Join(all, "; ")
	case *fs.PathError:
		return about(e.Path, e.Err)
	case *os.LinkError:
		return about(e.New, e.Err)
	case *os.SyscallError:
		return about("", e.Err)
	case *net.OpError:
		return reason(e.Err)
	}
	return err.Error()
}

// about says what the system has against a file, "" for none that is known.
func about(file string, err error) string {
	words := err.Error()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		words = "it is not there"
	case errors.Is(err, fs.ErrPermission):
		words = "access is denied"
	case errors.Is(err, fs.ErrExist):
		words = "something is in its place"
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP):
		words = "there is something else than a folder on its path"
	case errors.Is(err, syscall.EISDIR):
		words = "there is a folder in its place"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		words = "the disk is full"
	case errors.Is(err, syscall.EROFS):
		words = "the disk is read-only"
	}
	if file == "" {
		return words
	}
	return file + ": " + words
}
