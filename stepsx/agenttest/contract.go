package agenttest

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/teamrun/teamrun/runner"
)

// contract is what every kind keeps, one rule a row.
var contract = []struct {
	name string
	test func(*testing.T, Harness)
}{
	{"a turn ends once", endsOnce},
	{"a report is in the room before the turn ends", reportsFirst},
	{"a refused report still ends the turn", refusedReport},
	{"a cancel ends a turn that hangs", cancelHangs},
	{"a cancel before the turn begins it never", cancelBefore},
	{"an effect is performed once", performsOnce},
	{"asked before the turn: not started, and it can still be", askBefore},
	{"asked after the turn: never not started", askAfter},
	{"asked while it hangs: ended, and gone", askMeanwhile},
	{"a stop leaves no process", stopLeavesNothing},
	{"files of a session that are garbage hurt nobody", garbage},
	{"an unknown mode is a prompt like others", unknownMode},
	{"a prompt of a mebibyte", bigPrompt},
	{"weird bytes in both directions", weirdBytes},
}

func endsOnce(t *testing.T, h Harness) {
	s := newStage(t, h, Quiet)
	a := s.started()
	for _, id := range []string{"2.1", "3.1"} {
		p := s.prompt(id)
		p.Report = nil
		if got := s.turn(a, p); got.Stop != runner.StopEndTurn || got.Seen != runner.SeenYes {
			t.Errorf("turn %s = %+v, want end_turn, seen yes", id, got)
		}
	}
	if got := a.Stop(t.Context(), runner.SessionOrder{Effect: "4.1", Epoch: 1}); got.Effect != "4.1" || len(got.Escaped) > 0 {
		t.Errorf("Stop = %+v", got)
	}
}

func reportsFirst(t *testing.T, h Harness) {
	s := newStage(t, h, Reports)
	got := s.turn(s.started(), s.prompt("2.1"))
	if got.Stop != runner.StopEndTurn {
		t.Errorf("turn = %+v, want end_turn", got)
	}
	if reports := s.room.got(); !slices.Equal(reports, []string{Report}) {
		t.Errorf("reports in the room = %q, want one: %s", reports, Report)
	}
}

func refusedReport(t *testing.T, h Harness) {
	s := newStage(t, h, Reports)
	s.room.refuse = &runner.Refusal{Code: "bad-report", Msg: "note is too short"}
	a := s.started()
	if got := s.turn(a, s.prompt("2.1")); got.Class != "" && got.Class != "no_report" {
		t.Errorf("turn = %+v, want an end, or class no_report", got)
	}
	s.room.refuse = nil
	s.turn(a, s.prompt("3.1"))
	if reports := s.room.got(); len(reports) != 1 {
		t.Errorf("reports of the next turn = %q, want one", reports)
	}
}

func cancelHangs(t *testing.T, h Harness) {
	s := newStage(t, h, Hangs)
	ctx, cancel := context.WithCancel(t.Context())
	o := s.begin(ctx, s.started(), s.prompt("2.1"))
	o.sign()
	cancel()
	if got := o.wait(); got.Stop != runner.StopCancelled || got.Class != "" {
		t.Errorf("turn = %+v, want cancelled", got)
	}
	s.nobodyLeft()
}

func cancelBefore(t *testing.T, h Harness) {
	s := newStage(t, h, Hangs)
	ctx, cancel := context.WithCancel(t.Context())
	a := s.started()
	cancel()
	got := s.begin(ctx, a, s.prompt("2.1")).wait()
	if got.Stop != runner.StopCancelled || got.Seen != runner.SeenNo {
		t.Errorf("turn = %+v, want cancelled, seen no", got)
	}
	if answer := s.agent().Ask(t.Context(), effect(s.prompt("2.1"))); answer.State != runner.AnswerNotStarted {
		t.Errorf("Ask = %+v, want not_started", answer)
	}
}

func performsOnce(t *testing.T, h Harness) {
	s := newStage(t, h, Reports)
	s.turn(s.started(), s.prompt("2.1"))
	if got := s.turn(s.agent(), s.prompt("2.1")); got.Stop == runner.StopEndTurn || got.Seen == runner.SeenNo {
		t.Errorf("the same effect again = %+v, want a failure that does not say unseen", got)
	}
	if reports := s.room.got(); len(reports) != 1 {
		t.Errorf("reports = %q, want one", reports)
	}
}

