package runner

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/teamrun/teamrun/spec"
)

// stopTruth is what a stop was worth when the values it reads last changed.
type stopTruth struct {
	truth spec.Truth
	asked bool
}

// checkStops asks the stops in their order: the first true one ends the run,
// but no success is taken behind a stop in error; an error ends the run if no
// stop is true. Only stops whose operands changed are evaluated.
func (m *Machine) checkStops() {
	failed := -1
	for i, stop := range m.p.team.Stops {
		t := &m.stops[i]
		if !t.asked || m.env.changed(stop.When.Reads()) {
			t.truth, t.asked = stop.When.Eval(m.env), true
		}
	}
	m.env.settle()
	for i, stop := range m.p.team.Stops {
		switch m.stops[i].truth {
		case spec.Failed:
			if failed < 0 {
				failed = i
			}
		case spec.True:
			if stop.Outcome == "success" && failed >= 0 {
				continue
			}
			m.latchRun(latch{outcome: stop.Outcome, exit: boolInt(stop.Outcome != "success"), reason: stop.Reason, why: Why{By: "stop", Stop: &i}})
			return
		}
	}
	switch {
	case failed >= 0:
		m.latchRun(latch{outcome: "error", exit: 1, reason: m.stopError(failed), why: Why{By: "stop", Stop: &failed}})
	case len(m.p.team.Stops) == 0:
		m.checkAllTasks()
	}
}

// checkAllTasks is the stop of a spec without stops.
func (m *Machine) checkAllTasks() {
	for _, t := range m.s.tasks {
		if t.state != taskDone && t.state != taskSkipped {
			return
		}
	}
	m.latchRun(latch{outcome: "success", reason: "all tasks are done", why: Why{By: "all_tasks"}})
}

// stopError says why a stop is in error, and which success was not taken for it.
func (m *Machine) stopError(i int) string {
	why := m.p.team.Stops[i].When.Explain(m.env)
	text := fmt.Sprintf("stop[%d] is in error: %s", i, cmp.Or(problem(why), why.Source))
	for k, stop := range m.p.team.Stops {
		if k > i && m.stops[k].truth == spec.True {
			text += fmt.Sprintf("; stop[%d] %s was not taken for it", k, stop.Outcome)
		}
	}
	return text
}

// checkStuck ends a run in which nothing can happen any more.
func (m *Machine) checkStuck() {
	if m.busy() {
		return
	}
	failed := slices.IndexFunc(m.s.tasks, func(t *task) bool { return t.state == taskFailed })
	var parts []string
	if failed >= 0 {
		t := m.s.tasks[failed]
		parts = append(parts, fmt.Sprintf("task %s failed (%s)", t.def.Name(), t.reason))
	}
	if len(m.p.team.Stops) == 0 {
		m.latchRun(latch{outcome: "failure", exit: 1, reason: strings.Join(append(parts, "nothing can run any more"), "; "), why: Why{By: "stuck"}})
		return
	}
	parts = append(parts, "nothing can run any more and no stop is true")
	if absent := m.missing(); len(absent) > 0 {
		parts = append(parts, "missing: "+strings.Join(absent, ", "))
	}
	m.latchRun(latch{outcome: "stuck", exit: 1, reason: strings.Join(parts, "; "), why: Why{By: "stuck"}})
}

// missing are the operands of the stops that have no value, each once.
func (m *Machine) missing() []string {
	var absent []string
	for _, stop := range m.p.team.Stops {
		for _, o := range operands(stop.When.Explain(m.env)) {
			if o.State != "present" && !slices.Contains(absent, o.Path) {
				absent = append(absent, o.Path)
			}
		}
	}
	return absent
}

// latchRun decides that the run ends, with what every stop was worth then. The
// first decision stands.
func (m *Machine) latchRun(l latch) {
	if m.s.latch != nil {
		return
	}
	l.at, l.phase = m.s.now, "latched"
	l.why.Stops = m.explainStops()
	if l.exit == 1 && l.outcome != "cancelled" && m.needsHuman() {
		l.outcome, l.exit = "human", 4
	}
	m.s.latch = &l
	m.fact(Fact{Kind: "latched", Class: l.outcome, Text: l.reason})
}

// needsHuman: a run without success in which a task failed for want of a login
// or a permission asks for a person.
func (m *Machine) needsHuman() bool {
	return slices.ContainsFunc(m.s.tasks, func(t *task) bool {
		return t.state == taskFailed && slices.ContainsFunc(t.parts, func(p *part) bool {
			return p.class == "auth" || p.class == "blocked"
		})
	})
}

func (m *Machine) explainStops() []WhyStop {
	stops := []WhyStop{}
	for i, stop := range m.p.team.Stops {
		why := stop.When.Explain(m.env)
		w := WhyStop{Index: i, Outcome: stop.Outcome, When: stop.When.Source(), Truth: why.Truth.String(), Operands: operands(why)}
		if why.Truth == spec.Failed {
			w.Error = Optional(problem(why))
		}
		stops = append(stops, w)
	}
	return stops
}
