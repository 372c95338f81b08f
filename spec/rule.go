package spec

import (
	"reflect"
	"slices"
	"time"

	"gopkg.in/yaml.v3"
)

// classes are the classes of failure a rule can name.
var classes = []string{
	"exit", "no_report", "max_tokens", "rate_limited", "overloaded", "usage_cap", "auth", "context_full",
	"refusal", "tool_denied", "turn_limit", "network", "provider", "crashed", "stalled", "blocked",
	"protocol", "gone", "unknown",
}

// actions are the words of a ladder; the machine of this build passes those of
// passedOver over.
var (
	actions    = []string{"retry", "continue", "nudge", "switch_model", "replace", "fail", "escalate", "ask_human", "pause"}
	passedOver = []string{"continue", "switch_model", "escalate", "ask_human", "pause"}
)

// rawRule is recovery[] as written.
type rawRule struct {
	On      []string    `team:"on,required" like:"a class such as no_report, or '*'" help:"a class of failure, a list of them, or '*' for any"`
	Members []string    `team:"members" help:"the members the rule is for; everyone by itself"`
	Do      []rawAction `team:"do,required" like:"[fail]" help:"a ladder of actions: a word, or {word: {base, max_delay, at_most, within}}"`
}

// rawAction is one action as written.
type rawAction struct {
	Word string
	rawCount
}

// rawCount is what an action can be given.
type rawCount struct {
	Base     time.Duration `team:"base" default:"5s" help:"of retry: the first delay, doubled each time"`
	MaxDelay time.Duration `team:"max_delay" default:"1m" help:"of retry: the longest delay"`
	AtMost   int           `team:"at_most" default:"1" min:"1" help:"how often the action may be taken"`
	Within   time.Duration `team:"within" help:"count in a window of this length; by itself a reported turn resets the count"`
}

var wordField = &field{values: actions}

// DecodeSpec implements Decoded.
func (a *rawAction) DecodeSpec(d *Decoder, n *yaml.Node, path string) {
	count := reflect.ValueOf(&a.rawCount).Elem()
	if n.Kind == yaml.ScalarNode {
		d.value(n, reflect.ValueOf(&a.Word).Elem(), wordField, path)
		d.mapping(&yaml.Node{Kind: yaml.MappingNode, Line: n.Line, Column: n.Column}, path, nil, count)
		return
	}
	pairs := []pair(nil)
	if n.Kind == yaml.MappingNode {
		pairs = d.pairs(n)
	}
	if len(pairs) != 1 || pairs[0].key.Kind != yaml.ScalarNode {
		d.Errorf(n, "bad-action", "%s must be one action: a word such as fail, or {retry: {at_most: 3}}", path)
		return
	}
	p := &pairs[0]
	if val := resolved(p.val); val.Kind == yaml.ScalarNode && wholeForm.MatchString(val.Value) {
		d.Errorf(p.val, "not-mapping", "%s must be a mapping; write {at_most: %s}", join(path, p.key.Value), val.Value)
		return
	} else if val.Kind == yaml.ScalarNode && durationForm.MatchString(val.Value) {
		d.Errorf(p.val, "not-mapping", "%s must be a mapping; write {base: %s}", join(path, p.key.Value), val.Value)
		return
	}
	d.value(p.key, reflect.ValueOf(&a.Word).Elem(), wordField, path)
	d.pair(p, count, no, join(path, p.key.Value))
	if a.Word == "" {
		return
	}
	at := join(path, a.Word)
	for _, key := range []string{"base", "max_delay"} {
		if a.Word != "retry" && d.l.has(join(at, key)) {
			d.l.errorAtKey(join(at, key), "wrong-key", "%s has no %s; only retry waits", a.Word, key)
		}
	}
	if a.Word == "fail" && resolved(p.val).Kind == yaml.MappingNode && len(resolved(p.val).Content) > 0 {
		d.Errorf(p.key, "wrong-key", "fail is never spent and takes no settings; write fail")
	}
	if a.Word == "retry" && a.Base > a.MaxDelay {
		d.l.errorf(join(at, "base"), "out-of-range", "%s: base %s is longer than max_delay %s", at, a.Base, a.MaxDelay)
	}
}

func (rawAction) specSchema(s *schemaMaker) object {
	words := object{}
	for _, w := range actions {
		words[w] = s.of(reflect.TypeFor[rawCount](), no)
	}
	return object{"anyOf": []any{
		object{"type": "string", "enum": actions},
		object{"type": "object", "properties": words, "minProperties": 1, "maxProperties": 1, "additionalProperties": false},
	}}
}

// rules checks recovery and resolves it.
func (l *loader) rules(raw []rawRule, t *Team) {
	for i := range raw {
		r, path := &raw[i], index("recovery", i)
		rule := Rule{Pos: l.valueAt(path).pos(), Members: r.Members}
		for k, class := range r.On {
			at := l.item(join(path, "on"), k)
			switch {
			case class == "*":
				rule.Any = true
			case class != "" && !slices.Contains(classes, class):
				l.errorf(at, "unknown-class", "no class %q in %s%s", class, join(path, "on"), meant(class, classes))
			}
			rule.On = append(rule.On, class)
		}
		if rule.Any {
			if len(rule.On) > 1 {
				l.errorf(join(path, "on"), "wrong-value", "%s: '*' is every class already; write it alone", join(path, "on"))
			}
			rule.On = nil
		}
		for k, m := range r.Members {
			l.knownMember(t, m, l.item(join(path, "members"), k), join(path, "members"))
		}
		for k, a := range r.Do {
			at := index(join(path, "do"), k)
			l.action(t, &rule, a.Word, at)
			action := Action{Word: a.Word, AtMost: a.AtMost, Within: a.Within}
			if a.Word == "retry" {
				action.Base, action.MaxDelay = a.Base, a.MaxDelay
			}
			rule.Do = append(rule.Do, action)
		}
		t.Rules = append(t.Rules, rule)
	}
}

// action refuses an action that can do nothing under its rule.
func (l *loader) action(t *Team, rule *Rule, word, at string) {
	if (word == "retry" || word == "continue") && slices.Contains(rule.On, "unknown") {
		l.errorf(at, "bad-action", "%s under unknown: what may have happened already is not done again; use replace, ask_human or fail", word)
		return
	}
	if word == "continue" {
		if cannot := l.cannotContinue(t, rule); cannot != "" {
			l.errorf(at, "cannot-enforce", "continue: %s cannot be continued", cannot)
			return
		}
	}
	if slices.Contains(passedOver, word) {
		l.warnf(at, "passed-over", "%s is not in this build yet and will be passed over", word)
	}
}

// cannotContinue names a member of the rule whose kind cannot continue a turn;
// of a rule for everyone only when no member can.
func (l *loader) cannotContinue(t *Team, rule *Rule) string {
	var cannot string
	for _, m := range t.Members {
		kind := l.kind(m.Agent.Kind)
		if kind == nil || len(rule.Members) > 0 && !slices.Contains(rule.Members, m.Name) {
			continue
		}
		if kind.Continue {
			if len(rule.Members) == 0 {
				return ""
			}
			continue
		}
		if cannot == "" {
			cannot = "member " + m.Name + " of kind " + kind.Name
		}
	}
	return cannot
}
