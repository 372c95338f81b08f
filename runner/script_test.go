package runner_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/teamrun/teamrun/runner/runnertest"
)

// TestScripts plays the runs in testdata/sim: a team and a transcript. With
// TEAMRUN_UPDATE=1 the transcripts are written anew; commit a difference only
// when you understand what caused it.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/sim/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Files) != 2 || a.Files[0].Name != "team.yaml" || a.Files[1].Name != "run" {
				t.Fatal("a script holds team.yaml and run")
			}
			want := string(a.Files[1].Data)
			got := runnertest.Play(t, string(a.Files[0].Data), want)
			if got == want {
				return
			}
			if os.Getenv("TEAMRUN_UPDATE") == "1" {
				a.Files[1].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			t.Errorf("the run went otherwise:\n%s", got)
		})
	}
}
