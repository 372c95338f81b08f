// Package command runs members that are programs, and run tasks: one process a
// turn, argv and never a shell line.
//
// # A turn
//
// The process reads the prompt on standard input, which is a file that ends, or
// finds it in the file TEAMRUN_PROMPT names. It works in the work folder with
// the environment of environ, TEAMRUN_ROOM, TEAMRUN_TURN and TEAMRUN_FOLDER, the
// folder its output is kept in. It has a process group of its own. A turn is
// over when the process has ended and so has everything that came from it: what
// outlives it is ended, TERM first, KILL after 7 s.
//
// # What an end means
//
//	exit                          the turn
//	0, report expected, via exit  standard output is the report, see below
//	0 otherwise                   ended; a report came by `teamrun room report` or is missing
//	1 … 255                       class exit, code "exit N"
//	by a signal                   class exit, code "signal NAME"
//	program not there             class exit, code "exit 127"
//	program not executable        class exit, code "exit 126"
//	not started by this machine   class crashed
//
// Text of a failure is the end of standard error. A report made with `teamrun
// room report` makes the turn a success whatever the exit.
//
// # Output as a report
//
//	output    the report, where the schema takes it
//	text      {F: all of it}, F the schema's only field, a text
//	lines     {F: its lines}, F the schema's only field, a list of text
//	json      the one JSON object it is
//	findings  {findings: the one JSON list it is}, or that object; schema findings
//
// A report made with `teamrun room report` counts, whatever is printed. Output
// that is empty is never a report, and neither is one whose schema has
// another form: then the report has to come by `teamrun room report`. With
// `via: tool` it always has to, so that a program may print what it likes.
// Output of the right form that breaks the schema is class no_report, and the
// text says what is wrong. Output of more than 256 KiB is not taken.
package command

import (
	"errors"
	"time"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/spec"
)

// Name is the kind's name in a spec.
const Name = "command"

// Settings are the keys of the kind.
type Settings struct {
	Run    []spec.Text `team:"run,required,argv" help:"the program and its arguments, as a list; each turn runs it once"`
	Prompt string      `team:"prompt" default:"stdin" values:"stdin file" help:"where the prompt is: on standard input, or in the file that TEAMRUN_PROMPT names"`
	Output string      `team:"output" default:"text" values:"text json findings lines" help:"what standard output is when the program exits with 0"`
}

// The ways a prompt is handed over.
const promptFileMode = "file"

type kind struct{ grace time.Duration }

// New is the kind command.
func New() runner.Kind { return kind{grace: stopGrace} }

// Spec implements runner.Kind.
func (kind) Spec() spec.Kind {
	return spec.Kind{
		Name:   Name,
		New:    func() any { return &Settings{} },
		Priced: true,
		Codes:  codes,
		Vias:   []spec.Via{spec.ViaExit, spec.ViaTool},
	}
}

// Open implements runner.Kind.
func (k kind) Open(p runner.Post) (runner.Agent, error) {
	settings, ok := p.Settings.(*Settings)
	if !ok || len(settings.Run) == 0 {
		return nil, errors.New("a command agent needs the key run: the program and its arguments")
	}
	return &agent{post: p, settings: settings, grace: k.grace}, nil
}
