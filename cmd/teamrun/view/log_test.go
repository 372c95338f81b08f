package view

import (
	"fmt"
	"strings"
	"testing"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/spec"
)

func testTeam() *spec.Team {
	return &spec.Team{
		Name:    "pr-review",
		Members: []spec.Member{{Name: "lead"}, {Name: "security"}},
		Tasks:   []spec.Task{{Name: "vet"}, {Name: "check", For: []string{"security"}}},
	}
}

// A timer that was cancelled is forgotten; a turn is known until it ends.
func TestCancelledTimersAreForgotten(t *testing.T) {
	l := NewLog(testTeam(), "team.yaml", "v1")
	turn := runner.TakeTurn{Member: "security", Epoch: 1}
	l.Step(runner.Record{Seq: 1}, nil, []runner.Effect{{ID: "1.1", Op: runner.SetTimer{What: "turn"}}, {ID: "1.2", Op: turn}}, nil)
	l.Step(runner.Record{Seq: 2}, nil, []runner.Effect{{ID: "2.1", Op: runner.Cancel{Target: "1.1"}}, {ID: "2.2", Op: runner.Cancel{Target: "1.2"}}}, nil)
	if op, _ := l.take("1.2"); op == nil {
		t.Error("the turn is forgotten before its end")
	}
	if len(l.begun) != 0 {
		t.Errorf("kept %v", l.begun)
	}
}

// story is a short run with one of each line.
func story() []struct {
	record  runner.Record
	facts   []runner.Fact
	effects []runner.Effect
} {
	cost := 0.4
	type step = struct {
		record  runner.Record
		facts   []runner.Fact
		effects []runner.Effect
	}
	at := int64(1_764_000_000_000)
	seq := uint64(0)
	next := func(after int64, e runner.Event) runner.Record {
		seq++
		at += after
		return runner.Record{Seq: seq, At: at, Event: e}
	}
	return []step{
		{next(0, runner.RunStarted{Machine: 1, Run: "7f3k2mqa", Team: "pr-review", Digest: "4be1c0aa", Limits: runner.LimitValues{
			WallMS: 1_800_000, Turns: 60, Messages: 200, Concurrency: 4, Cost: &cost}}),
			[]runner.Fact{{Kind: "started", Text: "pr-review"}}, nil},
		{next(1, runner.Leased{Lease: 1}), nil, []runner.Effect{
			{ID: "2.1", Op: runner.SetTimer{What: "wall"}},
			{ID: "2.2", Op: runner.RunExec{Task: "vet"}},
			{ID: "2.3", Op: runner.StartSession{Member: "security", Epoch: 1}}}},
		{next(40, runner.SessionStarted{Effect: "2.3", OK: true}), []runner.Fact{{Kind: "session_started", Member: "security"}}, []runner.Effect{
			{ID: "3.1", Op: runner.TakeTurn{Member: "security", Epoch: 1, Task: "check", Mode: runner.ModeBrief, Mail: []runner.Delivery{{ID: "2"}}}}}},
		{next(7000, runner.ExecEnded{Effect: "2.2", Exit: 1, Output: &runner.Output{Bytes: 812}}),
			[]runner.Fact{{Kind: "task_failed", Task: "vet", Class: "exit", Text: "exit 1"}}, nil},
		{next(20, runner.MailSent{From: "security", Epoch: 1, To: []string{"lead"}, Body: "SQL built from user input\nin store/query.go", Size: 46}),
			[]runner.Fact{{Kind: "mail_queued", Member: "lead", Mail: "5"}}, nil},
		{next(1, runner.TurnProgress{Effect: "3.1", What: runner.ProgressSign, Text: "Read"}), nil, nil},
		{next(60_000, runner.TurnEnded{Effect: "3.1", Stop: runner.StopError, Class: "rate_limited", Code: "http 429", Text: "too many requests", Seen: runner.SeenNo, Cost: &cost}),
			[]runner.Fact{{Kind: "turn_failed", Member: "security", Turn: "3.1", Task: "check", Class: "rate_limited"},
				{Kind: "recovery", Member: "security", Text: "retry 1/6"}},
			[]runner.Effect{{ID: "7.1", Op: runner.AskBackoff{Member: "security", Attempt: 1}}}},
		{next(2, runner.BackoffDue{Effect: "7.1", At: at + 5000}), nil, nil},
		{next(3, runner.Leased{Lease: 2, DownMS: 65_000}), nil, nil},
		{next(4, runner.Reported{Member: "security", Epoch: 1, Turn: "8.1"}), nil, nil},
		{next(5, runner.Control{Act: "down"}), []runner.Fact{{Kind: "latched", Class: "cancelled", Text: "ended by down"}}, nil},
		{next(6, runner.FinishEnded{Effect: "11.1", OK: true, Files: []runner.ArtifactWritten{{Name: "a.md", Path: "/o/a.md"}, {Name: "b.json", Absent: "no report"}}}),
			[]runner.Fact{{Kind: "ended", Class: "cancelled", Text: "ended by down"}}, nil},
	}
}

