package runner_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/runnertest"
)

// chooser lets rapid make the choices of a random run, and shrink them.
type chooser struct{ t *rapid.T }

func (c chooser) Int(n int, what string) int { return rapid.IntRange(0, n-1).Draw(c.t, what) }

// TestRandomRuns plays teams of any shape with outcomes in any order, mail,
// repetitions and crashes. What must hold is checked after every record by
// runner.Check and by the simulation: every turn is judged once (FAIL-4), no
// accepted mail is lost (P1), none is handed over twice in one epoch (P2), the
// limits hold (P9), every run ends (P13).
func TestRandomRuns(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := chooser{rt}
		p := runnertest.Program(t, runnertest.RandomTeam(c))
		s := runnertest.Random(rt, p, c)
		if err := runner.SameState(s.Machine, s.Replay()); err != nil {
			rt.Fatal(err)
		}
	})
}

// TestP10_FoldEqualsLive: at any point of a run a fresh fold over the journal is
// the live machine.
func TestP10_FoldEqualsLive(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := chooser{rt}
		p := runnertest.Program(t, runnertest.RandomTeam(c))
		s := runnertest.Random(rt, p, c)
		live := runner.New(p)
		cut := c.Int(len(s.Journal), "prefix")
		for i, r := range s.Journal {
			if _, err := live.Step(r); err != nil {
				rt.Fatal(err)
			}
			if i != cut {
				continue
			}
			fresh := runner.New(p)
			for _, r := range s.Journal[:i+1] {
				if _, err := fresh.Step(r); err != nil {
					rt.Fatal(err)
				}
			}
			if err := runner.SameState(live, fresh); err != nil {
				rt.Fatal(err)
			}
		}
	})
}
