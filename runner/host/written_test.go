package host

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/teamrun/teamrun/runner"
)

// refolds folds a run that has ended anew, as a resume would.
func refolds(t *testing.T, f Folder, w *world) error {
	t.Helper()
	c := config(t, f, w)
	p, err := runner.Compile(c.Team, c.World.SpecKinds())
	if err != nil {
		t.Fatal(err)
	}
	j, err := openJournal(f.journalPath())
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	return (&core{program: p, log: j, meta: f.Meta(), path: f.journalPath()}).fold(nil)
}

// TestLiveSeesWhatReplaySees: text that is no UTF-8 is mended before anything is
// decided by it.
func TestLiveSeesWhatReplaySees(t *testing.T) {
	f := newRun(t, newHome(t), `
teamrun: v1
name: bytes
defaults: {agent: fake}
members: {ann: {}}
tasks:
  check: {run: [check]}
  work: {for: ann, needs: [check], brief: Do it.}
stop:
  - {when: 'tasks.check.output contains "`+"\uFFFD"+`"', outcome: failure}
  - {when: tasks.work.done, outcome: success}
`)
	w := newWorld()
	w.turn = func(context.Context, string, runner.Prompt, func(runner.TurnProgress)) runner.TurnEnded {
		return done()
	}
	w.exec = func(context.Context, runner.ExecOrder) runner.ExecEnded {
		return runner.ExecEnded{Output: &runner.Output{Head: "caf\xe9"}}
	}
	simulate(t, func(t *testing.T) {
		if r, err := runQuietly(t.Context(), t, f, w); err != nil || r.Outcome != "failure" {
			t.Errorf("%+v, %v", r, err)
		}
	})
	if err := refolds(t, f, w); err != nil {
		t.Error(err)
	}
}

// TestOutcomeThatCannotBeWritten is a failure of the agent, not of the journal.
func TestOutcomeThatCannotBeWritten(t *testing.T) {
	f := newRun(t, newHome(t), hello)
	w := newWorld()
	w.turn = func(ctx context.Context, member string, p runner.Prompt, progress func(runner.TurnProgress)) runner.TurnEnded {
		ended := obliging(ctx, member, p, progress)
		if member == "bob" {
			nan := math.NaN()
			ended.Cost = &nan
		}
		return ended
	}
	simulate(t, func(t *testing.T) {
		if r, err := runQuietly(t.Context(), t, f, w); err != nil || r.Outcome != "failure" {
			t.Errorf("%+v, %v", r, err)
		}
	})
	for _, e := range records(t, f) {
		if ended, ok := e.Record.Event.(runner.TurnEnded); ok && ended.Class == "protocol" {
			if !strings.Contains(ended.Text, "cannot be recorded") || ended.Seen != runner.SeenYes || ended.Cost != nil {
				t.Errorf("%+v", ended)
			}
			return
		}
	}
	t.Errorf("no turn failed: %s", kinds(records(t, f)))
}
