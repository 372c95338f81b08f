package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/sethvargo/go-retry"

	"github.com/teamrun/teamrun/runner/host"
)

// detachedLog is the file in a run's folder that holds what its background
// process printed.
const detachedLog = "detached.log"

// detach starts a process of its own session that drives the run, waits until
// it holds the run, and prints the run's id alone.
func (a *app) detach(ctx context.Context, f host.Folder) error {
	exe, err := os.Executable()
	if err != nil {
		return &failure{exit: exitEnv, code: "environment", msg: "the path of the teamrun program is unknown: " + err.Error()}
	}
	path := filepath.Join(f.Path(), detachedLog)
	log, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(exe, "resume", "--color", "never", "--progress", "plain", fmt.Sprintf("--attended=%t", a.attended()), f.ID())
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return &failure{exit: exitEnv, code: "environment", msg: "the background process cannot be started: " + err.Error()}
	}
	gone := make(chan struct{})
	go func() {
		_ = cmd.Wait() // its end is read from the run, not from the process
		close(gone)
	}()
	if err := holds(ctx, f, gone); err != nil {
		return startFailed(path, cmd.ProcessState, err)
	}
	a.print(f.ID() + "\n")
	return nil
}

var errNotYet = errors.New("the background process does not hold the run yet")

// holds waits until a runner holds the run, or held it and ended it already.
func holds(ctx context.Context, f host.Folder, gone <-chan struct{}) error {
	return retry.Do(ctx, retry.WithMaxDuration(time.Minute, retry.NewConstant(10*time.Millisecond)), func(context.Context) error {
		over := false
		select {
		case <-gone:
			over = true
		default:
		}
		status, err := f.Status()
		switch {
		case err == nil && (status.State == stateLive || status.State == stateEnded):
			return nil
		case over:
			return errors.New("the background process ended before it held the run")
		}
		return retry.RetryableError(errNotYet)
	})
}

// startFailed says why a background process ended, in its own last words.
func startFailed(log string, state *os.ProcessState, err error) error {
	f := &failure{exit: exitState, code: "not-started", msg: err.Error(), hints: []string{"its output is in " + log}}
	if state != nil && state.ExitCode() > 0 {
		f.exit = state.ExitCode()
	}
	if text, err := os.ReadFile(log); err == nil {
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		f.hints = append(f.hints, "its last words: "+lines[len(lines)-1])
	}
	return f
}
