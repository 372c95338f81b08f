package runner_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/runnertest"
)

const oneMember = `
teamrun: v1
name: sim
members: {ada: {agent: talker, brief: Work., report: findings}}
`

// TestStepRefusesABrokenJournal: the only errors of Step are those of a journal
// that cannot be this run's.
func TestStepRefusesABrokenJournal(t *testing.T) {
	p := runnertest.Program(t, oneMember)
	start := runner.RunStarted{Machine: runner.Version, Digest: p.Team().Digest(), Limits: p.Limits()}
	newer, other := start, start
	newer.Machine++
	other.Digest = "0000"
	for name, tc := range map[string]struct {
		records []runner.Record
		want    string
	}{
		"gap":           {[]runner.Record{{Seq: 1, At: 1, Event: start}, {Seq: 3, At: 2, Event: runner.Leased{}}}, "record 3 follows record 1"},
		"no start":      {[]runner.Record{{Seq: 1, At: 1, Event: runner.Leased{}}}, "run_started is record 1"},
		"second start":  {[]runner.Record{{Seq: 1, At: 1, Event: start}, {Seq: 2, At: 2, Event: start}}, "run_started is record 1"},
		"other version": {[]runner.Record{{Seq: 1, At: 1, Event: newer}}, "use the teamrun that started it"},
		"other spec":    {[]runner.Record{{Seq: 1, At: 1, Event: other}}, "the spec found is"},
	} {
		t.Run(name, func(t *testing.T) {
			m := runner.New(p)
			var err error
			for _, r := range tc.records {
				_, err = m.Step(r)
			}
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want an error with %q", err, tc.want)
			}
		})
	}
}

// TestDecodeRefusesTheUnknown: an event of a later version is an error, not a
// silent loss.
func TestDecodeRefusesTheUnknown(t *testing.T) {
	for _, tc := range []struct{ kind, body string }{
		{"later", `{}`},
		{"turn_ended", `{"effect":"1.1","later":true}`},
		{"turn_ended", `{"effect":1}`},
		{"turn_ended", `{"effect":"1.1"} {}`},
		{"turn_ended", ``},
	} {
		if e, err := runner.DecodeEvent(tc.kind, []byte(tc.body)); err == nil {
			t.Errorf("%s %s is read as %+v", tc.kind, tc.body, e)
		}
	}
}

// TestReportReadsTheSameReplayed: what conditions see of a report live is what
// they see after a replay, number types included.
func TestReportReadsTheSameReplayed(t *testing.T) {
	s := runnertest.New(t, runnertest.Program(t, oneMember))
	s.Record(runner.SessionStarted{Effect: s.Pending("session_start", "ada").ID, OK: true})
	body, err := s.Machine.ReportBody("ada", "", []byte(`[{"severity":"note","title":"t","line":12,"confirmed":true}]`))
	if err != nil {
		t.Fatal(err)
	}
	s.Record(runner.Reported{Call: 1, Member: "ada", Epoch: 1, Body: body})
	s.Record(runner.TurnEnded{Effect: s.Pending("turn", "ada").ID, Stop: runner.StopEndTurn, Seen: runner.SeenYes})
	if err := runner.SameState(s.Machine, s.Replay()); err != nil {
		t.Fatal(err)
	}
	r := s.Machine.Result()
	want := runner.FindingView{Severity: "note", Title: "t", Line: 12, Confirmed: true, Task: "ada", Member: "ada"}
	if len(r.Findings) != 1 || r.Findings[0] != want {
		t.Errorf("findings %+v, want %+v", r.Findings, want)
	}
}

