package runner

import "time"

// Effect is something the machine wants done. Its id is "<seq>.<n>", derived
// from the record that caused it: the same at every replay, and the
// idempotency key of whoever performs it.
type Effect struct {
	ID string
	Op Op
}

// Op is what an effect asks for. The set is closed: the types of this file. An
// op whose Pending is true waits for exactly one outcome.
type Op interface {
	// EffectKind is the name of the op in the journal and in logs.
	EffectKind() string
	// Pending reports whether the effect waits for an outcome.
	Pending() bool
}

// StartSession starts a session of a member.
type StartSession struct {
	Member string `json:"member"`
	Epoch  int    `json:"epoch"`
	Mode   string `json:"mode"` // start; reload comes with kinds that can
}

// StopSession ends a session of a member.
type StopSession struct {
	Member string `json:"member"`
	Epoch  int    `json:"epoch"`
}

// Mode says what a turn's prompt is.
type Mode string

// The modes of a turn.
const (
	ModeBrief Mode = "brief" // the task's brief, with queued mail
	ModeMail  Mode = "mail"  // mail alone
	ModeNudge Mode = "nudge" // "your report is missing"
	ModeGoOn  Mode = "go_on" // "go on and report", for a prompt already seen
)

// TakeTurn prompts a member. The effect's id is the turn's id.
type TakeTurn struct {
	Member string `json:"member"`
	Epoch  int    `json:"epoch"`
	Nth    int    `json:"nth"` // of the member's turns in this run, from 1
	Task   string `json:"task,omitempty"`
	Round  int    `json:"round,omitempty"`
	Mode   Mode   `json:"mode"`
	// Mail is handed over by this turn, oldest first; Again is mail of the same
	// work that an earlier attempt already handed over.
	Mail   []Delivery `json:"mail,omitempty"`
	Again  []Delivery `json:"again,omitempty"`
	Inputs []string   `json:"inputs,omitempty"` // tasks whose reports go with the brief
}

// Delivery names one piece of mail of a turn.
type Delivery struct {
	ID   string `json:"id"`
	From string `json:"from"`
	// Seq is the record that holds the body; 0 when the runner itself wrote it,
	// then Text is the body.
	Seq  uint64 `json:"seq,omitempty"`
	Text string `json:"text,omitempty"`
	// Doubtful: the member's earlier session may have seen it.
	Doubtful bool `json:"doubtful,omitempty"`
}

// RunExec runs the process of a run task.
type RunExec struct {
	Task  string `json:"task"`
	Round int    `json:"round"`
}

// AskBackoff asks the host for the delay of an attempt.
type AskBackoff struct {
	Member  string        `json:"member"`
	Base    time.Duration `json:"base"`
	Max     time.Duration `json:"max"`
	Attempt int           `json:"attempt"` // from 1
}

// SetTimer asks for a TimerFired at an absolute time.
type SetTimer struct {
	At   int64  `json:"at"`   // Unix time in milliseconds
	What string `json:"what"` // wall settle clock stall backoff task
	Ref  string `json:"ref,omitempty"`
}

// Finish writes the artifacts and everything that must exist when a run ends.
type Finish struct {
	Outcome string `json:"outcome"`
	Exit    int    `json:"exit"`
}

// Cancel asks for the end of a pending effect. It has no outcome of its own.
type Cancel struct {
	Target string `json:"target"`
}

// EffectKind implements Op.
func (StartSession) EffectKind() string { return "session_start" }
func (StopSession) EffectKind() string  { return "session_stop" }
func (TakeTurn) EffectKind() string     { return "turn" }
func (RunExec) EffectKind() string      { return "exec" }
func (AskBackoff) EffectKind() string   { return "backoff" }
func (SetTimer) EffectKind() string     { return "timer" }
func (Finish) EffectKind() string       { return "finish" }
func (Cancel) EffectKind() string       { return "cancel" }

// Pending implements Op.
func (StartSession) Pending() bool { return true }
func (StopSession) Pending() bool  { return true }
func (TakeTurn) Pending() bool     { return true }
func (RunExec) Pending() bool      { return true }
func (AskBackoff) Pending() bool   { return true }
func (SetTimer) Pending() bool     { return true }
func (Finish) Pending() bool       { return true }
func (Cancel) Pending() bool       { return false }
