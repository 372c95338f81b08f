package spec

import (
	"strconv"
	"time"
)

// Team is a checked spec: every name resolved, every default applied, every
// text expanded. It is made by Load and read by everyone else; nothing in it
// changes after Load.
type Team struct {
	Name    string
	Params  []Param  // declared order
	Agents  []Agent  // declared order
	Schemas []Schema // declared order, the built-in ones after them when used
	Members []Member // managers and members in the order of the file
	Tasks   []Task   // in the order of the file; a member's brief stands at its member's place
	Stops   []Stop
	Rules   []Rule // only the rules of the spec; the built-in ones are runner.BuiltinRules
	Limits  Limits

	Artifacts []Artifact

	// Dir is the folder of the spec file, absolute. Path is the spec file
	// itself, relative to Dir. Files are all files that were read, the spec
	// first, relative to Dir: what has to be kept to load the same team again.
	Dir   string
	Path  string
	Files []File
}

// File is one file a team was loaded from.
type File struct {
	Path   string // relative to Team.Dir, slash separated, confined to it
	Data   []byte
	SHA256 string // lower case hex of Data
}

// Param is a declared parameter together with the value of this run.
type Param struct {
	Name      string
	Type      ParamType
	Default   *string
	Required  bool
	Untrusted bool
	Help      string
	Values    []string // of an enum
	// Value is the value of this run in its text form: what --set gave, else
	// the default. Given is false while a required parameter has none, which
	// only LoadOptions.NeedParams makes an error.
	Value string
	Given bool
}

// ParamType is the type of a parameter.
type ParamType string

// The types a parameter can have.
const (
	ParamText   ParamType = "text"
	ParamNumber ParamType = "number"
	ParamBool   ParamType = "bool"
	ParamRef    ParamType = "ref"
	ParamPath   ParamType = "path"
	ParamEnum   ParamType = "enum"
)

// Agent says how a member is run: a kind and its settings.
type Agent struct {
	Name     string
	Kind     string
	Tools    []string
	Approval Approval
	Env      []string // names of variables to pass, never values
	Via      Via
	// Settings is what Kind.New returned, filled from the kind's own keys;
	// nil when the kind has none.
	Settings any
}

// Approval says what happens when an agent asks for permission.
type Approval struct {
	Mode  string   // ask, never or allow
	Allow []string // patterns, for allow
}

// Via says how a turn's report reaches the room.
type Via string

// The ways a report can come.
const (
	ViaTool         Via = "tool"
	ViaFinalMessage Via = "final_message"
	ViaExit         Via = "exit"
)

// Member is a named participant with everything that applies to it.
type Member struct {
	Name    string
	Pos     Pos
	Manager string   // the direct manager, "" for none
	Manages []string // direct reports, only of a manager
	Agent   Agent    // resolved: the member's settings beat defaults, which beat the agent's
	Role    Text
	Report  *Schema // of its mail-only turns and of its brief's task
	Writes  Writes

	TurnTimeout time.Duration // 0: none
	StallAfter  time.Duration
}

// Writes says what a member may write.
type Writes struct {
	Mode  string // none, all or globs
	Globs []string
}

// Task is a unit of work with one way of being performed: For or Run.
type Task struct {
	Name   string
	Pos    Pos
	For    []string // performers, each once
	Run    []Text   // argv
	Env    []string // of Run
	OKExit []int    // of Run; never empty for a run task
	Needs  []Need
	Report *Schema // nil: no report is expected
	Brief  Text
	// Timeout is of Run, from its start; 0: none.
	Timeout time.Duration
}

// Need is one task another waits for.
type Need struct {
	Task string
	How  string // done or finished
}

// Stop is one condition that ends the run.
type Stop struct {
	Pos     Pos
	When    *Cond
	Outcome string // success or failure
	Reason  string
	Then    string // cancel (drain is not in this build)
}

// Rule is one recovery rule: the ladder Do for failures in the classes On.
type Rule struct {
	Pos     Pos
	On      []string // classes; empty with Any
	Any     bool     // on: '*'
	Members []string // empty: every member
	Do      []Action
}

// Action is one rung of a ladder.
type Action struct {
	Word     string        // retry continue nudge switch_model replace fail escalate ask_human pause
	Base     time.Duration // of retry
	MaxDelay time.Duration // of retry
	AtMost   int           // at least 1
	Within   time.Duration // 0: the counter is reset by success instead
}

// Limits are the bounds of a run. They always exist.
type Limits struct {
	Wall        time.Duration
	Turns       int
	Messages    int
	Concurrency int
	Cost        *float64 // USD; nil: none
	UnknownCost *float64 // USD charged for a turn of unknown cost; nil: none
}

// Artifact is one file of the result.
type Artifact struct {
	Name string // file name, relative, confined
	Pos  Pos
	// From is findings, tasks, or tasks.T.report[.F], tasks.T.output split at
	// its dots.
	From []string
	As   string // text or json
}

// Text is prose or an argument in which ${params.x} has been found. The parts
// in their order make the text.
type Text struct {
	Parts []TextPart
	Pos   Pos
}

// TextPart is literal text or the value of a parameter.
type TextPart struct {
	Text      string // literal text, or the parameter's value
	Param     string // "" for literal text
	Untrusted bool   // the parameter is untrusted: in a prompt its value is fenced as data
}

// String is the text with all values put in plainly, as for argv.
func (t Text) String() string {
	var s string
	for _, p := range t.Parts {
		s += p.Text
	}
	return s
}

// Empty reports whether there is no text at all.
func (t Text) Empty() bool { return t.String() == "" }

// Typed is the parameter's value as conditions see it: a bool, an int or
// float64 for a number, else a string. It is false while there is no value.
func (p Param) Typed() (any, bool) {
	if !p.Given && p.Default == nil {
		return nil, false
	}
	switch p.Type {
	case ParamBool:
		return p.Value == "true", true
	case ParamNumber:
		if n, err := strconv.Atoi(p.Value); err == nil {
			return n, true
		}
		f, err := strconv.ParseFloat(p.Value, 64)
		return f, err == nil
	}
	return p.Value, true
}