// TestResultShowsWhatDidNotRun: a task the run did not get to is not run, and a
// cut one is not failed (B13).
func TestResultShowsWhatDidNotRun(t *testing.T) {
	s := runnertest.New(t, runnertest.Program(t, `
teamrun: v1
name: sim
members: {ada: {agent: talker, brief: Work.}}
tasks:
  vet: {run: [go, vet]}
  next: {for: ada, needs: [ada], brief: b}
stop: [{when: tasks.vet.done, outcome: success, reason: vetted}]
`))
	s.Record(runner.SessionStarted{Effect: s.Pending("session_start", "ada").ID, OK: true})
	s.Record(runner.ExecEnded{Effect: s.Pending("exec", "vet").ID, Output: &runner.Output{Head: "ok", Bytes: 2}})
	s.Record(runner.TurnEnded{Effect: s.Pending("turn", "ada").ID, Stop: runner.StopCancelled, Seen: runner.SeenYes})
	s.Record(runner.SessionStopped{Effect: s.Pending("session_stop", "ada").ID})
	r := s.Machine.Result() // as finish sees it
	states := map[string]string{}
	for _, k := range r.Tasks {
		states[k.Name] = k.State + " " + string(k.Reason)
	}
	want := map[string]string{"vet": "done ", "ada": "not_run cut when the run ended", "next": "not_run "}
	if !maps.Equal(states, want) {
		t.Errorf("tasks %v, want %v", states, want)
	}
	if r.Outcome != "success" || r.Why.By != "stop" || *r.Why.Stop != 0 || r.Why.Stops[0].Truth != "true" {
		t.Errorf("outcome %s, why %+v", r.Outcome, r.Why)
	}
}

// TestSettledLeavesTheState: the state of a run does not grow with its length:
// a thousand settled mails and turns leave nothing behind.
func TestSettledLeavesTheState(t *testing.T) {
	s := runnertest.New(t, runnertest.Program(t, `
teamrun: v1
name: sim
members: {ada: {agent: talker, brief: Work., report: findings}, bob: {agent: talker}}
limits: {turns: 5000, messages: 5000}
`))
	s.Record(runner.SessionStarted{Effect: s.Pending("session_start", "ada").ID, OK: true})
	round := func(call uint64) {
		s.Record(runner.MailSent{Call: call, From: "ada", Epoch: 1, To: []string{"bob"}, Body: "x", Size: 1})
		if call == 1 {
			s.Record(runner.SessionStarted{Effect: s.Pending("session_start", "bob").ID, OK: true})
		}
		s.Record(runner.TurnEnded{Effect: s.Pending("turn", "bob").ID, Stop: runner.StopEndTurn, Seen: runner.SeenYes})
	}
	round(1)
	small := runner.StateSize(s.Machine)
	for call := range uint64(1000) {
		round(call + 2)
	}
	if big := runner.StateSize(s.Machine); big > small+200 {
		t.Errorf("the state grew from %d to %d bytes over 1,000 mails", small, big)
	}
}

// TestMailOfOnePrompt: at most 20 messages and 64 KiB ride along with a prompt,
// and a message alone always does.
func TestMailOfOnePrompt(t *testing.T) {
	for _, tc := range []struct{ mails, size, first int }{{25, 10, 20}, {3, 40 << 10, 1}, {2, 32 << 10, 2}, {1, 64 << 10, 1}} {
		s := runnertest.New(t, runnertest.Program(t, `
teamrun: v1
name: sim
members: {ada: {agent: talker, brief: Work., report: {ok: {type: bool}}}, bob: {agent: talker}}
`))
		s.Record(runner.SessionStarted{Effect: s.Pending("session_start", "ada").ID, OK: true})
		for i := range tc.mails {
			s.Record(runner.MailSent{Call: uint64(i) + 1, From: "ada", Epoch: 1, To: []string{"bob"}, Body: "x", Size: tc.size})
		}
		s.Record(runner.SessionStarted{Effect: s.Pending("session_start", "bob").ID, OK: true})
		if got := len(s.Pending("turn", "bob").Op.(runner.TakeTurn).Mail); got != tc.first {
			t.Errorf("of %d messages of %d bytes %d ride along, want %d", tc.mails, tc.size, got, tc.first)
		}
	}
}

