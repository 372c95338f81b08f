package spec

import (
	"cmp"
	"slices"
	"strings"
)

// resolveAgents checks the agents for themselves.
func (r *resolver) resolveAgents() {
	for i := range r.raw.Agents {
		a := &r.raw.Agents[i]
		path := join("agents", a.Name)
		r.agents[a.Name] = a
		r.env(a.Env, join(path, "env"))
		agent := Agent{
			Name: a.Name, Kind: a.Kind, Tools: a.Tools, Approval: a.Approval, Env: a.Env, Via: a.Via, Settings: a.settings,
		}
		if kind := r.kind(a.Kind); kind != nil {
			if a.Via == "" && len(kind.Vias) > 0 {
				a.Via = kind.Vias[0]
				agent.Via = a.Via
			}
			r.enforce(kind, "agent "+a.Name, func(key string) string { return join(path, key) }, Writes{Mode: "all"})
			if via := join(path, "via"); r.has(via) && a.Via != "" && !slices.Contains(kind.Vias, a.Via) {
				r.errorf(via, "cannot-enforce", "%s: kind %s reports by %s, not by %s", via, kind.Name, vias(kind.Vias), a.Via)
			}
		}
		r.team.Agents = append(r.team.Agents, agent)
	}
}

func vias(of []Via) string {
	words := make([]string, len(of))
	for i, v := range of {
		words[i] = string(v)
	}
	return list(words, "or")
}

// enforce refuses, once at each place, a setting that kind cannot keep. at is
// the path of a key where it was written, whichever noun it came from.
func (r *resolver) enforce(kind *Kind, who string, at func(key string) string, writes Writes) {
	say := func(key, what string) {
		path := at(key)
		if !r.has(path) || r.said[path] || r.failedAt(path) {
			return
		}
		r.said[path] = true
		r.errorf(path, "cannot-enforce", "%s: %s is of kind %s, which %s; leave %s out", path, who, kind.Name, what, key)
	}
	if !kind.Tools {
		say("tools", "has no list of tools")
	}
	if !kind.Approves {
		say("approval", "never asks for permission")
	}
	if !kind.Writes && writes.Mode != "all" && writes.Mode != "" {
		say("writes", "cannot be kept from writing")
	}
}

// rostered is a member of the file with its place in it.
type rostered struct {
	raw     *rawMember
	path    string
	manager *rawManager
}

// roster is managers and members in the order of the file.
func (r *resolver) roster() []rostered {
	var managers, members []rostered
	for i := range r.raw.Managers {
		m := &r.raw.Managers[i]
		managers = append(managers, rostered{&m.rawMember, join("managers", m.Name), m})
	}
	for i := range r.raw.Members {
		m := &r.raw.Members[i]
		members = append(members, rostered{m, join("members", m.Name), nil})
	}
	if r.before("members", "managers") {
		return append(members, managers...)
	}
	return append(managers, members...)
}

// before reports whether key a stands before key b in the file.
func (l *loader) before(a, b string) bool {
	x, y := l.keys[a], l.keys[b]
	if x.node == nil || y.node == nil {
		return x.node != nil
	}
	return cmp.Or(cmp.Compare(x.node.Line, y.node.Line), cmp.Compare(x.node.Column, y.node.Column)) < 0
}

func (r *resolver) resolveMembers() {
	r.env(r.raw.Defaults.Env, "defaults.env")
	if name := r.raw.Defaults.Agent; name != "" {
		r.agent(name, "defaults.agent")
	}
	seen := map[string]string{}
	for _, m := range r.roster() {
		fold := strings.ToLower(m.raw.Name)
		if other, twice := seen[fold]; twice && other != m.path && !strings.HasPrefix(other, sectionOf(m.path)+".") {
			r.errorAtKey(m.path, "name-clash", "%s and %s have the same name; managers and members share one roster", other, m.path)
		}
		seen[fold] = m.path
		r.team.Members = append(r.team.Members, r.member(m))
	}
	r.resolveZones()
}

func sectionOf(path string) string { return path[:strings.IndexByte(path, '.')] }

