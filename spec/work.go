package spec

import (
	"slices"
	"strings"
)

// resolveTasks puts declared tasks and briefs in the order of the file.
func (r *resolver) resolveTasks() {
	briefs := r.briefs()
	declared := r.declared()
	if first := "members"; r.before("tasks", first) && r.before("tasks", "managers") {
		r.team.Tasks = append(declared, briefs...)
	} else if r.before("tasks", "managers") != r.before("tasks", "members") {
		r.team.Tasks = r.between(briefs, declared)
	} else {
		r.team.Tasks = append(briefs, declared...)
	}
	if len(r.team.Tasks) == 0 && !r.misspelled && !r.failedIn("tasks") && !r.failedIn("members") && !r.failedIn("managers") {
		at := ""
		if r.has("tasks") {
			at = "tasks"
		}
		r.errorf(at, "no-task", "the team has no task; give a member a brief or declare one under tasks")
	}
	r.checkNeeds()
}

func (r *resolver) failedIn(key string) bool { return r.has(key) && r.failedBelow(key) }

// between puts the declared tasks between the briefs of members and managers.
func (r *resolver) between(briefs, declared []Task) []Task {
	first := "members"
	if r.before("managers", "members") {
		first = "managers"
	}
	var before, after []Task
	for _, t := range briefs {
		if r.has(join(first, t.Name)) {
			before = append(before, t)
		} else {
			after = append(after, t)
		}
	}
	return slices.Concat(before, declared, after)
}

// briefs makes a task of each member's brief.
func (r *resolver) briefs() []Task {
	var out []Task
	for i, m := range r.roster() {
		at := join(m.path, "brief")
		if !r.has(at) {
			continue
		}
		for _, t := range r.raw.Tasks {
			if strings.EqualFold(t.Name, m.raw.Name) {
				r.errorAtKey(at, "name-clash", "%s makes a task %s, and tasks.%s is declared too; keep one of them", at, m.raw.Name, t.Name)
			}
		}
		out = append(out, Task{
			Name: m.raw.Name, Pos: r.keyAt(at).pos(), For: []string{m.raw.Name},
			Report: r.team.Members[i].Report, Brief: m.raw.Brief,
		})
	}
	return out
}

// maxExit is the largest exit status a process can have.
const maxExit = 255

func (r *resolver) declared() []Task {
	var out []Task
	for i := range r.raw.Tasks {
		raw := &r.raw.Tasks[i]
		path := join("tasks", raw.Name)
		t := Task{
			Name: raw.Name, Pos: r.keyAt(path).pos(), Run: raw.Run, Env: raw.Env, OKExit: raw.OKExit,
			Report: r.report(&raw.Report, join(path, "report")), Brief: raw.Brief, Timeout: raw.Timeout,
		}
		r.way(raw, path)
		r.env(raw.Env, join(path, "env"))
		for k, name := range raw.For {
			at := r.item(join(path, "for"), k)
			switch {
			case slices.Contains(t.For, name):
				r.errorf(at, "twice", "%s names %s twice; a member has one part in a task", join(path, "for"), name)
			case r.knownMember(r.team, name, at, join(path, "for")):
				t.For = append(t.For, name)
			}
		}
		for k, code := range raw.OKExit {
			if code > maxExit {
				at := r.item(join(path, "ok_exit"), k)
				r.errorf(at, "out-of-range", "%s must be at most %d, not %d", at, maxExit, code)
			}
		}
		if len(raw.Run) > 0 && len(t.OKExit) == 0 {
			t.OKExit = []int{0}
		}
		for _, n := range raw.Needs {
			t.Needs = append(t.Needs, Need{n.Task, n.How})
		}
		out = append(out, t)
	}
	return out
}

