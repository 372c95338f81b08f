package runner

import (
	"cmp"
	"fmt"
	"slices"
)

// settleTasks brings the board to its fixpoint. The tasks stand in topological
// order, so one pass does; it alone finishes tasks.
func (m *Machine) settleTasks() {
	for _, t := range m.s.tasks {
		if t.state == taskWaiting {
			m.settleNeeds(t)
		}
		if len(t.parts) > 0 && !t.finished() {
			m.settleParts(t)
		}
	}
}

// settleNeeds makes a waiting task ready, or skips it when a need ended
// otherwise than it has to.
func (m *Machine) settleNeeds(t *task) {
	ready := true
	for _, n := range t.def.Spec.Needs {
		x := m.s.byTask[n.Task]
		switch {
		case !x.finished():
			ready = false
		case n.How == taskDone && x.state != taskDone:
			m.finishTask(t, taskSkipped, fmt.Sprintf("needs %s, which %s", n.Task, pastTense(x.state)), "")
			return
		}
	}
	if !ready {
		return
	}
	t.state = taskReady
	m.touch("tasks." + t.def.Name())
	m.fact(Fact{Kind: "task_ready", Task: t.def.Name()})
	for _, b := range m.s.performers(t.def.Spec) {
		p := &part{member: b, state: taskReady}
		t.parts = append(t.parts, p)
		if b.gone != "" {
			p.state, p.reason = taskFailed, b.def.Name()+" is down"
			continue
		}
		b.todo = append(b.todo, &work{task: t, round: t.round, ready: m.s.seq})
	}
}

func pastTense(state string) string {
	switch state {
	case taskFailed:
		return "failed"
	case taskSkipped:
		return "was skipped"
	}
	return "is " + state
}

// settleParts finishes a task whose parts have all ended: done if all are
// done, else failed; reports of done parts stay.
func (m *Machine) settleParts(t *task) {
	var failed *part
	for _, p := range t.parts {
		switch p.state {
		case taskReady, taskRunning:
			return
		case taskFailed:
			if failed == nil {
				failed = p
			}
		}
	}
	if failed == nil {
		m.finishTask(t, taskDone, "", "")
		return
	}
	why := failed.reason
	if len(t.parts) > 1 {
		why = failed.member.def.Name() + ": " + why
	}
	m.finishTask(t, taskFailed, why, failed.class)
}

func (m *Machine) finishTask(t *task, state, reason, class string) {
	t.state, t.reason, t.class = state, reason, class
	t.over = m.wallUsed()
	m.s.tasksDone += boolInt(state == taskDone)
	m.touch("tasks."+t.def.Name(), "run")
	if m.p.reportsFindings(t.def) {
		m.touch("findings")
	}
	m.fact(Fact{Kind: "task_" + state, Task: t.def.Name(), Class: class, Text: reason})
}

// admitExecs starts the processes of ready run tasks, which hold no member's
// slot but are bounded by concurrency of their own.
func (m *Machine) admitExecs() {
	running := 0
	for _, t := range m.s.tasks {
		running += boolInt(t.exec != "")
	}
	for _, t := range m.s.tasks {
		if t.state != taskReady || len(t.def.Spec.Run) == 0 || running >= m.s.limits.Concurrency {
			continue
		}
		running++
		m.startTask(t)
		t.exec = m.do(RunExec{Task: t.def.Name(), Round: t.round})
		if d := t.def.Spec.Timeout; d > 0 {
			t.timer = m.timer(m.s.now+d.Milliseconds(), timerTask, t.def.Name())
		}
	}
}

func (m *Machine) startTask(t *task) {
	if t.state == taskRunning {
		return
	}
	t.state = taskRunning
	if t.began == nil {
		t.began = m.wallUsed()
	}
	m.touch("tasks." + t.def.Name())
	m.fact(Fact{Kind: "task_running", Task: t.def.Name()})
}

// execEnded judges a run task: it has no ladder, and is never run twice when
// its end is unknown.
func (m *Machine) execEnded(op RunExec, e ExecEnded) {
	t := m.s.byTask[op.Task]
	t.exec = ""
	m.cancelTimer(&t.timer)
	if m.s.latch != nil {
		t.over = m.wallUsed()
		return
	}
	if e.Class == classCancelled && !t.late {
		// Ended in order by a runner that was told to stop: nothing is unknown,
		// so it may run again.
		t.state = taskReady
		m.touch("tasks." + op.Task)
		return
	}
	t.ended = &e
	spec := t.def.Spec
	switch {
	case t.late:
		m.finishTask(t, taskFailed, "timeout after "+shortDuration(spec.Timeout), "turn_limit")
	case e.Class == classUnknown:
		m.finishTask(t, taskFailed, "its end is unknown after a crash of the runner", classUnknown)
	case e.Class != "":
		m.finishTask(t, taskFailed, cmp.Or(e.Text, e.Class), e.Class)
	case slices.Contains(spec.OKExit, e.Exit):
		m.finishTask(t, taskDone, "", "")
	default:
		m.finishTask(t, taskFailed, describe(fmt.Sprintf("exit %d", e.Exit), e.Text), classExit)
	}
}

// Reports are the reports of a finished task, by member.
func (m *Machine) Reports(name string) map[string]map[string]any {
	t := m.s.byTask[name]
	if t == nil || !t.finished() {
		return nil
	}
	return t.reports()
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// wallUsed is the time of the run under a lease, in ms.
func (m *Machine) wallUsed() *int64 {
	used := m.s.wall.used
	return &used
}
