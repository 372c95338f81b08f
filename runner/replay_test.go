package runner_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/runnertest"
)

// recorded is one line of a recorded journal: a record and the digests of the
// effects it caused.
type recorded struct {
	Seq     uint64          `json:"seq"`
	At      int64           `json:"at"`
	Kind    string          `json:"kind"`
	Event   json.RawMessage `json:"event"`
	Effects []string        `json:"effects"`
}

// TestReplay folds the journals in testdata/replay: runs that this machine
// version must go on with. A file without a journal gets one from its commands
// with TEAMRUN_UPDATE=1; one that has a journal is never written again. When a
// replay fails, either the change is wrong or runner.Version must be raised.
func TestReplay(t *testing.T) {
	files, err := filepath.Glob("testdata/replay/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded journals: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			team := string(a.Files[0].Data)
			if len(a.Files) == 2 && os.Getenv("TEAMRUN_UPDATE") == "1" {
				s := runnertest.Recorded(t, team, string(a.Files[1].Data))
				a.Files = append(a.Files, txtar.File{Name: "journal.ndjson", Data: lines(t, s)})
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if len(a.Files) != 3 {
				t.Fatal("a recorded run holds team.yaml, run and journal.ndjson")
			}
			fold(t, runnertest.Program(t, team), a.Files[2].Data)
		})
	}
}

func lines(t *testing.T, s *runnertest.Sim) []byte {
	var out bytes.Buffer
	m := runner.New(s.Program)
	for _, r := range s.Journal {
		effects, err := m.Step(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := runner.EncodeEvent(r.Event)
		if err != nil {
			t.Fatal(err)
		}
		line, err := json.Marshal(recorded{r.Seq, r.At, r.Event.EventKind(), body, digests(effects)})
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(line, '\n'))
	}
	return out.Bytes()
}

func digests(effects []runner.Effect) []string {
	ds := []string{}
	for _, e := range effects {
		ds = append(ds, fmt.Sprintf("%s %08x", e.ID, runner.EffectDigest(e)))
	}
	return ds
}

func fold(t *testing.T, p *runner.Program, journal []byte) {
	m := runner.New(p)
	for line := range bytes.Lines(journal) {
		var r recorded
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		e, err := runner.DecodeEvent(r.Kind, r.Event)
		if err != nil {
			t.Fatal(err)
		}
		effects, err := m.Step(runner.Record{Seq: r.Seq, At: r.At, Event: e})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprint(digests(effects)), fmt.Sprint(r.Effects); got != want {
			t.Fatalf("record %d %s causes %s, and caused %s", r.Seq, r.Kind, got, want)
		}
		if err := runner.Check(m); err != nil {
			t.Fatal(err)
		}
	}
	if !m.Ended() {
		t.Fatal("the recorded run does not end")
	}
}