func askBefore(t *testing.T, h Harness) {
	s := newStage(t, h, Reports)
	a := s.started()
	if got := a.Ask(t.Context(), effect(s.prompt("2.1"))); got.State != runner.AnswerNotStarted {
		t.Errorf("Ask = %+v, want not_started", got)
	}
	if got := s.turn(a, s.prompt("2.1")); got.Stop != runner.StopEndTurn {
		t.Errorf("turn = %+v, want end_turn", got)
	}
}

func askAfter(t *testing.T, h Harness) {
	s := newStage(t, h, Quiet)
	p := s.prompt("2.1")
	ended := s.turn(s.started(), p)
	got := s.agent().Ask(t.Context(), effect(p))
	switch got.State {
	case runner.AnswerEnded:
		if again, ok := got.Outcome.(runner.TurnEnded); !ok || again.Effect != ended.Effect || again.Stop != ended.Stop || again.Class != ended.Class || again.Seen != ended.Seen {
			t.Errorf("Ask = %+v, want the outcome the turn had: %+v", got, ended)
		}
	case runner.AnswerGone:
		if got.Seen == runner.SeenNo {
			t.Errorf("Ask = %+v of a turn that was taken", got)
		}
	default:
		t.Errorf("Ask = %+v, want ended or gone", got)
	}
}

func askMeanwhile(t *testing.T, h Harness) {
	s := newStage(t, h, Hangs)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o := s.begin(ctx, s.started(), s.prompt("2.1"))
	o.sign()
	// The agent that began it stands for a runner process that died.
	if got := s.agent().Ask(t.Context(), effect(s.prompt("2.1"))); got.State != runner.AnswerGone || got.Seen == runner.SeenNo {
		t.Errorf("Ask = %+v, want gone, and not unseen", got)
	}
	s.nobodyLeft()
	cancel()
	o.wait()
}

func stopLeavesNothing(t *testing.T, h Harness) {
	s := newStage(t, h, Hangs)
	a := s.started()
	ctx, cancel := context.WithCancel(t.Context())
	o := s.begin(ctx, a, s.prompt("2.1"))
	o.sign()
	cancel()
	o.wait()
	if got := a.Stop(t.Context(), runner.SessionOrder{Effect: "3.1", Epoch: 1}); got.Effect != "3.1" || len(got.Escaped) > 0 {
		t.Errorf("Stop = %+v", got)
	}
	s.nobodyLeft()
}

func (s *stage) nobodyLeft() {
	s.t.Helper()
	if s.h.Living == nil {
		return
	}
	if living := s.h.Living(s.post); len(living) > 0 {
		s.t.Errorf("still living: %v", living)
	}
}

func garbage(t *testing.T, h Harness) {
	s := newStage(t, h, Quiet)
	p := s.prompt("2.1")
	s.turn(s.started(), p)
	for _, junk := range []string{"", "{", "\x00\xff", `{"pid":2147483647,"pgid":2147483647,"start":0}`} {
		err := filepath.WalkDir(s.post.Folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			return os.WriteFile(path, []byte(junk), 0o600)
		})
		if err != nil {
			t.Fatal(err)
		}
		a := s.agent()
		a.Ask(t.Context(), effect(p))
		next := s.prompt("3.1")
		s.turn(a, next)
		a.Ask(t.Context(), effect(next))
		a.Stop(t.Context(), runner.SessionOrder{Effect: "4.1", Epoch: 1})
	}
}

func unknownMode(t *testing.T, h Harness) {
	s := newStage(t, h, Reports)
	p := s.prompt("2.1")
	p.Mode = "sideways"
	if got := s.turn(s.started(), p); got.Stop != runner.StopEndTurn {
		t.Errorf("turn = %+v, want end_turn", got)
	}
}

func bigPrompt(t *testing.T, h Harness) {
	s := newStage(t, h, Reports)
	p := s.prompt("2.1")
	p.Text = strings.Repeat("0123456789abcde\n", 1<<16)
	if got := s.turn(s.started(), p); got.Stop != runner.StopEndTurn {
		t.Errorf("turn = %+v, want end_turn", got)
	}
}

func weirdBytes(t *testing.T, h Harness) {
	s := newStage(t, h, Noisy)
	p := s.prompt("2.1")
	p.Report = nil
	p.Text = Weird
	p.Mail = []runner.PromptMail{{ID: "1", From: "bob", Body: Weird}}
	if got := s.turn(s.started(), p); got.Stop != runner.StopEndTurn {
		t.Errorf("turn = %+v, want end_turn", got)
	}
}
