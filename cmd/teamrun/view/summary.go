package view

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/teamrun/teamrun/runner"
)

// Summary is the result of a run for people. Its first line alone is the
// answer; the why, the tables and the next commands follow.
// folder is the run's, where the output of its processes is.
func Summary(r runner.Result, folder string, s Style) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s  %s: %s  exit %d  %s\n\n", s.mark(r.Outcome), s.paint(bold, oneLine(r.Team, 64)),
		s.paint(outcomeColor(r.Outcome), r.Outcome), oneLine(r.Reason, 200), r.Exit, spanMS(r.WallMS))
	writeWhy(&b, r)
	writeTasks(&b, r, s)
	writeOutputs(&b, r, folder)
	writeMembers(&b, r, s)
	writeProducts(&b, r)
	fmt.Fprintf(&b, "  next       teamrun logs %s   teamrun result %s --json\n", r.Run, r.Run)
	return b.String()
}

func writeTasks(b *strings.Builder, r runner.Result, s Style) {
	t := table{indent: "  ", head: []string{"TASK", "STATE", "BY", ">TOOK", "WHY"}}
	for _, task := range r.Tasks {
		took := s.none()
		if task.TookMS > 0 {
			took = spanMS(task.TookMS)
		}
		t.row(task.Name, words(task.State), performer(task.TaskView, s), took, taskWhy(task))
	}
	t.write(b, s)
	b.WriteByte('\n')
}

// performer is who does a task: its members or the start of its command.
func performer(t runner.TaskView, s Style) string {
	switch {
	case len(t.For) > 0:
		return oneLine(strings.Join(t.For, ", "), 24)
	case len(t.Run) > 0:
		return oneLine(strings.Join(t.Run, " "), 24)
	}
	return s.none()
}

// taskWhy says in one cell why a task is where it is: its class and reason, the
// exit status of a process that did not end well.
func taskWhy(t runner.TaskResult) string {
	why, class := oneLine(string(t.Reason), 160), string(t.Class)
	if t.Exit != nil && *t.Exit > 0 {
		why = headed("exit "+strconv.Itoa(*t.Exit), why) // which says the class exit
	}
	return headed(class, why)
}

// headed is a text behind its heading, unless it says it itself.
func headed(head, text string) string {
	if strings.Contains(text, head) {
		return text
	}
	return strings.TrimSuffix(head+": "+text, ": ")
}

// words is a state as people read it.
func words(state string) string { return strings.ReplaceAll(state, "_", " ") }

func writeMembers(b *strings.Builder, r runner.Result, s Style) {
	if len(r.Members) == 0 {
		return
	}
	t := table{indent: "  ", head: []string{"MEMBER", "RESULT", ">TURNS", ">FAILURES", ">COST"}}
	turns, failures := 0, 0
	for _, m := range r.Members {
		turns, failures = turns+m.Turns, failures+m.Failures
		t.row(m.Name, memberResult(m), strconv.Itoa(m.Turns), strconv.Itoa(m.Failures), s.cost(m.Cost))
	}
	t.row("total", "", strconv.Itoa(turns), strconv.Itoa(failures), s.cost(r.Cost))
	t.write(b, s)
	b.WriteByte('\n')
}

func memberResult(m runner.MemberView) string {
	switch {
	case m.State == "down":
		return "down"
	case m.Reported:
		return "reported"
	case m.Turns == 0:
		return "never needed"
	}
	return "worked"
}

// writeProducts lists what the run leaves: findings by severity, artifacts
// written and left out.
func writeProducts(b *strings.Builder, r runner.Result) {
	if len(r.Findings) > 0 {
		by := map[string]int{}
		for _, f := range r.Findings {
			by[f.Severity]++
		}
		var parts []string
		for _, severity := range []string{"error", "warning", "note"} {
			if by[severity] > 0 {
				parts = append(parts, Count(by[severity], severity))
			}
		}
		fmt.Fprintf(b, "  findings   %d (%s)\n", len(r.Findings), strings.Join(parts, ", "))
		writeFindings(b, r.Findings)
	}
	for _, a := range r.Artifacts {
		if a.Absent != "" {
			fmt.Fprintf(b, "  left out   %s: %s\n", oneLine(a.Name, 64), oneLine(string(a.Absent), 120))
		} else {
			fmt.Fprintf(b, "  artifact   %s\n", oneLine(string(a.Path), 200))
		}
	}
	if r.FinishErr != "" {
		fmt.Fprintf(b, "  problem    %s\n", oneLine(string(r.FinishErr), 200))
	}
}