func tell(l *Log) []Line {
	exit := 1
	var lines []Line
	for _, s := range story() {
		lines = append(lines, l.Step(s.record, s.facts, s.effects, func() runner.View {
			return runner.View{Outcome: "cancelled", Exit: &exit, Reason: "ended by down", Turns: 1, Failures: 1}
		})...)
	}
	return lines
}

func TestTERM12_LogLines(t *testing.T) {
	var got strings.Builder
	for _, line := range tell(NewLog(testTeam(), "team.yaml", "0.3.0")) {
		got.WriteString(line.Text + "\n")
	}
	want := `00:00.000 run      started      id=7f3k2mqa team=pr-review spec=team.yaml sha256=4be1c0 teamrun=0.3.0
00:00.000 run      limits       wall=30m turns=60 messages=200 concurrency=4 cost=0.40
00:00.001 vet      running
00:00.041 security session      epoch=1
00:00.041 security turn         turn=3.1 epoch=1 task=check mode=brief mail=2
00:07.041 vet      exited       exit=1 bytes=812 took=7s
00:07.041 vet      failed       class=exit reason="exit 1"
00:07.061 security mail         to=lead bytes=46 subject="SQL built from user input"
01:07.062 security turn_ended   turn=3.1 stop=error class=rate_limited cost=0.40 took=1m07s code="http 429" reason="too many requests"
01:07.062 security turn_failed  turn=3.1 task=check class=rate_limited
01:07.062 security recovery     text="retry 1/6"
01:07.064 security retry        attempt=1 at=01:12.062
01:07.067 run      resumed      lease=2 down=1m05s
01:07.071 security reported     turn=8.1 epoch=1
01:07.076 run      down
01:07.076 run      latched      outcome=cancelled reason="ended by down"
01:07.082 run      artifacts    written=1 left_out=b.json
01:07.082 run      ended        outcome=cancelled exit=1 turns=1 failures=1 cost=unknown reason="ended by down"
`
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// The lines of a member are its own, the mail it gets, and its tasks'.
func TestLineAbout(t *testing.T) {
	var got []string
	for _, line := range tell(NewLog(testTeam(), "team.yaml", "0.3.0")) {
		if line.About("lead") {
			got = append(got, line.Text)
		}
	}
	if len(got) != 1 || !strings.Contains(got[0], "to=lead") {
		t.Errorf("lines about lead: %q", got)
	}
	l := NewLog(testTeam(), "team.yaml", "0.3.0")
	lines := l.Step(runner.Record{Seq: 1}, []runner.Fact{{Kind: "task_done", Task: "check"}}, nil, nil)
	if len(lines) != 1 || !lines[0].About("security") || lines[0].About("lead") {
		t.Errorf("the end of a task is not a line about its performer: %+v", lines)
	}
}

// A log line stays below 500 bytes and stays one line, whatever an agent wrote.
func TestTERM12_LineIsBounded(t *testing.T) {
	l := NewLog(testTeam(), "team.yaml", "0.3.0")
	to := make([]string, 200)
	for i := range to {
		to[i] = fmt.Sprintf("member-%03d", i)
	}
	for _, body := range []string{
		strings.Repeat("😀", 4000), "\r\n\x1b[2Jcleared\x07\x00", "a\u2028b\u202etxt", strings.Repeat("\x01", 900), "##[error]boom",
	} {
		for _, e := range []runner.Event{
			runner.MailSent{From: "security", To: to, Body: body},
			runner.SessionLost{Member: body, Class: body},
		} {
			for _, line := range l.Step(runner.Record{Seq: 2, Event: e}, []runner.Fact{{Kind: "member_down", Member: "security", Text: body}}, nil, nil) {
				if len(line.Text) > 500 {
					t.Errorf("%d bytes: %.80q", len(line.Text), line.Text)
				}
				if strings.ContainsAny(line.Text, "\x1b\r\n\x07\x00\u2028\u202e") {
					t.Errorf("a control character reached the line: %q", line.Text)
				}
			}
		}
	}
}

func TestAlive(t *testing.T) {
	l := NewLog(testTeam(), "team.yaml", "0.3.0")
	l.Step(runner.Record{Seq: 1, At: 1000, Event: runner.Control{}}, nil, nil, nil)
	got := l.Alive(runner.View{
		Members: []runner.MemberView{{State: "working"}, {State: "idle"}, {State: "idle"}},
		Tasks:   []runner.TaskView{{State: "running"}, {State: "done"}}, Turns: 3,
	}, 121_000).Text
	want := "02:00.000 run      alive        working=1 backoff=0 idle=2 down=0 tasks_running=1 turns=3 cost=unknown"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
