package runner

import (
	"fmt"
	"slices"

	"github.com/teamrun/teamrun/spec"
)

// Version is the version of the machine. A run goes on only with the machine
// version it was started with: any change of what Step decides raises it.
const Version = 1

// Program is a team compiled for the machine. It does not change.
type Program struct {
	team    *spec.Team
	members []*MemberDef // in the order of the spec
	tasks   []*TaskDef   // topological, in the order of the spec where free
	byName  map[string]*MemberDef
	byTask  map[string]*TaskDef
	limits  LimitValues
	// findings are the tasks that report findings.
	findings []*TaskDef
}

// MemberDef is a member as the machine sees it.
type MemberDef struct {
	Spec spec.Member
	Kind spec.Kind
	// Manager is the direct manager, nil for none.
	Manager *MemberDef
	order   int
}

// Name is the member's name.
func (d *MemberDef) Name() string { return d.Spec.Name }

// TaskDef is a task as the machine sees it.
type TaskDef struct {
	Spec spec.Task
	// Inputs are the needed tasks whose reports go with the brief.
	Inputs []string
}

// Name is the task's name.
func (d *TaskDef) Name() string { return d.Spec.Name }

// Compile makes the program of a loaded team. The kinds are those it was
// loaded with.
func Compile(team *spec.Team, kinds []spec.Kind) (*Program, error) {
	p := &Program{
		team: team, byName: map[string]*MemberDef{}, byTask: map[string]*TaskDef{},
		limits: limitValues(team.Limits),
	}
	for i, m := range team.Members {
		k := slices.IndexFunc(kinds, func(k spec.Kind) bool { return k.Name == m.Agent.Kind })
		if k < 0 {
			return nil, fmt.Errorf("member %s: no agent kind %q in this build", m.Name, m.Agent.Kind)
		}
		d := &MemberDef{Spec: m, Kind: kinds[k], order: i}
		p.members = append(p.members, d)
		p.byName[m.Name] = d
	}
	for _, d := range p.members {
		d.Manager = p.byName[d.Spec.Manager]
	}
	for _, t := range team.Tasks {
		p.byTask[t.Name] = &TaskDef{Spec: t}
	}
	for _, t := range team.Tasks {
		d := p.byTask[t.Name]
		for _, n := range t.Needs {
			if x := p.byTask[n.Task]; x == nil {
				return nil, fmt.Errorf("task %s needs %q, which is not a task", t.Name, n.Task)
			} else if x.Spec.Report != nil {
				d.Inputs = append(d.Inputs, n.Task)
			}
		}
		if t.Report != nil && t.Report.Name == "findings" {
			p.findings = append(p.findings, d)
		}
	}
	return p, p.sort()
}

// sort puts the tasks in an order in which every task stands behind those it
// needs, so that one pass over them settles all.
func (p *Program) sort() error {
	placed := map[string]bool{}
	for len(p.tasks) < len(p.team.Tasks) {
		before := len(p.tasks)
		for _, t := range p.team.Tasks {
			free := !slices.ContainsFunc(t.Needs, func(n spec.Need) bool { return !placed[n.Task] })
			if !placed[t.Name] && free {
				placed[t.Name] = true
				p.tasks = append(p.tasks, p.byTask[t.Name])
			}
		}
		if len(p.tasks) == before {
			return fmt.Errorf("the needs of the tasks form a cycle")
		}
	}
	return nil
}

func limitValues(l spec.Limits) LimitValues {
	return LimitValues{
		WallMS: l.Wall.Milliseconds(), Turns: l.Turns, Messages: l.Messages,
		Concurrency: l.Concurrency, Cost: l.Cost, UnknownCost: l.UnknownCost,
	}
}

// reportsFindings reports whether a task is one of those that report findings.
func (p *Program) reportsFindings(d *TaskDef) bool { return slices.Contains(p.findings, d) }

// Team is the team the program was compiled from.
func (p *Program) Team() *spec.Team { return p.team }

// Limits are the resolved limits.
func (p *Program) Limits() LimitValues { return p.limits }

// Member is the member of that name, nil for none.
func (p *Program) Member(name string) *MemberDef { return p.byName[name] }

// Task is the declared task of that name, nil for none.
func (p *Program) Task(name string) *TaskDef { return p.byTask[name] }
