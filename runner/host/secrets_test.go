package host

import (
	"context"
	"encoding/base64"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/teamrun/teamrun/runner"
)

const teamWithSecrets = `
teamrun: v1
name: sealed
defaults: {agent: fake}
members:
  ann: {env: [TEST_KEY_OF_ANN]}
  bob: {}
tasks:
  job: {for: bob, report: {note: {type: text}, more: {list: text}}, brief: work}
  run: {run: [x], env: [TEST_KEY_OF_RUN]}
stop:
  - {when: tasks.job.done and tasks.run.done, outcome: success}
  - {when: tasks.job.failed, outcome: failure}
`

// TestO3_SecretsNeverReachTheRecord: whoever says the value of a variable that
// anybody was passed, in whatever he says, it is masked before it is written.
func TestO3_SecretsNeverReachTheRecord(t *testing.T) {
	const ofAnn, ofRun = "ann's s3cr3t", "0123456789abcdef"
	t.Setenv("TEST_KEY_OF_ANN", ofAnn)
	t.Setenv("TEST_KEY_OF_RUN", ofRun)
	all := ofAnn + " " + ofRun + " " + base64.StdEncoding.EncodeToString([]byte(ofAnn))
	f := newRun(t, newHome(t), teamWithSecrets)
	w := newWorld()
	w.start = func(_ context.Context, member string) runner.SessionStarted {
		return runner.SessionStarted{OK: true, Text: all}
	}
	w.turn = func(ctx context.Context, member string, p runner.Prompt, progress func(runner.TurnProgress)) runner.TurnEnded {
		if member == "bob" && p.Task != "" {
			if _, err := p.Room.Send(ctx, []string{"ann"}, "keep "+all); err != nil {
				t.Error(err)
			}
			if err := p.Room.Report(ctx, []byte(`{"note": "`+all+`", "more": ["`+all+`", "\u0030123456789abcdef"]}`)); err != nil {
				t.Error(err)
			}
		}
		progress(runner.TurnProgress{What: runner.ProgressMaxTokens, Text: all})
		ended := done()
		ended.Text, ended.Output = all, &runner.Output{Head: all, Path: "x", Bytes: int64(len(all))}
		return ended
	}
	w.exec = func(context.Context, runner.ExecOrder) runner.ExecEnded {
		return runner.ExecEnded{Text: all, Output: &runner.Output{Head: all, Path: "x"}}
	}
	r, err := runQuietly(t.Context(), t, f, w)
	if err != nil || r.Exit != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, task := range r.Tasks {
		if task.Name == "job" && task.Report["note"] != "*** *** ***" {
			t.Errorf("report %v", task.Report)
		}
	}
	files := 0
	err = filepath.WalkDir(f.path, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		files++
		for _, secret := range strings.Fields(all + " s3cr3t") {
			if strings.Contains(string(text), secret) && secret != "ann's" {
				t.Errorf("%s holds %s", path, secret)
			}
		}
		return err
	})
	if err != nil || files == 0 {
		t.Fatal(files, err)
	}
}

// TestARoomKnowsItsReport: a report counts from the moment it is durable.
func TestARoomKnowsItsReport(t *testing.T) {
	f := newRun(t, newHome(t), team3)
	w := newWorld()
	var before, after bool
	w.turn = func(ctx context.Context, _ string, p runner.Prompt, _ func(runner.TurnProgress)) runner.TurnEnded {
		before = p.Room.Reported(ctx)
		if err := p.Room.Report(ctx, []byte(`{"text": "done"}`)); err != nil {
			t.Error(err)
		}
		after = p.Room.Reported(ctx)
		return done()
	}
	if _, err := runQuietly(t.Context(), t, f, w); err != nil {
		t.Fatal(err)
	}
	if before || !after {
		t.Errorf("reported before %v, after %v", before, after)
	}
}
