package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/teamrun/teamrun/runner/host"
)

// A background process that ends before it holds the run is named with its last
// words and its exit code.
func TestDetachedProcessThatEndsAtOnce(t *testing.T) {
	log := filepath.Join(t.TempDir(), detachedLog)
	if err := os.WriteFile(log, []byte("first\nteamrun: the disk is full [state-unusable]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", "exit 7")
	if err := cmd.Run(); err == nil {
		t.Fatal("exit 7 is no error")
	}
	gone := make(chan struct{})
	close(gone)
	err := holds(context.Background(), host.Folder{}, gone)
	if err == nil {
		t.Fatal("a run that nobody holds counts as held")
	}
	var f *failure
	if !errors.As(startFailed(log, cmd.ProcessState, err), &f) {
		t.Fatal("no failure")
	}
	hints := strings.Join(f.hints, "\n")
	if f.exit != 7 || f.code != "not-started" || !strings.Contains(hints, log) || !strings.Contains(hints, "the disk is full") {
		t.Errorf("%+v", f)
	}
}
