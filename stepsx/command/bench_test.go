package command

import (
	"fmt"
	"os/exec"
	"testing"

	"github.com/teamrun/teamrun/runner"
)

// BenchmarkTurn and BenchmarkBareProcess together say what a turn costs beside
// its process.
func BenchmarkTurn(b *testing.B) {
	run := b.TempDir()
	a, err := New().Open(runner.Post{Member: "ann", Settings: &Settings{Run: words("true"), Output: "text"}, Dir: run, Folder: run + "/ann", RunFolder: run})
	if err != nil {
		b.Fatal(err)
	}
	for n := 0; b.Loop(); n++ {
		got := a.Turn(b.Context(), runner.Prompt{Effect: fmt.Sprintf("%d.1", n), Epoch: 1, Text: "x"}, func(runner.TurnProgress) {})
		if got.Stop != runner.StopEndTurn {
			b.Fatalf("%+v", got)
		}
	}
}

// BenchmarkBareProcess is the process alone.
func BenchmarkBareProcess(b *testing.B) {
	for b.Loop() {
		if err := exec.Command("true").Run(); err != nil {
			b.Fatal(err)
		}
	}
}
