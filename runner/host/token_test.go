package host

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/teamrun/teamrun/runner"
)

// TestM1_TokenOfAnOldSession is refused when the member has a new one.
func TestM1_TokenOfAnOldSession(t *testing.T) {
	f := newRun(t, newHome(t), team3)
	w := newWorld()
	w.turn = waiting
	simulate(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := runQuietly(ctx, t, f, w); !errors.Is(err, ErrInterrupted) {
			t.Fatal(err)
		}
	})
	l := resumeLive(t, f, w.copy())
	if l.prompt.Epoch != 2 {
		t.Fatalf("epoch %d", l.prompt.Epoch)
	}
	old := filepath.Join(f.Path(), "members", "ann", "1", roomName)
	text, err := os.ReadFile(old)
	if err != nil {
		t.Fatal(err)
	}
	var refused *runner.Refusal
	if _, err := CallRoom(t.Context(), old, "", RoomCall{Verb: "send", To: []string{"bob"}, Body: "x"}); !errors.As(err, &refused) || refused.Code != "stale-epoch" {
		t.Errorf("err = %v; %s", err, text)
	}
}

// TestM1_TokenOfAStoppedSession is worth nothing from the moment at which the
// session is told to end.
func TestM1_TokenOfAStoppedSession(t *testing.T) {
	f := newRun(t, newHome(t), team3)
	w, file := newWorld(), ""
	var calls []error
	w.turn = func(ctx context.Context, _ string, p runner.Prompt, _ func(runner.TurnProgress)) runner.TurnEnded {
		if p.Nth == 1 {
			file = p.RoomFile
			return runner.TurnEnded{Stop: runner.StopError, Class: "context_full", Seen: runner.SeenYes}
		}
		if err := p.Room.Report(ctx, json.RawMessage(`{"text": "ok"}`)); err != nil {
			t.Error(err)
		}
		return done()
	}
	w.stop = func(string) {
		if len(calls) == 0 {
			_, err := CallRoom(context.Background(), file, "", RoomCall{Verb: "send", To: []string{"bob"}, Body: "x"})
			calls = append(calls, err)
		}
	}
	if r, err := Run(t.Context(), config(t, f, w)); err != nil || r.Outcome != "success" {
		t.Fatalf("%+v, %v", r, err)
	}
	var refused *runner.Refusal
	if len(calls) != 1 || !errors.As(calls[0], &refused) || refused.Code != "stale-epoch" {
		t.Errorf("calls: %v", calls)
	}
}

// TestM1_TokenOfADeadSession is worth nothing from the moment at which the session
// is known to be gone, not only when the next one comes.
func TestM1_TokenOfADeadSession(t *testing.T) {
	call := func(file string) string {
		_, err := CallRoom(context.Background(), file, "", RoomCall{Verb: "send", To: []string{"cid"}, Body: "x"})
		var refused *runner.Refusal
		if !errors.As(err, &refused) {
			t.Errorf("the call was taken: %v", err)
			return ""
		}
		return refused.Code
	}
	t.Run("crashed", func(t *testing.T) {
		f := newRun(t, newHome(t), `
teamrun: v1
name: dead
defaults: {agent: fake}
members: {ann: {}, bob: {}, cid: {}}
tasks:
  plan: {for: ann, brief: Make a plan.}
  work: {for: bob, needs: {plan: finished}, brief: Do it.}
recovery:
  - {on: crashed, do: [fail]}
stop:
  - {when: tasks.work.done, outcome: success}
  - {when: tasks.work.failed, outcome: failure}
`)
		w, file, code := newWorld(), "", ""
		w.turn = func(_ context.Context, member string, p runner.Prompt, _ func(runner.TurnProgress)) runner.TurnEnded {
			if member == "ann" && file == "" {
				file = p.RoomFile
				return runner.TurnEnded{Stop: runner.StopError, Class: "crashed", Seen: runner.SeenYes}
			}
			if member == "bob" && p.Task != "" {
				code = call(file)
			}
			return done()
		}
		if _, err := Run(t.Context(), config(t, f, w)); err != nil {
			t.Fatal(err)
		}
		if code != "stale-epoch" {
			t.Errorf("refused with %q", code)
		}
	})
	t.Run("lost", func(t *testing.T) {
		f := newRun(t, newHome(t), team3)
		w, code := newWorld(), ""
		ctx, cancel := context.WithCancel(t.Context())
		w.turn = func(ctx context.Context, _ string, p runner.Prompt, _ func(runner.TurnProgress)) runner.TurnEnded {
			cancel()
			<-ctx.Done()
			code = call(p.RoomFile)
			return cancelled()
		}
		if _, err := Run(ctx, config(t, f, w)); !errors.Is(err, ErrInterrupted) {
			t.Fatal(err)
		}
		if code != "stale-epoch" {
			t.Errorf("refused with %q", code)
		}
	})
}
