package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/spec"
)

// Line is one line of a log.
type Line struct {
	Text string // without its line end
	// members are those the line is about.
	members []string
}

// About reports whether the line is about a member.
func (l Line) About(member string) bool { return slices.Contains(l.members, member) }

// Log turns the steps of a run into plain lines: one event a line, columns
// elapsed, subject, event, then key=value pairs. The order of the pairs is part
// of the contract. The same lines come from a live run and from a replay.
type Log struct {
	spec    string
	version string
	width   int
	doers   map[string][]string // of a task
	start   int64
	now     int64
	// begun holds the pending effects that later outcomes name only by id.
	begun map[string]begun
}

type begun struct {
	op runner.Op
	at int64
}

// NewLog is a log for a run of team, whose spec the user knows as path.
func NewLog(team *spec.Team, path, version string) *Log {
	l := &Log{spec: path, version: version, width: len("run"), doers: map[string][]string{}, begun: map[string]begun{}}
	for _, m := range team.Members {
		l.width = max(l.width, len(m.Name))
	}
	for _, t := range team.Tasks {
		l.width = max(l.width, len(t.Name))
		l.doers[t.Name] = t.For
	}
	return l
}

// Step is the lines of one step, often none. view is asked only when the run
// has ended.
func (l *Log) Step(r runner.Record, facts []runner.Fact, effects []runner.Effect, view func() runner.View) []Line {
	if r.Seq == 1 {
		l.start = r.At
	}
	l.now = max(l.now, r.At)
	lines := l.record(r.Event)
	for _, f := range facts {
		lines = append(lines, l.fact(f, view)...)
	}
	for _, e := range effects {
		lines = append(lines, l.effect(e)...)
	}
	return lines
}

// Alive is the line that shows the run is not hung when nothing else did. now
// is Unix ms.
func (l *Log) Alive(v runner.View, now int64) Line {
	states := map[string]int{}
	for _, m := range v.Members {
		states[m.State]++
	}
	running := 0
	for _, t := range v.Tasks {
		if t.State == "running" {
			running++
		}
	}
	l.now = max(l.now, now)
	return l.run("alive", pairs(
		"working", states["working"], "backoff", states["backoff"], "idle", states["idle"],
		"down", states["down"], "tasks_running", running, "turns", v.Turns, "cost", v.Cost))[0]
}

// run is a line about the run. Lines come as lists, for the callers that may
// have none.
func (l *Log) run(event, rest string) []Line { return l.line("run", nil, event, rest) }

// member is a line about a member and those it has to do with.
func (l *Log) member(name, event, rest string, others ...string) []Line {
	return l.line(name, append([]string{name}, others...), event, rest)
}

// task is a line about a task.
func (l *Log) task(name, event, rest string) []Line { return l.line(name, l.doers[name], event, rest) }

func (l *Log) line(subject string, members []string, event, rest string) []Line {
	text := fmt.Sprintf("%s %-*s %-12s %s", clock(l.now-l.start), l.width, oneLine(subject, 64), event, rest)
	return []Line{{bounded(strings.TrimRight(text, " ")), members}}
}

// remember keeps a pending effect until its outcome comes.
func (l *Log) remember(e runner.Effect) {
	if e.Op.Pending() {
		l.begun[e.ID] = begun{e.Op, l.now}
	}
}

// forget drops a timer that was cancelled: nothing names it any more. Anything
// else that is cancelled still has an outcome.
func (l *Log) forget(id string) {
	if _, timer := l.begun[id].op.(runner.SetTimer); timer {
		delete(l.begun, id)
	}
}

// take forgets a pending effect and returns it with the time it took.
func (l *Log) take(id string) (op runner.Op, took string) {
	b := l.begun[id]
	delete(l.begun, id)
	return b.op, spanMS(l.now - b.at)
}