// TestReportOfAnotherTurn: a report that names a turn which is over is late,
// also while the member is at another.
func TestReportOfAnotherTurn(t *testing.T) {
	s := runnertest.New(t, runnertest.Program(t, oneMember))
	s.Record(runner.SessionStarted{Effect: s.Pending("session_start", "ada").ID, OK: true})
	s.Record(runner.Reported{Call: 1, Member: "ada", Epoch: 1, Turn: "2.9", Body: map[string]any{"findings": []any{}}})
	s.Record(runner.TurnEnded{Effect: s.Pending("turn", "ada").ID, Stop: runner.StopEndTurn, Seen: runner.SeenYes})
	if len(s.Machine.Reports("ada")) != 0 || s.Machine.View().Members[0].Reported {
		t.Error("the report of another turn counts")
	}
}

// TestOutcomeOfAnotherKind: an outcome that is not of its effect's kind changes
// nothing.
func TestOutcomeOfAnotherKind(t *testing.T) {
	s := runnertest.New(t, runnertest.Program(t, oneMember))
	id := s.Pending("session_start", "ada").ID
	for _, e := range []runner.Event{
		runner.TimerFired{Effect: id}, runner.TurnEnded{Effect: id}, runner.ExecEnded{Effect: id}, runner.BackoffDue{Effect: id},
		runner.FinishEnded{Effect: id}, runner.SessionStopped{Effect: id}, runner.TurnProgress{Effect: id},
	} {
		s.Record(e)
	}
	s.Pending("session_start", "ada")
}

// TestLimitsAreThoseOfTheStart: a run keeps the limits it was started with.
func TestLimitsAreThoseOfTheStart(t *testing.T) {
	p := runnertest.Program(t, oneMember)
	limits := p.Limits()
	limits.Turns = 7
	m := runner.New(p)
	if _, err := m.Step(runner.Record{Seq: 1, At: 1, Event: runner.RunStarted{Machine: runner.Version, Digest: p.Team().Digest(), Limits: limits}}); err != nil {
		t.Fatal(err)
	}
	if got := m.View().Limits.Turns; got != 7 {
		t.Errorf("the limit is %d turns, want the 7 of record 1", got)
	}
}

// TestCallsAreNumberedPerEpoch: a new session counts its calls from 1 again, and
// the calls of an old one are not taken any more (M1).
func TestCallsAreNumberedPerEpoch(t *testing.T) {
	s := runnertest.New(t, runnertest.Program(t, `
teamrun: v1
name: sim
members: {ada: {agent: process, brief: Work.}, bob: {agent: talker}}
recovery: [{on: crashed, do: [replace, fail]}]
`))
	s.Record(runner.SessionStarted{Effect: s.Pending("session_start", "ada").ID, OK: true})
	mail := runner.MailSent{Call: 1, From: "ada", Epoch: 1, To: []string{"bob"}, Body: "x", Size: 1}
	s.Record(mail)
	s.Record(runner.TurnEnded{Effect: s.Pending("turn", "ada").ID, Stop: runner.StopError, Class: "crashed", Seen: runner.SeenYes})
	s.Record(runner.SessionStarted{Effect: s.Pending("session_start", "ada").ID, OK: true})
	old := mail
	old.Call = 2
	if err := s.Machine.Admit(old); err == nil {
		t.Error("a call of the replaced session is not refused")
	}
	s.Record(runner.SessionLost{Member: "ada", Epoch: 2})
	lost := mail
	lost.Epoch = 2
	if err := s.Machine.Admit(lost); err == nil {
		t.Error("a call of a lost session is not refused")
	}
	s.Record(runner.TurnEnded{Effect: s.Pending("turn", "ada").ID, Stop: runner.StopCancelled, Seen: runner.SeenYes})
	s.Record(runner.SessionStarted{Effect: s.Pending("session_start", "ada").ID, OK: true})
	s.Record(old)
	mail.Epoch = 3
	if err := s.Machine.Admit(mail); err != nil {
		t.Errorf("the first call of the new session is refused: %v", err)
	}
	s.Record(mail)
	if n := s.Machine.View().Messages; n != 2 {
		t.Errorf("%d messages, want one of each session", n)
	}
}