// way checks that a task has one way of being performed and no key of another.
func (r *resolver) way(raw *rawTask, path string) {
	has := func(key string) bool { return r.has(join(path, key)) }
	var ways []string
	for _, way := range []string{"for", "run", "human", "vote"} {
		if has(way) {
			ways = append(ways, way)
		}
	}
	switch {
	case !r.isMapping(path):
		return // has been refused
	case len(ways) == 0:
		r.errorAtKey(path, "missing-key", "%s needs one of the keys for and run: who performs it", path)
		return
	case len(ways) > 1:
		r.errorAtKey(join(path, ways[1]), "wrong-key", "%s has %s; a task has one way of being performed", path, list(ways, "and"))
		return
	}
	switch ways[0] {
	case "for":
		if len(raw.For) == 0 && !r.failedBelow(join(path, "for")) {
			r.errorf(join(path, "for"), "empty-value", "%s is an empty list", join(path, "for"))
		}
		if has("timeout") {
			r.errorAtKey(join(path, "timeout"), "timeout-on-for", "%s: timeout is for run tasks; a turn of a member is bounded by turn_timeout", path)
		}
		for _, key := range []string{"env", "ok_exit"} {
			if has(key) {
				r.errorAtKey(join(path, key), "wrong-key", "%s is performed by members; %s is for run tasks", path, key)
			}
		}
	case "run":
		for _, key := range []string{"brief", "report"} {
			if has(key) {
				r.errorAtKey(join(path, key), "wrong-key", "%s runs a command; %s is for tasks that members perform, a command has output", path, key)
			}
		}
	}
}

// checkNeeds refuses needs that can never come true.
func (r *resolver) checkNeeds() {
	edges := map[string][]rawNeed{}
	for i := range r.raw.Tasks {
		t := &r.raw.Tasks[i]
		var seen []string
		for _, n := range t.Needs {
			switch {
			case n.Task == "":
				continue
			case slices.Contains(seen, n.Task):
				r.errorf(n.path, "twice", "tasks.%s needs %s twice", t.Name, n.Task)
				continue
			case !slices.Contains(r.team.taskNames(), n.Task):
				r.loader.errorAtNeed(n, "unknown-task", "no task "+quote(n.Task)+" in tasks."+t.Name+".needs"+meant(n.Task, r.team.taskNames()))
				continue
			}
			seen = append(seen, n.Task)
			if n.How != "" && n.How != "done" && n.How != "finished" {
				if slices.Contains(taskStates, n.How) {
					r.errorf(n.path, "impossible-need", "a need is done or finished: %s can never be waited for, because every other end skips this task", n.How)
				} else {
					r.errorf(n.path, "unknown-value", "%s must be done or finished, not %q%s", n.path, n.How, didYouMean(n.How, []string{"done", "finished"}))
				}
			}
			edges[t.Name] = append(edges[t.Name], n)
		}
	}
	r.refuseCycles(edges)
}

func quote(s string) string { return `"` + s + `"` }

// errorAtNeed points at the name of a need, in either form.
func (l *loader) errorAtNeed(n rawNeed, code, msg string) {
	if _, mapped := l.keys[n.path]; mapped {
		l.errorAtKey(n.path, code, "%s", msg)
		return
	}
	l.errorf(n.path, code, "%s", msg)
}

// refuseCycles reports each circle of needs once, at the need that closes it.
func (r *resolver) refuseCycles(edges map[string][]rawNeed) {
	done := map[string]bool{}
	var path []string
	var visit func(name string)
	visit = func(name string) {
		path = append(path, name)
		for _, n := range edges[name] {
			if i := slices.Index(path, n.Task); i >= 0 {
				circle := append(slices.Clone(path[i:]), n.Task)
				r.errorAtNeed(n, "cycle", "tasks wait for each other in a circle: "+strings.Join(circle, " → "))
			} else if !done[n.Task] {
				visit(n.Task)
			}
		}
		path = path[:len(path)-1]
		done[name] = true
	}
	for i := range r.raw.Tasks {
		if !done[r.raw.Tasks[i].Name] {
			visit(r.raw.Tasks[i].Name)
		}
	}
}
