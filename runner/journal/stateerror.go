package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
)

// StateError says that the state of a run cannot be read or written. The
// program ends with exit code 6.
type StateError struct {
	Path    string // of the journal
	Problem string // names the record where there is one
	Remedy  string
	Err     error // the cause, or nil
}

func (e *StateError) Error() string {
	return e.Path + ": " + e.Problem + "; " + e.Remedy
}

// Unwrap returns the cause.
func (e *StateError) Unwrap() error { return e.Err }

const (
	remedyRestore = "restore the file from a copy or start the run anew; the file was left as it is"
	remedyReport  = "start the run anew and report this as a defect"
)

// damaged is the error for content that is not what was written.
func damaged(path, format string, args ...any) *StateError {
	return &StateError{Path: path, Problem: fmt.Sprintf(format, args...), Remedy: remedyRestore}
}

// SQLite's primary result codes that mean something to people.
const (
	codePerm     = 3
	codeBusy     = 5
	codeReadonly = 8
	codeIO       = 10
	codeCorrupt  = 11
	codeFull     = 13
	codeCantOpen = 14
	codeNotADB   = 26
)

// code is SQLite's extended result code, or 0.
func code(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}

// explain turns an error of the database into a *StateError.
func explain(path string, err error) error {
	var known *StateError
	if err == nil || errors.As(err, &known) {
		return err
	}
	e := &StateError{Path: path, Err: err}
	switch code(err) & 0xff {
	case codeNotADB:
		e.Problem, e.Remedy = "this is not a journal", remedyRestore
	case codeCorrupt:
		e.Problem, e.Remedy = "the database is damaged", remedyRestore
	case codeFull:
		e.Problem, e.Remedy = "the disk is full", "free some space and resume the run"
	case codeBusy:
		e.Problem, e.Remedy = "another process is writing to the journal", "end that process and resume the run"
	case codePerm, codeReadonly, codeCantOpen:
		e.Problem, e.Remedy = "the journal cannot be opened for writing", "make the file and its folder writable"
	case codeIO:
		e.Problem, e.Remedy = "the disk reports an error", "check the disk and resume the run"
	default:
		e.Problem, e.Remedy = fmt.Sprintf("the database refuses: %v", err), remedyRestore
	}
	return e
}

// explainFile turns an error of the file system into a *StateError.
func explainFile(path string, err error) error {
	var known *StateError
	if err == nil || errors.As(err, &known) {
		return err
	}
	e := &StateError{Path: path, Err: err}
	switch {
	case errors.Is(err, fs.ErrExist):
		e.Problem, e.Remedy = "the file exists", "choose another folder"
	case errors.Is(err, fs.ErrNotExist):
		e.Problem, e.Remedy = "there is no such file", "restore it from a copy or start the run anew"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		e.Problem, e.Remedy = "access is denied", "give yourself access to the file and its folder"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		e.Problem, e.Remedy = "the disk is full", "free some space and resume the run"
	default:
		e.Problem, e.Remedy = err.Error(), "check the disk"
	}
	return e
}
