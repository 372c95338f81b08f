package spec

import (
	"reflect"
	"slices"

	"gopkg.in/yaml.v3"
)

// rawAgent is agents.A as written, without the keys of its kind.
type rawAgent struct {
	Name     string   `team:",name"`
	Kind     string   `team:"kind,required" like:"scripted, or another kind" help:"how the agent is run"`
	Tools    []string `team:"tools" help:"the complete list of the agent's own tools; room tools come on top"`
	Approval Approval `team:"approval" default:"ask" help:"what happens when the agent asks for permission: ask a person, never (refused), or {allow: [pattern]}"`
	Env      []string `team:"env" help:"names of environment variables to pass, never values"`
	Via      Via      `team:"via" values:"tool final_message exit" help:"how a report reaches the room; the default is the kind's first way"`

	settings any
	known    bool // the kind is one of this build
}

// laterKinds are the kinds the language knows and this build does not.
var laterKinds = []string{"claude", "codex", "pi", "dsh", "acp", "herdr", "tmux"}

// DecodeSpec implements Decoded: the keys of an agent are those of all agents
// and those of its kind.
func (a *rawAgent) DecodeSpec(d *Decoder, n *yaml.Node, path string) {
	if !d.isMapping(n, reflect.TypeFor[rawAgent](), path) {
		return
	}
	kind := d.kindOf(n)
	targets := []reflect.Value{reflect.ValueOf(a).Elem()}
	var free func(string) bool
	switch {
	case kind == nil:
		free = func(string) bool { return true } // its keys are not known
	case kind.New != nil:
		a.settings = kind.New()
		targets = append(targets, reflect.ValueOf(a.settings).Elem())
	}
	if kind != nil {
		free = func(key string) bool { return d.ofOtherKind(n, key, kind, path) }
	}
	d.mapping(n, path, free, targets...)
	a.known = kind != nil
	if kind == nil && a.Kind != "" {
		at := join(path, "kind")
		if slices.Contains(laterKinds, a.Kind) {
			d.l.errorf(at, "not-in-this-build", "%s: kind %s is known and not in this build yet", at, a.Kind)
		} else {
			d.l.errorf(at, "unknown-kind", "no kind %q in %s%s", a.Kind, path, meant(a.Kind, d.l.kindNames()))
		}
	}
	if a.Approval.Mode == "" {
		a.Approval.Mode = "ask"
	}
}

// kindOf is the kind a mapping names, nil when it is none of this build.
func (d *Decoder) kindOf(n *yaml.Node) *Kind {
	for _, p := range d.pairs(n) {
		if p.key.Value == "kind" {
			return d.l.kind(resolved(p.val).Value)
		}
	}
	return nil
}

// ofOtherKind refuses a key that only another kind has.
func (d *Decoder) ofOtherKind(n *yaml.Node, key string, kind *Kind, path string) bool {
	for _, k := range d.l.opts.Kinds {
		if k.New == nil || k.Name == kind.Name || d.l.shape(reflect.TypeOf(k.New()).Elem()).find(key) == nil {
			continue
		}
		for _, p := range d.pairs(n) {
			if p.key.Value == key {
				d.Errorf(p.key, "unknown-key", "unknown key %q in %s: it belongs to kind %s, and this agent is of kind %s", key, path, k.Name, kind.Name)
				return true
			}
		}
	}
	return false
}

func (l *loader) kind(name string) *Kind {
	for i := range l.opts.Kinds {
		if l.opts.Kinds[i].Name == name {
			return &l.opts.Kinds[i]
		}
	}
	return nil
}

func (l *loader) kindNames() []string {
	var names []string
	for _, k := range l.opts.Kinds {
		names = append(names, k.Name)
	}
	return names
}

// bareAgent is a kind that is named directly as an agent, with no settings.
func (l *loader) bareAgent(kind *Kind, path string) *rawAgent {
	at := l.valueAt(path)
	empty := &yaml.Node{Kind: yaml.MappingNode, Line: at.node.Line, Column: at.node.Column}
	a := &rawAgent{Name: kind.Name, Kind: kind.Name, Approval: Approval{Mode: "ask"}, known: true}
	if kind.New == nil {
		return a
	}
	a.settings = kind.New()
	v := reflect.ValueOf(a.settings).Elem()
	for _, f := range l.shape(v.Type()).fields {
		if f.is("required") {
			l.errorf(path, "bare-kind", "kind %s needs the key %q; declare an agent of that kind under agents", kind.Name, f.key)
			return a
		}
	}
	(&Decoder{l: l, doc: at.doc, spent: new(int)}).mapping(empty, path, nil, v)
	return a
}
