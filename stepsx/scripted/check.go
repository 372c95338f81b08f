package scripted

import (
	"fmt"
	"slices"
	"strings"

	"github.com/teamrun/teamrun/spec"
)

// Check implements spec.Checked.
func (s *Settings) Check(c *spec.Check) {
	k := &checker{Check: c, tasks: map[string][]*spec.Schema{}}
	k.look()
	k.starts(s.Script.Starts)
	k.turns(s.Script.Turns)
}

// checker knows what a script can name.
type checker struct {
	*spec.Check
	members  []string
	players  []string                  // members that play the script
	names    []string                  // of tasks
	tasks    map[string][]*spec.Schema // with the report each expects, if any
	expected []*spec.Schema            // reports the players can be asked for
	own      []*spec.Schema            // those of them that are not for a task
}

func (k *checker) look() {
	t := k.Team()
	for _, m := range t.Members {
		k.members = append(k.members, m.Name)
		if m.Agent.Name == k.Agent {
			k.players = append(k.players, m.Name)
			k.own = append(k.own, some(m.Report)...)
		}
	}
	k.expected = slices.Clone(k.own)
	for _, task := range t.Tasks {
		k.names = append(k.names, task.Name)
		k.tasks[task.Name] = some(task.Report)
		if k.plays(task) {
			k.expected = append(k.expected, some(task.Report)...)
		}
	}
}

// some is the schema as a list, which is empty without one.
func some(s *spec.Schema) []*spec.Schema {
	if s == nil {
		return nil
	}
	return []*spec.Schema{s}
}

func (k *checker) plays(t spec.Task) bool {
	return slices.ContainsFunc(t.For, func(m string) bool { return slices.Contains(k.players, m) })
}

func (k *checker) starts(starts []Start) {
	var clauses []Clause
	for _, s := range starts {
		clauses = append(clauses, s.clause())
	}
	k.order("script.starts", clauses)
	for i, c := range clauses {
		k.steps(fmt.Sprintf("script.starts[%d]", i), c, startForms)
	}
}

func (k *checker) turns(clauses []Clause) {
	k.order("script.turns", clauses)
	for i, c := range clauses {
		path := fmt.Sprintf("script.turns[%d]", i)
		k.on(path+".on", c.On)
		k.steps(path, c, stepForms)
	}
}

// order refuses a clause that an earlier one leaves nothing for.
func (k *checker) order(path string, clauses []Clause) {
	for i, c := range clauses {
		earlier := slices.IndexFunc(clauses[:i], func(e Clause) bool { return e.On.covers(c.On) })
		if earlier >= 0 {
			k.Errorf(fmt.Sprintf("%s[%d]", path, i), "never-played", "this clause is never played: clause %d of the list matches whenever it does; put this one before it or make it differ", earlier+1)
		}
	}
}

func (k *checker) on(path string, on On) {
	if limit := k.Team().Limits.Turns; on.Turn > limit && limit > 0 {
		k.Errorf(path+".turn", "never-played", "turn %d never comes: limits.turns is %d", on.Turn, limit)
	}
	report, declared := k.tasks[on.Task]
	switch {
	case on.Task != "" && !declared:
		k.Errorf(path+".task", "unknown-task", "no task %q%s", on.Task, hint(on.Task, k.names))
	case on.Task != "" && !k.performed(on.Task):
		k.Warnf(path+".task", "never-played", "no member of agent %s performs task %q", k.Agent, on.Task)
	case on.Task != "" && on.Mode == "mail":
		k.Errorf(path+".mode", "never-played", "a turn for mail alone has no task; leave out task or mode")
	case on.Mode == "nudge" && declared && len(report) == 0:
		k.Errorf(path+".mode", "never-played", "nobody is nudged for task %q, which has no report", on.Task)
	}
	if on.Task == "" && (on.Round > 0 || on.Attempt > 0) && on.Mode == "mail" {
		k.Errorf(path+".mode", "never-played", "a turn for mail alone has no round and no attempt; leave them out or the mode")
	}
	senders := append(slices.Clone(k.members), "human", "runner")
	if on.MailFrom != "" && !slices.Contains(senders, on.MailFrom) {
		k.Errorf(path+".mail_from", "unknown-member", "no member %q%s", on.MailFrom, hint(on.MailFrom, senders))
	}
}

func (k *checker) performed(task string) bool {
	return slices.ContainsFunc(k.Team().Tasks, func(t spec.Task) bool { return t.Name == task && k.plays(t) })
}

func hint(word string, of []string) string {
	if w := spec.Nearest(word, of); w != "" {
		return fmt.Sprintf(" (did you mean %q?)", w)
	}
	return fmt.Sprintf("; there are %s", strings.Join(of, ", "))
}
