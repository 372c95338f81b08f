package host

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/teamrun/teamrun/runner"
)

const hello = `
teamrun: v1
name: hello
defaults: {agent: fake}
members:
  ann: {}
  bob: {}
tasks:
  plan: {for: ann, report: {text: {type: text}}, brief: Make a plan.}
  work: {for: bob, needs: [plan], brief: Do it.}
stop:
  - {when: tasks.work.done, outcome: success, reason: all is done}
  - {when: tasks.plan.failed or tasks.work.failed or tasks.work.skipped, outcome: failure}
`

// obliging agents send mail to bob, report where a report is expected and end.
func obliging(ctx context.Context, member string, p runner.Prompt, _ func(runner.TurnProgress)) runner.TurnEnded {
	if member == "ann" {
		if _, err := p.Room.Send(ctx, []string{"bob"}, "look at the plan"); err != nil {
			return runner.TurnEnded{Stop: runner.StopError, Class: "crashed", Text: err.Error(), Seen: runner.SeenYes}
		}
	}
	if p.Report != nil {
		if err := p.Room.Report(ctx, json.RawMessage(`{"text": "first this, then that"}`)); err != nil {
			return runner.TurnEnded{Stop: runner.StopError, Class: "crashed", Text: err.Error(), Seen: runner.SeenYes}
		}
	}
	return done()
}

func TestRunFromStartToEnd(t *testing.T) {
	f := newRun(t, newHome(t), hello)
	w := newWorld()
	w.turn = obliging
	simulate(t, func(t *testing.T) {
		r, err := runQuietly(t.Context(), t, f, w)
		if err != nil || r.Outcome != "success" || r.Exit != 0 || r.Reason != "all is done" {
			t.Fatalf("Run = %+v, %v", r, err)
		}
	})
	for _, name := range []string{metaName, journalName, resultName, statusName, archiveName, "members/ann/1/room.json"} {
		info, err := os.Lstat(filepath.Join(f.Path(), name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	s, err := f.Status()
	if err != nil || s.State != "ended" || s.View.State != "ended" {
		t.Errorf("Status = %+v, %v", s, err)
	}
	saved, err := f.Result(w.world().SpecKinds())
	if err != nil || saved == nil || saved.Outcome != "success" || len(saved.Artifacts) != 1 {
		t.Errorf("Result = %+v, %v", saved, err)
	}
	if got := w.promptsOf("bob"); len(got) == 0 || got[0].Mail[0].Body != "look at the plan" || got[0].Mail[0].From != "ann" {
		t.Errorf("bob's prompts: %+v", got)
	}
}
