package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/teamrun/teamrun/runner"
)

// TestProgramIsFoundByItsName: under each lease the run's bin/teamrun is the
// program that drives it, whatever its file is called, and processes are told
// of that folder.
func TestProgramIsFoundByItsName(t *testing.T) {
	f := newRun(t, newHome(t), relay)
	link := filepath.Join(f.Path(), "bin", "teamrun")
	if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/of/a/killed/runner", filepath.Join(f.Path(), "bin", ".teamrun.new")); err != nil {
		t.Fatal(err)
	}
	w := newWorld()
	w.turn = obliging
	for _, exe := range []string{"/opt/tools/tr-1.2", "/home/ann/go/bin/teamrun"} {
		w = w.copy()
		told := ""
		w.exec = func(ctx context.Context, o runner.ExecOrder) runner.ExecEnded {
			told = o.Bin
			<-ctx.Done()
			return runner.ExecEnded{Exit: -1}
		}
		simulate(t, func(t *testing.T) {
			c := config(t, f, w)
			c.Exe = exe
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if _, err := run(ctx, c, openJournal, noSocket); !errors.Is(err, ErrInterrupted) {
				t.Fatal(err)
			}
		})
		if to, err := os.Readlink(link); err != nil || to != exe {
			t.Errorf("bin/teamrun is %q, %v, want %q", to, err, exe)
		}
		if told != filepath.Dir(link) {
			t.Errorf("the process was told %q, want %q", told, filepath.Dir(link))
		}
	}
}
