package view

import (
	"strings"
	"testing"

	"github.com/teamrun/teamrun/runner"
)

func testResult() runner.Result {
	cost, one, exit := 0.88, 1, 1
	return runner.Result{
		Run: "7f3k2mqa", Team: "pr-review", Outcome: "failure", Exit: 1, Reason: "errors found", WallMS: 283_000, Cost: &cost,
		Why: runner.Why{By: "stop", Stop: &one, Stops: []runner.WhyStop{
			{Index: 0, Outcome: "success", When: "tasks.check.done and not any(findings, true)", Truth: "unknown", Operands: []runner.WhyOperand{
				{Path: "tasks.check.done", State: "present", Value: false},
				{Path: "findings", State: "absent"}}},
			{Index: 1, Outcome: "failure", When: "tasks.vet.failed", Truth: "true", Operands: []runner.WhyOperand{
				{Path: "tasks.vet.failed", State: "present", Value: true}}},
		}},
		Members: []runner.MemberView{
			{Name: "lead", State: "closed", Cost: &cost, Turns: 4, Reported: true},
			{Name: "security", State: "down", Turns: 5, Failures: 1},
			{Name: "writer", State: "closed"}},
		Tasks: []runner.TaskResult{
			{TaskView: runner.TaskView{Name: "vet", State: "failed", Run: []string{"go", "vet", "./..."}, Class: "exit", Reason: "exit 1", TookMS: 7000}, Exit: &exit,
				Output: &runner.Output{Head: "1\n2\n3\n4\n5\n6\n7\n8\n9\n\x1b[31mvet: bad\n", Path: "tasks/vet/1/2.2/stdout", Bytes: 40}},
			{TaskView: runner.TaskView{Name: "check", State: "not_run", For: []string{"security"}, Reason: "the run ended first"}}},
		Findings: []runner.FindingView{
			{Severity: "warning", Title: "no file", Member: "lead"},
			{Severity: "error", Title: "SQL from user input", File: "store/query.go", Line: 42, Member: "security"},
			{Severity: "warning", Title: "no line", File: "a.go", Member: "security"}},
		Artifacts: []runner.ArtifactWritten{
			{Name: "review.md", Path: "/out/review.md"}, {Name: "checks.json", Absent: "tasks.check has no report"}},
	}
}

