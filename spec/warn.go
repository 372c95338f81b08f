package spec

import (
	"slices"
	"strings"
)

// warnings says what is allowed and hardly meant.
func (r *resolver) warnings() {
	r.unused()
	r.noCounterpart()
	r.noSuccess()
	r.twoWriters()
}

func (r *resolver) unused() {
	if r.failed() {
		return // what is wrong may be what uses it
	}
	for _, s := range r.team.Stops {
		for _, name := range s.When.Reads() {
			if p, ok := strings.CutPrefix(name, "params."); ok {
				r.used[p] = true
			}
		}
	}
	for _, p := range r.team.Params {
		if !r.used[p.Name] {
			r.warnAtKey(join("params", p.Name), "unused", "param %s is not used", p.Name)
		}
	}
	for _, s := range r.raw.Schemas {
		if !r.usedRep[s.Name] && s.Name != findingsName {
			r.warnAtKey(join("schemas", s.Name), "unused", "schema %s is not used", s.Name)
		}
	}
	for _, a := range r.raw.Agents {
		if r.useAt[a.Name] == "" {
			r.warnAtKey(join("agents", a.Name), "unused", "agent %s is not used", a.Name)
		}
	}
}

// endings are the values of a task, or member, that tell of an end that is not done.
var endings = []string{"finished", "failed", "skipped", "state"}

// noCounterpart warns about a success stop that waits for a task to be done
// where no stop says what happens when that task is not.
func (r *resolver) noCounterpart() {
	for _, s := range r.team.Stops {
		if s.Outcome != "success" || s.When == nil {
			return
		}
		if s.When.readsAny(func(p *condPath) bool { return len(p.steps) == 3 && slices.Contains(endings, p.steps[2]) }) {
			return
		}
	}
	for i, s := range r.team.Stops {
		for _, name := range s.When.Reads() {
			if task, ok := strings.CutPrefix(name, "tasks."); ok {
				r.warnf(join(index("stop", i), "when"), "no-counterpart", "nothing ends the run when task %s fails: it would be stuck; add a stop with outcome: failure", task)
				return
			}
		}
	}
}

// noSuccess warns about stops of which none is a success.
func (r *resolver) noSuccess() {
	if r.failed() {
		return
	}
	for _, s := range r.team.Stops {
		if s.Outcome != "failure" {
			return
		}
	}
	if len(r.team.Stops) > 0 {
		r.warnAtKey("stop", "no-success", "every stop is a failure, so the run can only fail or be stuck; add a stop with outcome: success")
	}
}

// twoWriters warns about members that can write the same files.
func (r *resolver) twoWriters() {
	var first *Member
	for i := range r.team.Members {
		m := &r.team.Members[i]
		kind := r.kind(m.Agent.Kind)
		if kind == nil || m.Writes.Mode == "none" {
			continue
		}
		said := m.Writes.Mode == "all" && r.saysWrites(m.Name)
		if !kind.Writes && !said {
			continue
		}
		if first == nil {
			first = m
			continue
		}
		if overlap(first.Writes, m.Writes) {
			r.warnAtKey(r.memberPath(m.Name), "two-writers", "%s and %s may write the same files of one folder; give all but one writes: none or globs of its own", first.Name, m.Name)
			return
		}
	}
}

// saysWrites reports whether writes was written for a member or for all.
func (r *resolver) saysWrites(name string) bool {
	return r.has(join(r.memberPath(name), "writes")) || r.has("defaults.writes")
}

func (r *resolver) memberPath(name string) string {
	if path := join("managers", name); r.has(path) {
		return path
	}
	return join("members", name)
}

// overlap is careful: two different globs are taken for different files.
func overlap(a, b Writes) bool {
	if a.Mode == "globs" && b.Mode == "globs" {
		return slices.ContainsFunc(a.Globs, func(g string) bool { return slices.Contains(b.Globs, g) })
	}
	return true
}
