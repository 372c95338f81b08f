package runner

// View is a copy of the run as people see it.
func (m *Machine) View() View {
	s := m.s
	v := View{
		Run: s.run, Team: m.p.team.Name, State: m.phase(), Seq: s.seq, At: s.now, Started: s.started,
		WallMS: s.wall.used, Turns: s.turns, Messages: s.messages, Failures: s.failures,
		Cost: knownCost(s.cost, s.unpriced), Limits: m.s.limits, Members: m.memberViews(), Tasks: m.Tasks(),
	}
	if l := s.latch; l != nil {
		exit := l.exit
		v.Outcome, v.Exit, v.Reason = Optional(l.outcome), &exit, Optional(l.reason)
	}
	return v
}

func (m *Machine) phase() string {
	switch {
	case m.s.ended:
		return "ended"
	case m.s.latch != nil:
		return m.s.latch.phase
	}
	return "running"
}

func knownCost(cost float64, unpriced bool) *float64 {
	if unpriced {
		return nil
	}
	return &cost
}

func (m *Machine) memberViews() []MemberView {
	vs := []MemberView{}
	for _, b := range m.s.members {
		v := MemberView{
			Name: b.def.Name(), Manager: Optional(b.def.Spec.Manager), Kind: b.def.Kind.Name, State: b.state(), Epoch: b.epoch,
			Turns: b.turns, Failures: b.failures, Unread: b.unread(), Reported: b.reported, Cost: knownCost(b.cost, b.unpriced),
		}
		if b.work != nil && b.work.task != nil {
			v.Task = Optional(b.work.task.def.Name())
		}
		vs = append(vs, v)
	}
	return vs
}

// Tasks is the board, in the order of the spec.
func (m *Machine) Tasks() []TaskView {
	vs := []TaskView{}
	for _, d := range m.p.team.Tasks {
		vs = append(vs, m.taskView(m.s.byTask[d.Name]))
	}
	return vs
}

// notRun is the state of a task that the run ended without finishing.
const notRun = "not_run"

func (m *Machine) taskView(t *task) TaskView {
	d := t.def.Spec
	v := TaskView{Name: d.Name, State: t.state, Round: t.round, For: d.For, Reason: Optional(t.reason), Class: Optional(t.class)}
	for _, a := range d.Run {
		v.Run = append(v.Run, a.String())
	}
	if t.began != nil {
		over := m.s.wall.used
		if t.over != nil {
			over = *t.over
		}
		v.TookMS = over - *t.began
	}
	if over := m.s.ended || m.phase() == "finishing"; over && !t.finished() {
		v.State = notRun
		if t.state == taskRunning {
			v.Reason = "cut when the run ended"
		}
	}
	return v
}

// Result is what the run ends with; it stands from the moment the run is
// latched, but for what is still open then.
func (m *Machine) Result() Result {
	s := m.s
	r := Result{
		Schema: "teamrun/result/v1", Run: s.run, Team: m.p.team.Name, Started: Moment(s.started), Ended: Moment(s.now), WallMS: s.wall.used,
		Turns: s.turns, Messages: s.messages, Failures: s.failures, Cost: knownCost(s.cost, s.unpriced),
		Members: m.memberViews(), Findings: m.findingViews(), Artifacts: []ArtifactWritten{}, FinishErr: Optional(s.finish.Error),
	}
	if s.finish.Files != nil {
		r.Artifacts = s.finish.Files
	}
	if l := s.latch; l != nil {
		r.Outcome, r.Exit, r.Reason, r.Why = l.outcome, l.exit, l.reason, l.why
	}
	for _, d := range m.p.team.Tasks {
		r.Tasks = append(r.Tasks, m.taskResult(m.s.byTask[d.Name]))
	}
	return r
}

func (m *Machine) taskResult(t *task) TaskResult {
	r := TaskResult{TaskView: m.taskView(t)}
	if e := t.ended; e != nil {
		r.Output = e.Output
		if e.Exit >= 0 {
			r.Exit = &e.Exit
		}
	}
	reports := t.reports()
	if len(t.def.Spec.For) > 1 {
		r.Reports = reports
		return r
	}
	for _, x := range reports {
		r.Report = x
	}
	return r
}

func (m *Machine) findingViews() []FindingView {
	all := []FindingView{}
	for _, d := range m.p.findings {
		for _, p := range m.s.byTask[d.Name()].parts {
			if p.state != taskDone || p.report == nil {
				continue
			}
			items, _ := p.report["findings"].([]any)
			for _, x := range items {
				all = append(all, findingView(x, d.Name(), p.member.def.Name()))
			}
		}
	}
	return all
}

func findingView(x any, task, member string) FindingView {
	f, _ := x.(map[string]any)
	text := func(k string) string { s, _ := f[k].(string); return s }
	line, _ := f["line"].(int)
	confirmed, _ := f["confirmed"].(bool)
	return FindingView{
		File: text("file"), Line: line, Severity: text("severity"), Title: text("title"), Detail: text("detail"),
		Confirmed: confirmed, Task: task, Member: member,
	}
}
