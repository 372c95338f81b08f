package scripted

import (
	"time"

	"gopkg.in/yaml.v3"

	"github.com/teamrun/teamrun/spec"
)

// Script is what a member does.
type Script struct {
	Starts []Start  `team:"starts" help:"when a session starts; the first clause that matches is played"`
	Turns  []Clause `team:"turns" help:"in each turn the first clause that matches is played"`
}

// Start is what is done when a session starts.
type Start struct {
	On StartOn     `team:"on" help:"which session; a clause without it matches every one"`
	Do []StartStep `team:"do,required" like:"[{say: hi}]" help:"the steps, in order"`
}

// StartOn says which session a clause is for.
type StartOn struct {
	Epoch int `team:"epoch" min:"1" help:"the member's session"`
}

// StartStep is one thing to do when a session starts: exactly one of its fields
// is set.
type StartStep struct {
	Say  *string        `team:"say" help:"a line of the transcript"`
	Take *time.Duration `team:"take" help:"time passes"`
	Fail *Fail          `team:"fail" help:"the session does not start: the class of the failure, or {class, code, text, seen}"`
	Hang *bool          `team:"hang" help:"never ends by itself"`
}

// clause is the start as a clause of turns.
func (s Start) clause() Clause {
	c := Clause{On: On{Epoch: s.On.Epoch}}
	for _, d := range s.Do {
		c.Do = append(c.Do, Step{Say: d.Say, Take: d.Take, Fail: d.Fail, Hang: d.Hang})
	}
	return c
}

// DecodeSpec implements spec.Decoded.
func (s *StartStep) DecodeSpec(d *spec.Decoder, n *yaml.Node, path string) {
	type plain StartStep
	if emptyStep(d, n, startForms) {
		return
	}
	d.Value(n, (*plain)(s), path)
}

// Clause is what is done in the turns it matches.
type Clause struct {
	On On     `team:"on" help:"what must hold, all of it; a clause without it always matches"`
	Do []Step `team:"do,required" like:"[{say: hi}]" help:"the steps, in order"`
}

// On is what must hold for a clause to be played; zero values say nothing.
type On struct {
	Turn     int    `team:"turn" min:"1" help:"the n-th turn of the member in this run"`
	Epoch    int    `team:"epoch" min:"1" help:"the member's session"`
	Task     string `team:"task" help:"the task of the turn"`
	Round    int    `team:"round" min:"1" help:"the round of the task"`
	Attempt  int    `team:"attempt" min:"1" help:"the n-th turn for the task in this round"`
	Mode     string `team:"mode" values:"brief mail nudge go_on" help:"what the prompt is"`
	MailFrom string `team:"mail_from" help:"a sender of mail in the prompt"`
}

// covers reports whether a holds wherever b does.
func (a On) covers(b On) bool {
	return (a.Turn == 0 || a.Turn == b.Turn) &&
		(a.Epoch == 0 || a.Epoch == b.Epoch) &&
		(a.Task == "" || a.Task == b.Task) &&
		(a.Round == 0 || a.Round == b.Round) &&
		(a.Attempt == 0 || a.Attempt == b.Attempt) &&
		(a.Mode == "" || a.Mode == b.Mode) &&
		(a.MailFrom == "" || a.MailFrom == b.MailFrom)
}

// Step is one thing to do: exactly one of its fields is set.
type Step struct {
	Say    *string        `team:"say" help:"a line of the transcript, and a sign of life"`
	Send   *Send          `team:"send" help:"mail to members"`
	Report map[string]any `team:"report" help:"the report of the turn"`
	Spend  *string        `team:"spend,verbatim" words:"number or unknown" help:"USD of the turn, added up, or unknown"`
	Take   *time.Duration `team:"take" help:"time passes without a sign of life"`
	Fail   *Fail          `team:"fail" help:"ends the turn with a failure: its class, or {class, code, text, seen}"`
	Stop   *string        `team:"stop" values:"max_tokens refusal" help:"ends the turn with that stop"`
	Hang   *bool          `team:"hang" help:"never ends by itself"`
	Crash  *bool          `team:"crash" help:"the session dies"`
}

// verbs are the fields that are set.
func (s Step) verbs() []string {
	var set []string
	for _, v := range []struct {
		verb string
		set  bool
	}{
		{"say", s.Say != nil}, {"send", s.Send != nil}, {"report", s.Report != nil}, {"spend", s.Spend != nil},
		{"take", s.Take != nil}, {"fail", s.Fail != nil}, {"stop", s.Stop != nil}, {"hang", s.Hang != nil}, {"crash", s.Crash != nil},
	} {
		if v.set {
			set = append(set, v.verb)
		}
	}
	return set
}

// ends reports whether nothing can come after the step.
func (s Step) ends() bool { return s.Fail != nil || s.Stop != nil || s.Hang != nil || s.Crash != nil }

// DecodeSpec implements spec.Decoded: an empty step is refused where it stands.
func (s *Step) DecodeSpec(d *spec.Decoder, n *yaml.Node, path string) {
	type plain Step
	if emptyStep(d, n, stepForms) {
		return
	}
	d.Value(n, (*plain)(s), path)
}

func emptyStep(d *spec.Decoder, n *yaml.Node, forms string) bool {
	if n.Kind != yaml.MappingNode || len(n.Content) > 0 {
		return false
	}
	d.Errorf(n, "bad-step", "an empty step; write one of %s", forms)
	return true
}

// The steps there are, for messages.
const (
	stepForms  = "say, send, report, spend, take, fail, stop, hang: true and crash: true"
	startForms = "say, take, fail and hang: true"
)

// Send is mail to send.
type Send struct {
	To   []string `team:"to,required" like:"a member, or '*'" help:"a member, a list of them, or '*' for everyone"`
	Text string   `team:"text,required" like:"what the mail says" help:"what the mail says"`
}

// Fail is a failure. It can be written as its class alone.
type Fail struct {
	Class string `team:"class,required" values:"exit no_report max_tokens rate_limited overloaded usage_cap auth context_full refusal tool_denied turn_limit network provider crashed stalled blocked protocol gone unknown" help:"the class of the failure, as recovery rules name it"`
	Code  string `team:"code" help:"the code an agent would give, as 429"`
	Text  string `team:"text" help:"what went wrong, for people"`
	Seen  string `team:"seen" default:"yes" values:"yes no unknown" help:"whether the agent has seen the prompt"`
}

// DecodeSpec implements spec.Decoded.
func (f *Fail) DecodeSpec(d *spec.Decoder, n *yaml.Node, path string) {
	type long Fail
	if n.Kind != yaml.MappingNode {
		class := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: "class", Line: n.Line, Column: n.Column}
		n = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{class, n}, Line: n.Line, Column: n.Column}
	}
	d.Value(n, (*long)(f), path)
}
