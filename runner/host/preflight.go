package host

import (
	"slices"
	"strings"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/spec"
)

// MissingError says what this machine lacks for a team: exit 7.
type MissingError struct {
	Missing []string // what is not there and who needs it, sorted
}

func (e *MissingError) Error() string { return strings.Join(e.Missing, "; ") }

// Preflight looks for what the members and run tasks of a team need, before
// there is a run of it; dir is the work folder. The error is a *MissingError
// that names all of it.
func Preflight(team *spec.Team, w runner.World, dir string) error {
	needs := map[string][]string{} // who, by what is missing
	note := func(err error, who string) {
		if err != nil {
			needs[err.Error()] = append(needs[err.Error()], who)
		}
	}
	for _, m := range team.Members {
		if allBehindRun(team, m.Name) {
			continue
		}
		for _, k := range w.Kinds {
			if p, ok := k.(runner.Preflight); ok && k.Spec().Name == m.Agent.Kind {
				note(p.Ready(runner.Post{Member: m.Name, Settings: m.Agent.Settings, Via: m.Agent.Via, Env: m.Agent.Env, Dir: dir}), "member "+m.Name)
			}
		}
	}
	if p, ok := w.Exec.(runner.ExecPreflight); ok {
		for _, t := range team.Tasks {
			// What comes behind a run task may be made by it.
			if len(t.Run) > 0 && !behindRun(team, t.Name) {
				note(p.ReadyExec(runner.ExecOrder{Task: t.Name, Argv: argv(t.Run), Env: t.Env, Dir: dir}), "task "+t.Name)
			}
		}
	}
	if len(needs) == 0 {
		return nil
	}
	missing := &MissingError{}
	for what, who := range needs {
		missing.Missing = append(missing.Missing, what+" ("+strings.Join(who, ", ")+")")
	}
	slices.Sort(missing.Missing)
	return missing
}

// behindRun reports whether a task needs a run task, directly or through others.
func behindRun(team *spec.Team, name string) bool {
	i := slices.IndexFunc(team.Tasks, func(t spec.Task) bool { return t.Name == name })
	return slices.ContainsFunc(team.Tasks[i].Needs, func(n spec.Need) bool {
		k := slices.IndexFunc(team.Tasks, func(t spec.Task) bool { return t.Name == n.Task })
		return len(team.Tasks[k].Run) > 0 || behindRun(team, n.Task)
	})
}

// allBehindRun reports whether a member has tasks and all of them come behind run
// tasks.
func allBehindRun(team *spec.Team, member string) bool {
	has := false
	for _, t := range team.Tasks {
		if slices.Contains(t.For, member) {
			if has = true; !behindRun(team, t.Name) {
				return false
			}
		}
	}
	return has
}

// argv are the words of a command as a process gets them.
func argv(words []spec.Text) []string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = w.String()
	}
	return list
}