// BenchmarkStep is one mail and the turn it causes: three records, at a run of
// any length the same.
func BenchmarkStep(b *testing.B) {
	p := runnertest.Program(b, `
teamrun: v1
name: sim
members: {ada: {agent: talker, brief: Work., report: findings}, bob: {agent: talker}}
stop: [{when: tasks.ada.done and members.bob.turns > 3, outcome: success}]
limits: {turns: 100000000, messages: 100000000}
`)
	m := runner.New(p)
	seq := uint64(0)
	step := func(e runner.Event) []runner.Effect {
		seq++
		effects, err := m.Step(runner.Record{Seq: seq, At: int64(seq), Event: e})
		if err != nil {
			b.Fatal(err)
		}
		return effects
	}
	turnOf := func(es []runner.Effect) string {
		for _, e := range es {
			if e.Op.EffectKind() == "turn" || e.Op.EffectKind() == "session_start" {
				return e.ID
			}
		}
		b.Fatalf("no turn in %v", es)
		return ""
	}
	step(runner.RunStarted{Machine: runner.Version, Digest: p.Team().Digest(), Limits: p.Limits()})
	start := turnOf(step(runner.Leased{Lease: 1}))
	step(runner.SessionStarted{Effect: start, OK: true})
	start = turnOf(step(runner.MailSent{Call: 1, From: "ada", Epoch: 1, To: []string{"bob"}, Size: 1}))
	turn := turnOf(step(runner.SessionStarted{Effect: start, OK: true}))
	step(runner.TurnEnded{Effect: turn, Stop: runner.StopEndTurn, Seen: runner.SeenYes})
	call := uint64(1)
	for b.Loop() {
		call++
		turn := turnOf(step(runner.MailSent{Call: call, From: "ada", Epoch: 1, To: []string{"bob"}, Size: 1}))
		step(runner.TurnEnded{Effect: turn, Stop: runner.StopEndTurn, Seen: runner.SeenYes})
	}
}

// TestRepeatedCallChangesNothing: a tool call whose number was taken already is
// the same call again, after a lost answer or a crash.
func TestRepeatedCallChangesNothing(t *testing.T) {
	s := runnertest.New(t, runnertest.Program(t, `
teamrun: v1
name: sim
members: {ada: {agent: talker, brief: Work., report: {n: {type: number}}}, bob: {agent: talker}}
stop: [{when: tasks.ada.done, outcome: success}]
`))
	s.Record(runner.SessionStarted{Effect: s.Pending("session_start", "ada").ID, OK: true})
	mail := runner.MailSent{Call: 1, From: "ada", Epoch: 1, To: []string{"bob"}, Body: "x", Size: 1}
	s.Record(mail)
	s.Record(mail)
	if v := s.Machine.View(); v.Messages != 1 || v.Members[1].Unread != 1 {
		t.Errorf("%d messages and %d unread after a repeated call, want 1 and 1", v.Messages, v.Members[1].Unread)
	}
	s.Record(runner.Reported{Call: 2, Member: "ada", Epoch: 1, Body: map[string]any{"n": 1}})
	s.Record(runner.Reported{Call: 2, Member: "ada", Epoch: 1, Body: map[string]any{"n": 2}})
	s.Record(runner.TurnEnded{Effect: s.Pending("turn", "ada").ID, Stop: runner.StopEndTurn, Seen: runner.SeenYes})
	if n := s.Machine.Reports("ada")["ada"]["n"]; n != 1 {
		t.Errorf("the repeated report counts: n = %v", n)
	}
	mail.Call = 3
	s.Record(mail)
	if v := s.Machine.View(); v.Messages != 1 {
		t.Errorf("mail behind the end of the run is taken: %d messages", v.Messages)
	}
	if err := s.Machine.Admit(mail); err == nil {
		t.Error("mail behind the end of the run is not refused")
	}
}
