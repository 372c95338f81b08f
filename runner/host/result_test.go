package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/teamrun/teamrun/runner/journal"
)

// forgeries are texts that are not the result of a run.
func forgeries(run string) map[string]string {
	return map[string]string{
		"forged":       `{"schema":"teamrun/result/v1","run":"` + run + `","outcome":"success","exit":0}`,
		"bare":         `{"outcome":"success"}`,
		"of another":   `{"schema":"teamrun/result/v1","run":"zzzzzzzz","outcome":"success","exit":0}`,
		"other schema": `{"schema":"teamrun/result/v9","run":"` + run + `","outcome":"success","exit":0}`,
		"array":        `[]`,
		"garbage":      "\x00{",
		"empty":        "",
	}
}

// TestJournalSaysWhetherARunHasEnded, not result.json: with one that somebody put
// there, an interrupted run is still one and goes on.
func TestJournalSaysWhetherARunHasEnded(t *testing.T) {
	h := newHome(t)
	for name, text := range forgeries("") {
		t.Run(name, func(t *testing.T) {
			f := newRun(t, h, hello)
			w := newWorld()
			w.turn = waiting
			simulate(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				if _, err := runQuietly(ctx, t, f, w); !errors.Is(err, ErrInterrupted) {
					t.Fatal(err)
				}
			})
			text = strings.Replace(text, `"run":""`, `"run":"`+f.ID()+`"`, 1)
			if err := os.WriteFile(filepath.Join(f.Path(), resultName), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if r, err := f.Result(w.world().SpecKinds()); err != nil || r != nil {
				t.Errorf("Result = %+v, %v", r, err)
			}
			if s, err := f.Status(); err != nil || s.State != stateInterrupted {
				t.Errorf("Status = %+v, %v", s, err)
			}
			again := w.copy()
			c := config(t, f, again)
			c.Down = true
			simulate(t, func(t *testing.T) {
				if r, err := run(t.Context(), c, openJournal, noSocket); err != nil || r.Outcome != "cancelled" {
					t.Errorf("resumed: %+v, %v", r, err)
				}
			})
			if r, err := f.Result(w.world().SpecKinds()); err != nil || r == nil || r.Outcome != "cancelled" {
				t.Errorf("Result = %+v, %v", r, err)
			}
		})
	}
}

// TestDamagedResultIsMadeAgain from the journal.
func TestDamagedResultIsMadeAgain(t *testing.T) {
	f := newRun(t, newHome(t), hello)
	w := newWorld()
	w.turn = obliging
	simulate(t, func(t *testing.T) {
		if _, err := runQuietly(t.Context(), t, f, w); err != nil {
			t.Fatal(err)
		}
	})
	kinds := w.world().SpecKinds()
	file := filepath.Join(f.Path(), resultName)
	want, err := f.Result(kinds)
	if err != nil || want == nil {
		t.Fatal(err)
	}
	for name, text := range forgeries(f.ID()) {
		if name == "forged" {
			continue // of a run that has ended, nothing tells it from the real one
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if r, err := f.Result(kinds); err != nil || !reflect.DeepEqual(r, want) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if s, err := f.Status(); err != nil || s.State != stateEnded {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
	if err := errors.Join(os.Remove(file), os.Symlink("/dev/null", file)); err != nil {
		t.Fatal(err)
	}
	var state *journal.StateError
	if _, err := f.Result(kinds); !errors.As(err, &state) || state.Path != file || state.Remedy == "" {
		t.Errorf("a link: %v", err)
	}
}