func TestSummary(t *testing.T) {
	want := `✗ pr-review  failure: errors found  exit 1  4m43s

  ended by  stop[1] failure  tasks.vet.failed = true
  not       stop[0] success  tasks.check.done and not any(findings, true) = unknown
                    tasks.check.done = false
                    findings = unknown (not there yet)

  TASK   STATE    BY            TOOK  WHY
  vet    failed   go vet ./...    7s  exit 1
  check  not run  security         –  the run ended first

  vet printed, in /run/tasks/vet/1/2.2/stdout
    (2 lines before)
    3
    4
    5
    6
    7
    8
    9
    vet: bad

  MEMBER    RESULT        TURNS  FAILURES   COST
  lead      reported          4         0  $0.88
  security  down              5         1      –
  writer    never needed      0         0      –
  total                       9         1  $0.88

  findings   3 (1 error, 2 warnings)
    store/query.go:42: error: SQL from user input  (security)
    warning: no file  (lead)
    a.go: warning: no line  (security)
  artifact   /out/review.md
  left out   checks.json: tasks.check has no report
  next       teamrun logs 7f3k2mqa   teamrun result 7f3k2mqa --json
`
	if got := Summary(testResult(), "/run", Style{}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The first line alone is the answer, for every outcome and set of signs.
func TestSummaryFirstLine(t *testing.T) {
	for _, c := range []struct {
		outcome string
		exit    int
		style   Style
		want    string
	}{
		{"success", 0, Style{}, "✓ t  success: r  exit 0  2s"},
		{"limit", 3, Style{}, "✗ t  limit: r  exit 3  2s"},
		{"human", 4, Style{}, "! t  human: r  exit 4  2s"},
		{"success", 0, Style{Glyphs: ASCII}, "+ t  success: r  exit 0  2s"},
		{"stuck", 1, Style{Glyphs: ASCII}, "x t  stuck: r  exit 1  2s"},
		{"stuck", 1, Style{Glyphs: NoGlyphs}, "t  stuck: r  exit 1  2s"},
		{"success", 0, Style{Color: true}, "\x1b[32m✓\x1b[0m \x1b[1mt\x1b[0m  \x1b[32msuccess\x1b[0m: r  exit 0  2s"},
	} {
		got := Summary(runner.Result{Team: "t", Outcome: c.outcome, Exit: c.exit, Reason: "r", WallMS: 2000}, "/run", c.style)
		if first, _, _ := strings.Cut(got, "\n"); first != c.want {
			t.Errorf("got  %q\nwant %q", first, c.want)
		}
	}
}

// Without color there is not one escape byte, also where an agent wrote some.
func TestTERM7_NoColorNoEscape(t *testing.T) {
	r := testResult()
	r.Reason = "see \x1b[31mred\x1b[0m"
	r.Tasks[0].Reason = "\x1b]0;title\x07"
	r.Artifacts[0].Path = "/out/\x1b[2J"
	r.Why.Stops[1].Operands[0].Value = "\x1b[1mbold"
	if text := Summary(r, "/run", Style{}); strings.ContainsAny(text, "\x1b\x07") {
		t.Errorf("an escape byte in\n%q", text)
	}
}

func TestASCIISigns(t *testing.T) {
	for _, c := range Summary(testResult(), "/run", Style{Glyphs: ASCII}) {
		if c > 126 {
			t.Errorf("%q is not ASCII", c)
		}
	}
}

func TestPs(t *testing.T) {
	cost, exit := 1.9, 1
	rows := []Row{
		{ID: "7f3k2mqa", Name: "pr-review", State: "live", Started: 100_000, View: runner.View{Turns: 6, Limits: runner.LimitValues{Turns: 60}, Members: make([]runner.MemberView, 4)}},
		{ID: "7e91xab0", Name: "nightly", State: "ended", Started: 1000, View: runner.View{Turns: 22, Limits: runner.LimitValues{Turns: 60}, Outcome: "failure", Exit: &exit, Cost: &cost}},
	}
	want := `RUN       NAME       STATE  OUTCOME  EXIT  MEMBERS  TURNS   COST  STARTED
7f3k2mqa  pr-review  live   –           –        4   6/60      –  1m28s ago
7e91xab0  nightly    ended  failure     1        0  22/60  $1.90  3m07s ago
`
	if got := Runs(rows, 188_000, Style{}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPsOfOneRun(t *testing.T) {
	want := `MEMBER    STATE    EPOCH  AGENT    TURNS  FAILURES  UNREAD   COST  NOW
lead      idle         1  claude       2         0       1  $0.31  –
security  working      2  command      3         1       0      –  check

TASK   STATE    BY        WHY
check  running  security
`
	cost := 0.31
	got := Run(runner.View{
		Members: []runner.MemberView{
			{Name: "lead", State: "idle", Epoch: 1, Kind: "claude", Turns: 2, Unread: 1, Cost: &cost},
			{Name: "security", State: "working", Epoch: 2, Kind: "command", Turns: 3, Failures: 1, Task: "check"}},
		Tasks: []runner.TaskView{{Name: "check", State: "running", For: []string{"security"}}},
	}, Style{})
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSpan(t *testing.T) {
	for ms, want := range map[int64]string{0: "0ms", 340: "340ms", 7400: "7s", 283_000: "4m43s", 3_720_000: "1h02m", 273_600_000: "3d4h"} {
		if got := spanMS(ms); got != want {
			t.Errorf("%d ms: %s, want %s", ms, got, want)
		}
	}
}

// The why of a task says each thing once.
func TestTaskWhy(t *testing.T) {
	one, lost := 1, 127
	for _, c := range []struct {
		exit          *int
		class, reason runner.Optional
		want          string
	}{
		{&lost, "exit", "./check.sh is not there", "exit 127: ./check.sh is not there"},
		{&one, "exit", "exit 1: vet: bad", "exit 1: vet: bad"},
		{&one, "exit", "", "exit 1"},
		{nil, "exit", "./check.sh is not there", "exit: ./check.sh is not there"},
		{nil, "no_report", "the output is not the report: verdict is missing", "no_report: the output is not the report: verdict is missing"},
		{nil, "crashed", "crashed", "crashed"},
		{nil, "", "ann is down", "ann is down"},
	} {
		got := taskWhy(runner.TaskResult{TaskView: runner.TaskView{Class: c.class, Reason: c.reason}, Exit: c.exit})
		if got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
