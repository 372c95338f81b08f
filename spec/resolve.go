package spec

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// rawTeam is a team file as written. Params stand before the nouns that hold
// texts.
type rawTeam struct {
	Version   string        `team:"teamrun,required" values:"v1" help:"the version of the language"`
	Name      string        `team:"name" help:"the name of the team; the folder's by itself"`
	Params    rawParams     `team:"params" help:"values a run can be given"`
	Models    later         `team:"models,later" help:"routes: provider, model, effort, fallback"`
	Agents    []rawAgent    `team:"agents,named" help:"ways to run a member: a kind and its settings"`
	Schemas   []rawSchema   `team:"schemas,named" help:"shapes of reports"`
	Defaults  rawSettings   `team:"defaults" help:"settings of every member that has none of its own"`
	Managers  []rawManager  `team:"managers,named" help:"members with direct reports"`
	Members   []rawMember   `team:"members,named" help:"the participants"`
	Tasks     []rawTask     `team:"tasks,named" help:"the units of work"`
	Stop      []rawStop     `team:"stop" help:"in order, the first that is true ends the run"`
	Require   later         `team:"require,later" help:"conditions without which a chair may not close with success"`
	Chair     later         `team:"chair,later" help:"the manager that leads the run"`
	Recovery  []rawRule     `team:"recovery" help:"what to do about failures; the first rule that matches"`
	Limits    *rawLimits    `team:"limits" help:"bounds of the run; they always exist"`
	Artifacts []rawArtifact `team:"artifacts,filenamed" help:"files of the result"`
}

// resolver turns the raw team into a Team.
type resolver struct {
	*loader
	raw     *rawTeam
	team    *Team
	schemas map[string]*Schema // by name; nil for one that is wrong
	agents  map[string]*rawAgent
	bare    map[string]*rawAgent // kinds that are named directly, with where
	useAt   map[string]string    // a path where the agent is used, by its name
	usedRep map[string]bool      // schemas that something names
	said    map[string]bool      // paths at which a kind was found unable
}

// resolve checks everything that needs more than one noun.
func (l *loader) resolve(raw *rawTeam, name string) *Team {
	r := &resolver{
		loader: l, raw: raw,
		team:    &Team{Name: orElse(raw.Name, name), Params: l.params},
		schemas: map[string]*Schema{}, agents: map[string]*rawAgent{}, bare: map[string]*rawAgent{},
		useAt: map[string]string{}, usedRep: map[string]bool{}, said: map[string]bool{},
	}
	if raw.Name != "" && !nameForm.MatchString(raw.Name) {
		l.errorf("name", "bad-name", "%q cannot be the name of the team; a name is %s%s", short(raw.Name), nameRule, oddWords(raw.Name))
	}
	l.unknownSets()
	r.resolveSchemas()
	r.resolveAgents()
	r.resolveMembers()
	r.resolveTasks()
	r.builtinSchemas()
	r.resolveStops()
	l.rules(raw.Recovery, r.team)
	r.resolveLimits()
	l.artifacts(raw.Artifacts, r.team)
	r.checkKinds()
	r.warnings()
	return r.team
}

func (r *resolver) resolveSchemas() {
	for _, s := range r.raw.Schemas {
		path := join("schemas", s.Name)
		if s.Name == findingsName {
			r.errorAtKey(path, "reserved-name", "the schema findings is built in; choose another name")
			continue
		}
		schema := s.Fields.schema(r.loader, s.Name, path)
		r.schemas[s.Name] = schema
		if schema != nil {
			r.team.Schemas = append(r.team.Schemas, *schema)
		}
	}
}

// builtinSchemas adds what is built in and used.
func (r *resolver) builtinSchemas() {
	if r.usedRep[findingsName] {
		r.team.Schemas = append(r.team.Schemas, *findingsSchema())
	}
}