// member applies defaults and agent to a member.
func (r *resolver) member(m rostered) Member {
	raw, path, def := m.raw, m.path, &r.raw.Defaults
	out := Member{
		Name: raw.Name, Pos: r.keyAt(path).pos(), Role: raw.Role,
		Report: r.report(&raw.Report, join(path, "report")),
		Writes: raw.Writes, TurnTimeout: raw.TurnTimeout, StallAfter: raw.StallAfter,
	}
	r.env(raw.Env, join(path, "env"))
	// origin is where a setting of this member was written.
	origin := func(key string) string {
		if at := join(path, key); r.has(at) {
			return at
		}
		return join("defaults", key)
	}
	own := func(key string) bool { return r.has(join(path, key)) }
	given := func(key string) bool { return !own(key) && r.has(join("defaults", key)) }
	if given("writes") {
		out.Writes = def.Writes
	}
	if out.Writes.Mode == "" {
		out.Writes.Mode = "all"
	}
	if given("turn_timeout") {
		out.TurnTimeout = def.TurnTimeout
	}
	if given("stall_after") {
		out.StallAfter = def.StallAfter
	}
	a := r.agentOf(raw, path)
	if a == nil {
		return out
	}
	out.Agent = Agent{Name: a.Name, Kind: a.Kind, Tools: a.Tools, Approval: a.Approval, Env: a.Env, Via: a.Via, Settings: a.settings}
	for _, s := range []struct {
		from  *rawSettings
		given func(string) bool
	}{{def, given}, {&raw.rawSettings, own}} {
		if s.given("tools") {
			out.Agent.Tools = s.from.Tools
		}
		if s.given("approval") {
			out.Agent.Approval = s.from.Approval
		}
		if s.given("env") {
			out.Agent.Env = s.from.Env
		}
	}
	if kind := r.kind(a.Kind); kind != nil {
		if out.Agent.Via == "" && len(kind.Vias) > 0 {
			out.Agent.Via = kind.Vias[0]
		}
		r.enforce(kind, "member "+raw.Name, origin, out.Writes)
	}
	return out
}

// agentOf is the agent of a member, nil when a problem was found.
func (r *resolver) agentOf(raw *rawMember, path string) *rawAgent {
	at := join(path, "agent")
	switch {
	case raw.Agent != "":
		return r.agent(raw.Agent, at)
	case r.has(at) || !r.isMapping(path):
		return nil // has been refused
	case r.raw.Defaults.Agent != "":
		return r.agent(r.raw.Defaults.Agent, "defaults.agent")
	case !r.has("defaults.agent"):
		r.errorAtKey(path, "missing-key", "%s has no agent; write agent: here or under defaults", path)
	}
	return nil
}

// agent finds an agent by its name, or the kind of that name. What is wrong
// with the reference at path is said once.
func (r *resolver) agent(name, path string) *rawAgent {
	if a := r.agents[name]; a != nil {
		r.useAt[name] = path
		return a
	}
	if a, ok := r.bare[name]; ok {
		return a
	}
	if kind := r.kind(name); kind != nil {
		a := r.bareAgent(kind, path)
		r.bare[name], r.useAt[name] = a, path
		return a
	}
	if r.said[path] {
		return nil
	}
	r.said[path] = true
	if slices.Contains(laterKinds, name) {
		r.errorf(path, "not-in-this-build", "%s: kind %s is known and not in this build yet", path, name)
		return nil
	}
	names := make([]string, 0, len(r.raw.Agents)+len(r.opts.Kinds))
	for _, a := range r.raw.Agents {
		names = append(names, a.Name)
	}
	r.errorf(path, "unknown-agent", "no agent %q in %s%s", name, path, meant(name, append(names, r.kindNames()...)))
	return nil
}

// resolveZones finds the manager of each member and refuses circles.
func (r *resolver) resolveZones() {
	t := r.team
	place := map[string]*Member{}
	for i := range t.Members {
		place[t.Members[i].Name] = &t.Members[i]
	}
	for _, m := range r.raw.Managers {
		path := join("managers", m.Name)
		boss, at := place[m.Name], join(path, "manages")
		switch {
		case boss == nil:
		case r.has(at):
			for i, name := range m.Manages {
				r.assign(boss, place, name, r.item(at, i), at)
			}
		case len(r.raw.Managers) > 1:
			r.errorAtKey(path, "missing-key", "%s needs the key \"manages\": only a single manager manages everyone without it", path)
		default:
			for i := range t.Members {
				if other := &t.Members[i]; other != boss {
					other.Manager = m.Name
					boss.Manages = append(boss.Manages, other.Name)
				}
			}
		}
	}
}

// assign makes a member the direct report of boss.
func (r *resolver) assign(boss *Member, place map[string]*Member, name, at, path string) {
	if !r.knownMember(r.team, name, at, path) {
		return
	}
	m := place[name]
	if m.Manager != "" {
		r.errorf(at, "two-managers", "%s is managed by %s already; a member has at most one manager", name, m.Manager)
		return
	}
	chain := []string{name}
	for up := boss; up != nil; up = place[up.Manager] {
		chain = append(chain, up.Name)
		if up.Name == name {
			slices.Reverse(chain)
			r.errorf(at, "cycle", "managers go round in a circle: %s", strings.Join(chain, " → "))
			return
		}
	}
	m.Manager = boss.Name
	boss.Manages = append(boss.Manages, name)
}
