package host

import (
	"errors"
	"fmt"
	"time"
)

// ErrInterrupted says that a run was stopped in order by its caller: it is saved
// and can be resumed.
var ErrInterrupted = errors.New("interrupted; the run is saved and can be resumed")

// ErrNotLive says that no runner holds the run.
var ErrNotLive = errors.New("no runner holds this run")

// EnvError says that this machine cannot be used as it is: exit 7.
type EnvError struct {
	Problem string
	Remedy  string
	Err     error
}

func (e *EnvError) Error() string {
	text := e.Problem
	if e.Err != nil {
		text += ": " + reason(e.Err)
	}
	return text + "; " + e.Remedy
}

func (e *EnvError) Unwrap() error { return e.Err }

// HeldError says that another live runner holds the run: exit 5.
type HeldError struct {
	Run   string
	PID   int // 0 while the holder has not yet said who it is
	Host  string
	Since int64 // Unix time in milliseconds
}

func (e *HeldError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("run %s is held by another runner", e.Run)
	}
	since, layout := time.UnixMilli(e.Since), "15:04"
	if time.Since(since) >= 24*time.Hour {
		layout = "2006-01-02 15:04"
	}
	return fmt.Sprintf("run %s is held by pid %d (host %s, since %s)", e.Run, e.PID, e.Host, since.Format(layout))
}

// errNoAnswer says that a runner took a call and did not answer it.
var errNoAnswer = fmt.Errorf("no answer within %v", answerWithin)

// UnreachableError says that a call reached no runner, or one that does not
// answer. Whether the call was recorded is not known.
type UnreachableError struct {
	Socket string
	PID    int // of the runner that holds the run, 0 when not known
	Err    error
}

func (e *UnreachableError) Error() string {
	if e.PID != 0 {
		return fmt.Sprintf("the runner does not answer (pid %d): %s; if it is stopped, continue or end it and try again", e.PID, reason(e.Err))
	}
	return fmt.Sprintf("no runner answers at %s: %s; the run may be interrupted, try again when it is resumed", e.Socket, reason(e.Err))
}

func (e *UnreachableError) Unwrap() error { return e.Err }