// report is the schema that a report: names or is; nil for none or a wrong one.
func (r *resolver) report(raw *rawReport, path string) *Schema {
	switch {
	case !r.has(path):
		return nil
	case raw.Name == "" && !r.isMapping(path):
		return nil // has been refused
	case raw.Name == "":
		return raw.Fields.schema(r.loader, path, path)
	}
	r.usedRep[raw.Name] = true
	if raw.Name == findingsName {
		return findingsSchema()
	}
	s, ok := r.schemas[raw.Name]
	if !ok {
		names := []string{findingsName}
		for _, s := range r.raw.Schemas {
			names = append(names, s.Name)
		}
		r.errorf(path, "unknown-schema", "no schema %q in %s%s", raw.Name, path, meant(raw.Name, names))
	}
	return s
}

var envForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// What says to which run or session a process belongs is never passed on.
var (
	sessionEnv         = []string{"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "CODEX_THREAD_ID"}
	sessionEnvPrefixes = []string{"TEAMRUN_", "HERDR_"}
)

// env checks names of environment variables.
func (l *loader) env(names []string, path string) {
	for i, name := range names {
		at := l.item(path, i)
		if l.failedAt(at) {
			continue
		}
		begins := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
		switch {
		case !envForm.MatchString(name):
			l.errorf(at, "bad-env", "%s takes names of environment variables, never values; %q is no name", path, short(name))
		case slices.Contains(names[:i], name):
			l.errorf(at, "bad-env", "%s names %s twice", path, name)
		case slices.Contains(sessionEnv, name), slices.ContainsFunc(sessionEnvPrefixes, begins):
			l.errorf(at, "bad-env", "%s: %s says to which run or session a process belongs and is never passed on; leave it out", path, name)
		}
	}
}

func (r *resolver) resolveLimits() {
	raw := r.raw.Limits
	if raw == nil {
		raw = defaultLimits()
	}
	r.team.Limits = Limits(*raw)
	if raw.Cost == nil || raw.UnknownCost != nil || r.has("limits.unknown_cost") || r.failedAt("limits.cost") {
		return
	}
	for _, m := range r.team.Members {
		if kind := r.kind(m.Agent.Kind); kind != nil && !kind.Priced {
			r.errorf("limits.cost", "unknown-cost", "a cost limit needs unknown_cost too: member %s of kind %s does not say what a turn costs", m.Name, kind.Name)
			return
		}
	}
}

// failedBelow reports whether an error was found at or below path.
func (l *loader) failedBelow(path string) bool {
	at, ok := l.places[path]
	if !ok {
		return false
	}
	inside := map[Pos]bool{}
	for p, pl := range l.places {
		if p == path || len(p) > len(path) && p[:len(path)] == path && (p[len(path)] == '.' || p[len(path)] == '[') {
			inside[pl.pos()] = true
			if k, ok := l.keys[p]; ok {
				inside[k.pos()] = true
			}
		}
	}
	return slices.ContainsFunc(l.problems, func(e Problem) bool { return e.Severity == Error && e.File == at.doc.file && inside[e.Pos] })
}

// item is the path of one item of a list that may have been written as a single
// word.
func (l *loader) item(path string, i int) string {
	if at := index(path, i); l.has(at) {
		return at
	}
	return path
}

func index(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

func (t *Team) memberNames() []string {
	names := make([]string, len(t.Members))
	for i := range t.Members {
		names[i] = t.Members[i].Name
	}
	return names
}

func (t *Team) taskNames() []string {
	names := make([]string, len(t.Tasks))
	for i := range t.Tasks {
		names[i] = t.Tasks[i].Name
	}
	return names
}

// knownMember refuses a name that no member has.
func (l *loader) knownMember(t *Team, name, at, path string) bool {
	ok := slices.ContainsFunc(t.Members, func(m Member) bool { return m.Name == name })
	if !ok && name != "" {
		l.errorf(at, "unknown-member", "no member %q in %s%s", name, path, meant(name, t.memberNames()))
	}
	return ok
}
