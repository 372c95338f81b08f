package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/teamrun/teamrun/runner"
)

// TestF03_TwoRunners: the second is told who holds the run, and starts nothing.
func TestF03_TwoRunners(t *testing.T) {
	f := newRun(t, newHome(t), hello)
	w, reached := newWorld(), make(chan struct{})
	w.turn = func(ctx context.Context, _ string, _ runner.Prompt, _ func(runner.TurnProgress)) runner.TurnEnded {
		close(reached)
		<-ctx.Done()
		return cancelled()
	}
	ctx, cancel := context.WithCancel(t.Context())
	first := make(chan error)
	go func() {
		_, err := Run(ctx, config(t, f, w))
		first <- err
	}()
	<-reached

	other := newWorld()
	_, err := Run(t.Context(), config(t, f, other))
	var held *HeldError
	if !errors.As(err, &held) || held.PID != os.Getpid() || held.Since == 0 {
		t.Fatalf("err = %v", err)
	}
	host, _ := os.Hostname()
	want := fmt.Sprintf("run %s is held by pid %d (host %s, since %s)", f.ID(), os.Getpid(), host, time.UnixMilli(held.Since).Format("15:04"))
	if err.Error() != want {
		t.Errorf("err = %q, want %q", err, want)
	}
	if len(other.prompts) > 0 {
		t.Error("the second runner prompted")
	}
	s, err := f.Status()
	if err != nil || s.State != "live" || s.Holder.PID != os.Getpid() {
		t.Errorf("Status = %+v, %v", s, err)
	}
	cancel()
	if err := <-first; !errors.Is(err, ErrInterrupted) {
		t.Error(err)
	}
	if s, _ = f.Status(); s.State != "interrupted" || s.Holder != (Holder{}) {
		t.Errorf("Status = %+v", s)
	}
}

// TestF02_StaleLockAndReusedPid: what the lock file says of its holder holds
// nobody up; the kernel's lock does.
func TestF02_StaleLockAndReusedPid(t *testing.T) {
	sleep := exec.Command("sleep", "60")
	if err := sleep.Start(); err != nil {
		t.Fatal(err)
	}
	defer sleep.Wait()         //nolint:errcheck // it was killed
	defer sleep.Process.Kill() //nolint:errcheck // it may have ended
	f := newRun(t, newHome(t), hello)
	stale, err := json.Marshal(holder{PID: sleep.Process.Pid, Host: "build-3", Since: 1, Boot: bootID(), Start: "1"})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"reused pid": stale, "torn": stale[:10], "empty": nil} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(f.Path(), lockFile), text, 0o600); err != nil {
				t.Fatal(err)
			}
			root, err := f.open()
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			if _, held, err := probe(root); held || err != nil {
				t.Errorf("probe: held %v, %v", held, err)
			}
			l, err := takeLock(root, f.ID(), thisProcess(5, ""))
			if err != nil {
				t.Fatal(err)
			}
			defer l.release()
			h, held, err := probe(root)
			if !held || err != nil || h.PID != os.Getpid() || !h.alive() {
				t.Errorf("probe: %+v, held %v, %v", h, held, err)
			}
		})
	}
}

// TestProbeTakesNothing: somebody who looks at the lock just now does not keep a
// runner from starting; somebody who stays does.
func TestProbeTakesNothing(t *testing.T) {
	f := newRun(t, newHome(t), hello)
	simulate(t, func(t *testing.T) {
		root, err := f.open()
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		looking, err := openState(root, lockFile, os.O_RDWR|os.O_CREATE)
		if err != nil || flock(looking, unix.LOCK_SH|unix.LOCK_NB) != nil {
			t.Fatal(err)
		}
		var held *HeldError
		if _, err := takeLock(root, f.ID(), holder{}); !errors.As(err, &held) || held.PID != 0 {
			t.Errorf("while it is held: %v", err)
		}
		go func() {
			time.Sleep(lockPause) // of simulated time
			looking.Close()
		}()
		l, err := takeLock(root, f.ID(), holder{})
		if err != nil {
			t.Fatalf("when it was let go of: %v", err)
		}
		l.release()
	})
}

// TestStatusAfterKill: whatever a killed runner last wrote, the run is
// interrupted; a broken status.json is no state.
func TestStatusAfterKill(t *testing.T) {
	f := newRun(t, newHome(t), hello)
	for name, text := range map[string]string{
		"live when killed": `{"schema":"teamrun/status/v1","state":"live","view":{"state":"running","team":"hello"}}`,
		"torn":             `{"schema":"teamrun/status/v1","sta`, "empty": "", "zeros": strings.Repeat("\x00", 99),
	} {
		if err := os.WriteFile(filepath.Join(f.Path(), statusName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := f.Status()
		if err != nil || s.State != "interrupted" || s.View.Team != "hello" {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
}

// TestProbeAwaitsTheName: a runner that has taken the lock and not yet said who
// it is, is asked again.
func TestProbeAwaitsTheName(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	self := thisProcess(1, "")
	l, err := takeLock(root, "r", self)
	if err != nil {
		t.Fatal(err)
	}
	defer l.release()
	if err := l.file.Truncate(0); err != nil {
		t.Fatal(err)
	}
	found := make(chan holder)
	go func() {
		h, _, err := probe(root)
		if err != nil {
			t.Error(err)
		}
		found <- h
	}()
	if err := l.say(self); err != nil {
		t.Fatal(err)
	}
	if h := <-found; h.PID != self.PID {
		t.Errorf("the probe found %+v", h)
	}
}
