// Package scripted runs members that play a script instead of thinking: what a
// team file does can be tried without an agent, a key or a network.
//
// # A script
//
//	agents:
//	  coder:
//	    kind: scripted
//	    script:                        # or {file: scripts/coder.yaml}
//	      starts:                      # when a session starts; optional
//	        - on: {epoch: 1}
//	          do: [{fail: auth}]
//	      turns:
//	        - on: {task: build, attempt: 1}
//	          do:
//	            - say: compiling
//	            - take: 2s
//	            - fail: rate_limited
//	        - on: {task: build}
//	          do:
//	            - send: {to: [lead, qa], text: it compiles}
//	            - report: {verdict: approve}
//	            - spend: 0.25
//	        - on: {mail_from: lead}
//	          do: [{say: reading}]
//
// In a turn the first clause whose `on` matches is played; `on` names what must
// all hold, and a clause without it always matches. In a turn that no clause
// matches the member says nothing and ends its turn; where a report was expected
// that is a failure of class no_report.
//
//	turn       the n-th turn of the member in this run, from 1
//	epoch      its session, from 1
//	task       the task of the turn
//	round      the round of the task, from 1
//	attempt    the n-th turn for the task in this round, from 1
//	mode       what the prompt is: brief, mail, nudge or go_on
//	mail_from  a sender of mail in the prompt
//
// Steps are done in order. The last one may end the turn; else it just ends.
//
//	say: TEXT                     a line of the transcript, and a sign of life
//	send: {to: [NAME], text: T}   mail; to is a name, a list of them or "*"
//	report: {FIELD: VALUE}        the report of the turn
//	spend: 0.25                   USD, added up; unknown leaves the cost unknown
//	take: 2s                      time passes without a sign of life
//	fail: CLASS                   ends the turn with a failure of that class;
//	                              also {class, code, text, seen: yes|no|unknown}
//	stop: max_tokens              ends the turn with that stop; also refusal
//	hang: true                    never ends by itself
//	crash: true                   the session dies: class crashed, and every
//	                              later turn of it is class gone
//
// When a session starts, `on` knows only epoch, and steps are say, take, fail
// and hang. What the room refuses, as a message over the limit, is written to
// the transcript, members/NAME/EPOCH/transcript.txt, and the script goes on.
//
// A script decides by what the prompt and the disk say and never by what the
// agent remembers: a resumed run goes on where it was.
package scripted

import (
	"errors"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/spec"
)

// Name is the kind's name in a spec.
const Name = "scripted"

// Settings are the keys of the kind.
type Settings struct {
	Script Script `team:"script,required,file" like:"{turns: […]}" help:"what the member does, here or in {file: path}"`
}

type kind struct{}

// New is the kind scripted.
func New() runner.Kind { return kind{} }

// Spec implements runner.Kind. Scripted members have no tools: what they do in
// the room is in the script.
func (kind) Spec() spec.Kind {
	return spec.Kind{
		Name:     Name,
		New:      func() any { return &Settings{} },
		Sessions: true,
		Priced:   true,
		Codes:    codes,
		Vias:     []spec.Via{spec.ViaTool},
	}
}

// Open implements runner.Kind.
func (kind) Open(p runner.Post) (runner.Agent, error) {
	settings, ok := p.Settings.(*Settings)
	if !ok {
		return nil, errors.New("a scripted agent needs the key script")
	}
	return &agent{post: p, script: settings.Script}, nil
}
