package view

import (
	"fmt"
	"strconv"
	"time"

	"github.com/teamrun/teamrun/runner"
)

// Row is one run of the list of ps.
type Row struct {
	ID      string
	Name    string // of the team
	State   string // live, interrupted, ended or unreadable
	Started int64  // Unix ms
	View    runner.View
}

// Runs is the list of ps. now is Unix ms.
func Runs(rows []Row, now int64, s Style) string {
	t := table{head: []string{"RUN", "NAME", "STATE", "OUTCOME", ">EXIT", ">MEMBERS", ">TURNS", ">COST", "STARTED"}}
	for _, r := range rows {
		outcome, exit := s.none(), s.none()
		if r.View.Outcome != "" {
			outcome = string(r.View.Outcome)
		}
		if r.View.Exit != nil {
			exit = strconv.Itoa(*r.View.Exit)
		}
		ago := span(time.Duration(max(0, now-r.Started))*time.Millisecond) + " ago"
		t.row(r.ID, oneLine(r.Name, 32), r.State, outcome, exit, strconv.Itoa(len(r.View.Members)),
			fmt.Sprintf("%d/%d", r.View.Turns, r.View.Limits.Turns), s.cost(r.View.Cost), ago)
	}
	return t.text(s)
}

// Run is one run in ps: its members and its tasks.
func Run(v runner.View, s Style) string {
	if len(v.Members) == 0 {
		return Tasks(v.Tasks, s)
	}
	return Members(v.Members, s) + "\n" + Tasks(v.Tasks, s)
}

// Members is the roster of a run.
func Members(members []runner.MemberView, s Style) string {
	t := table{head: []string{"MEMBER", "STATE", ">EPOCH", "AGENT", ">TURNS", ">FAILURES", ">UNREAD", ">COST", "NOW"}}
	for _, m := range members {
		doing := s.none()
		if m.Task != "" {
			doing = string(m.Task)
		}
		t.row(m.Name, m.State, strconv.Itoa(m.Epoch), m.Kind, strconv.Itoa(m.Turns), strconv.Itoa(m.Failures),
			strconv.Itoa(m.Unread), s.cost(m.Cost), doing)
	}
	return t.text(s)
}

// Tasks is the board of a run.
func Tasks(tasks []runner.TaskView, s Style) string {
	t := table{head: []string{"TASK", "STATE", "BY", "WHY"}}
	for _, task := range tasks {
		t.row(task.Name, words(task.State), performer(task, s), taskWhy(runner.TaskResult{TaskView: task}))
	}
	return t.text(s)
}
