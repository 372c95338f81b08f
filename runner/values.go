package runner

import (
	"slices"
	"strings"

	"github.com/teamrun/teamrun/spec"
)

// values is the machine as its conditions see it: a nested map, rebuilt group
// by group ("members.qa", "tasks.vet", "findings", "run") where something
// changed. It implements spec.Env.
type values struct {
	m     *Machine
	all   map[string]any
	stale map[string]bool // to be rebuilt before the next look
	news  map[string]bool // changed since the stops were last asked
}

var _ spec.Env = (*values)(nil)

func newValues(m *Machine) *values {
	params := map[string]any{}
	for _, p := range m.p.team.Params {
		if v, ok := p.Typed(); ok {
			params[p.Name] = v
		}
	}
	v := &values{
		m: m, stale: map[string]bool{"run": true, "findings": true}, news: map[string]bool{},
		all: map[string]any{"params": params, "members": map[string]any{}, "tasks": map[string]any{}},
	}
	for _, b := range m.s.members {
		v.stale["members."+b.def.Name()] = true
	}
	for _, t := range m.s.tasks {
		v.stale["tasks."+t.def.Name()] = true
	}
	return v
}

// touch says that values of these groups may have changed.
func (m *Machine) touch(groups ...string) {
	for _, g := range groups {
		m.env.stale[g], m.env.news[g] = true, true
	}
}

// changed reports whether one of the groups has news for the stops.
func (v *values) changed(groups []string) bool {
	return slices.ContainsFunc(groups, func(g string) bool { return v.news[g] })
}

// settle marks all news as seen.
func (v *values) settle() { clear(v.news) }

// Values implements spec.Env.
func (v *values) Values() map[string]any {
	for g := range v.stale {
		root, name, _ := strings.Cut(g, ".")
		switch root {
		case "members":
			v.all["members"].(map[string]any)[name] = v.member(v.m.s.byName[name])
		case "tasks":
			v.all["tasks"].(map[string]any)[name] = v.task(v.m.s.byTask[name])
		case "run":
			v.all["run"] = v.run()
		case "findings":
			if v.findingsKnown() {
				v.all["findings"] = v.findings()
			}
		}
	}
	clear(v.stale)
	return v.all
}

func (v *values) member(b *member) map[string]any {
	x := map[string]any{
		"state": b.state(), "reported": b.reported, "failures": b.failures, "turns": b.turns, "unread": b.unread(),
	}
	if b.report != nil {
		x["report"] = b.report
	}
	if !b.unpriced {
		x["cost"] = b.cost
	}
	return x
}

func (v *values) task(t *task) map[string]any {
	x := map[string]any{
		"state": t.state, "round": t.round, "finished": t.finished(),
		"done": t.state == taskDone, "failed": t.state == taskFailed, "skipped": t.state == taskSkipped,
	}
	if !t.finished() {
		return x
	}
	if t.ended != nil && t.ended.Output != nil {
		x["output"] = t.ended.Output.Head
	}
	reports := map[string]any{}
	for name, r := range t.reports() {
		reports[name] = r
		if len(t.parts) == 1 {
			x["report"] = r
		}
	}
	if len(reports) > 0 {
		x["reports"] = reports
	}
	return x
}

func (v *values) run() map[string]any {
	s := v.m.s
	x := map[string]any{"turns": s.turns, "messages": s.messages, "failures": s.failures, "tasks_done": s.tasksDone}
	if !s.unpriced {
		x["cost"] = s.cost
	}
	return x
}

// findingsKnown: the findings exist once every task that reports some is
// finished and one is done.
func (v *values) findingsKnown() bool {
	done := false
	for _, d := range v.m.p.findings {
		t := v.m.s.byTask[d.Name()]
		if !t.finished() {
			return false
		}
		done = done || t.state == taskDone
	}
	return done
}

// findings are those reported by now, in the order of the tasks.
func (v *values) findings() []any {
	all := []any{}
	for _, d := range v.m.p.findings {
		for _, p := range v.m.s.byTask[d.Name()].parts {
			if p.state == taskDone && p.report != nil {
				items, _ := p.report["findings"].([]any)
				all = append(all, items...)
			}
		}
	}
	return all
}

// SoFar implements spec.Env.
func (v *values) SoFar(root string) []any {
	if root != "findings" {
		return nil
	}
	return v.findings()
}

// Never implements spec.Env.
func (v *values) Never(path []string) bool {
	s := v.m.s
	switch {
	case path[0] == "findings":
		for _, d := range v.m.p.findings {
			if !s.byTask[d.Name()].finished() {
				return false
			}
		}
		return !v.findingsKnown()
	case path[0] == "tasks" && len(path) > 1 && s.byTask[path[1]] != nil:
		return s.byTask[path[1]].finished()
	case path[0] == "members" && len(path) > 2 && path[2] == "report" && s.byName[path[1]] != nil:
		return s.byName[path[1]].gone != ""
	}
	return false
}
