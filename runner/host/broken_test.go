package host

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/teamrun/teamrun/runner/journal"
)

// TestF01_BrokenRunIsShown: a run whose run.json tells nothing is among the runs,
// and every use of it says which file is the matter and what to do.
func TestF01_BrokenRunIsShown(t *testing.T) {
	for name, c := range map[string]struct {
		spoil  func(file string) error
		remedy string
	}{
		"missing": {os.Remove, "restore"},
		"cut":     {func(file string) error { return os.Truncate(file, 20) }, "restore"},
		"empty":   {func(file string) error { return os.Truncate(file, 0) }, "restore"},
		"garbage": {func(file string) error { return os.WriteFile(file, []byte("[]"), 0o600) }, "restore"},
		"newer": {func(file string) error {
			return os.WriteFile(file, []byte(`{"schema":"teamrun/run/v2","files":7}`), 0o600)
		}, "version that started"},
		"misplaced": {func(file string) error {
			return os.WriteFile(file, []byte(`{"schema":"teamrun/run/v1","id":"zzzzzzzz"}`), 0o600)
		}, "restore"},
		"a folder": {func(file string) error { return errors.Join(os.Remove(file), os.Mkdir(file, 0o700)) }, "restore"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			whole, f := newRun(t, h, hello), newRun(t, h, hello)
			file := filepath.Join(f.Path(), metaName)
			if err := c.spoil(file); err != nil {
				t.Fatal(err)
			}
			if runs, err := h.Runs(); err != nil || len(runs) != 2 {
				t.Fatalf("Runs = %v, %v", runs, err)
			}
			if found, err := h.Find("hello"); err != nil || len(found) != 1 || found[0].ID() != whole.ID() {
				t.Errorf("by name: %v, %v", found, err)
			}
			found, err := h.Find(f.ID())
			if err != nil || len(found) != 1 || found[0].Path() != f.Path() || found[0].ID() != f.ID() {
				t.Fatalf("by id: %v, %v", found, err)
			}
			b := found[0]
			_, status := b.Status()
			_, result := b.Result(nil)
			_, log := b.Journal()
			_, run := Run(t.Context(), Config{Folder: b})
			for what, err := range map[string]error{
				"status": status, "result": result, "journal": log, "run": run, "down": Down(t.Context(), b), "broken": b.Broken(),
			} {
				var state *journal.StateError
				if !errors.As(err, &state) || state.Path != file || !strings.Contains(state.Remedy, c.remedy) || leaky.MatchString(err.Error()) {
					t.Errorf("%s: %v", what, err)
				}
			}
		})
	}
}

// TestDraftIsNoRun: what a process that was killed while it made a run left is no
// run, and goes when it is old.
func TestDraftIsNoRun(t *testing.T) {
	h := newHome(t)
	newRun(t, h, hello)
	runs := filepath.Join(h.Path(), runsFolder)
	old, young, foreign := draftMark+"old00000", draftMark+"young000", draftMark+"notes"
	for _, name := range []string{old, young, foreign} {
		dir := filepath.Join(runs, name)
		if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, journalName), nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		if name != young {
			if err := os.Chtimes(dir, time.Time{}, time.Now().Add(-2*draftsFor)); err != nil {
				t.Fatal(err)
			}
		}
	}
	newRun(t, h, hello)
	if all, err := h.Runs(); err != nil || len(all) != 2 {
		t.Errorf("Runs = %v, %v", all, err)
	}
	for name, want := range map[string]bool{old: false, young: true, foreign: true} {
		if _, err := os.Lstat(filepath.Join(runs, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestErrorsSpeakOfFiles and not of system calls.
func TestErrorsSpeakOfFiles(t *testing.T) {
	h := newHome(t)
	for name, c := range map[string]struct {
		use  func(Folder) error
		want string
	}{
		"lock": {func(f Folder) error {
			err := os.Mkdir(filepath.Join(f.Path(), lockFile), 0o700)
			_, run := Run(t.Context(), config(t, f, newWorld()))
			return errors.Join(err, run)
		}, "lock: there is a folder in its place"},
		"journal": {func(f Folder) error {
			err := os.Remove(filepath.Join(f.Path(), journalName))
			_, log := f.Journal()
			return errors.Join(err, log)
		}, "there is no such file; restore it from a copy"},
		"frozen file": {func(f Folder) error {
			err := os.Remove(filepath.Join(f.Path(), specFolder, "team.yaml"))
			_, problems := f.Team(newWorld().world().SpecKinds())
			return errors.Join(err, errors.New(problems[0].Msg))
		}, "team.yaml: it is not there"},
		"room file": {func(f Folder) error {
			_, err := CallRoom(t.Context(), filepath.Join(f.Path(), "room.json"), "", RoomCall{Verb: verbMembers})
			return err
		}, "room.json: it is not there; TEAMRUN_ROOM"},
		"room folder": {func(f Folder) error {
			_, err := CallRoom(t.Context(), filepath.Join(f.Path(), "gone", "room.json"), "", RoomCall{Verb: verbMembers})
			return err
		}, "it is not there; TEAMRUN_ROOM"},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.use(newRun(t, h, hello))
			if err == nil || !strings.Contains(err.Error(), c.want) || leaky.MatchString(err.Error()) || strings.Contains(err.Error(), "left as it is") {
				t.Errorf("err = %v", err)
			}
		})
	}
}
