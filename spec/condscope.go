package spec

import (
	"maps"
	"slices"
	"strings"
)

// scope is what the conditions of one team may name.
type scope struct{ root *scopeNode }

// scopeNode is one name a path can go through. It is a value with a type, or
// has kids, or is refused for the reason why.
type scopeNode struct {
	kids    map[string]*scopeNode
	order   []string // the kids as they are named to the user
	noun    string   // what a kid is called: "member", "task", "param", "field"
	typ     *condType
	refused string
}

// memberStates and taskStates are what .state can be.
var (
	memberStates = []string{"waiting", "starting", "idle", "working", "blocked", "backoff", "down", "closed"}
	taskStates   = []string{"waiting", "ready", "running", "done", "failed", "skipped"}
)

// newScope knows the names and types of a team whose names are resolved. It
// reads Params, Members and Tasks.
func newScope(t *Team) *scope {
	root := branch("name")
	params := root.add("params", branch("param"))
	for _, p := range t.Params {
		params.add(p.Name, leaf(typeOfParam(p)))
	}
	members := root.add("members", branch("member"))
	for _, m := range t.Members {
		members.add(m.Name, memberNode(m))
	}
	tasks := root.add("tasks", branch("task"))
	for _, k := range t.Tasks {
		tasks.add(k.Name, taskNode(k))
	}
	if slices.ContainsFunc(t.Tasks, func(k Task) bool { return k.Report != nil && k.Report.Name == findingsName }) {
		root.add("findings", leaf(typeList(typeFinding())))
	} else {
		root.cannot("findings", "no task reports findings: give a task report: findings")
	}
	run := root.add("run", branch("field"))
	for _, name := range []string{"turns", "messages", "failures", "tasks_done"} {
		run.add(name, leaf(typeWhole))
	}
	run.add("cost", leaf(typeNumber))
	root.cannot("task", "task exists only under again, which is not in this build")
	return &scope{root}
}

func typeOfParam(p Param) condType {
	switch p.Type {
	case ParamNumber:
		return typeNumber
	case ParamBool:
		return typeBool
	case ParamEnum:
		return typeEnum(p.Values...)
	}
	return typeText
}

func memberNode(m Member) *scopeNode {
	n := branch("field")
	n.add("state", leaf(typeEnum(memberStates...)))
	n.add("reported", leaf(typeBool))
	for _, name := range []string{"failures", "turns", "unread"} {
		n.add(name, leaf(typeWhole))
	}
	n.add("cost", leaf(typeNumber))
	if m.Report == nil {
		n.cannot("report", "member "+m.Name+" has no report: give it report: SCHEMA")
	} else {
		n.add("report", reportNode(m.Report))
	}
	return n
}

func taskNode(t Task) *scopeNode {
	n := branch("field")
	n.add("state", leaf(typeEnum(taskStates...)))
	for _, name := range []string{"done", "failed", "skipped", "finished"} {
		n.add(name, leaf(typeBool))
	}
	n.add("round", leaf(typeWhole))
	for _, name := range []string{"passed", "by"} {
		n.cannot(name, "only a vote or a human task has "+name+", and task "+t.Name+" is neither")
	}
	switch {
	case len(t.Run) > 0:
		n.add("output", leaf(typeText))
		n.cannot("report", "task "+t.Name+" runs a command: it has output, not a report")
		n.cannot("reports", "task "+t.Name+" runs a command: it has output, not reports")
		return n
	case t.Report == nil:
		n.cannot("report", "task "+t.Name+" has no report: give it report: SCHEMA")
		n.cannot("reports", "task "+t.Name+" has no report: give it report: SCHEMA")
	case len(t.For) > 1:
		n.cannot("report", "task "+t.Name+" has several performers: write reports.MEMBER, with MEMBER one of "+strings.Join(t.For, ", "))
		by := n.add("reports", branch("performer"))
		for _, m := range t.For {
			by.add(m, reportNode(t.Report))
		}
	default:
		n.add("report", reportNode(t.Report))
		n.cannot("reports", "task "+t.Name+" has one performer: write report, not reports")
	}
	n.cannot("output", "task "+t.Name+" is for members: only a run task has output")
	return n
}

func reportNode(s *Schema) *scopeNode {
	n := branch("field")
	for _, f := range s.Fields {
		n.add(f.Name, leaf(typeOfField(f)))
	}
	return n
}

func branch(noun string) *scopeNode { return &scopeNode{kids: map[string]*scopeNode{}, noun: noun} }

func leaf(t condType) *scopeNode { return &scopeNode{typ: &t} }

func (n *scopeNode) add(name string, kid *scopeNode) *scopeNode {
	n.kids[name] = kid
	n.order = append(n.order, name)
	return kid
}

// cannot makes name known, so that the user learns why it cannot be used.
func (n *scopeNode) cannot(name, why string) { n.kids[name] = &scopeNode{refused: why} }

func (n *scopeNode) names() []string { return slices.Collect(maps.Keys(n.kids)) }
