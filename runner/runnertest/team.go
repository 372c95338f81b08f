// Package runnertest is a simulated world for the machine: no process, no
// clock, no goroutine. A Sim plays records into a machine and checks after
// every one what must always hold; a script (see Play) is a run a newcomer can
// read; Random plays runs of any shape, with crashes.
package runnertest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/spec"
)

// Kinds are two kinds of agent that exist in simulations only: "talker" keeps
// a conversation and reports by a tool, "process" is one process a turn that
// reports by its exit. "unpriced" is a talker that never says its cost.
func Kinds() []spec.Kind {
	return []spec.Kind{
		{Name: "talker", Sessions: true, Tools: true, Priced: true, Vias: []spec.Via{spec.ViaTool}},
		{Name: "process", Priced: true, Vias: []spec.Via{spec.ViaExit}},
		{Name: "unpriced", Sessions: true, Tools: true, Vias: []spec.Via{spec.ViaTool}},
	}
}

// Program compiles the text of a team file; a problem in it fails the test.
func Program(t testing.TB, yaml string) *runner.Program {
	t.Helper()
	path := filepath.Join(t.TempDir(), "team.yaml")
	if err := os.WriteFile(path, []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	team, problems := spec.Load(path, spec.LoadOptions{Kinds: Kinds(), NeedParams: true})
	if team == nil {
		var all []string
		for _, p := range problems {
			all = append(all, p.String())
		}
		t.Fatalf("the team file is wrong:\n%s\n%s", strings.Join(all, "\n"), yaml)
	}
	p, err := runner.Compile(team, Kinds())
	if err != nil {
		t.Fatal(err)
	}
	return p
}
