package runner

// Record is one entry of the journal: an event, its place in the order and its
// time. The host gives both; the machine reads no other clock.
type Record struct {
	Seq   uint64 // from 1, without gaps
	At    int64  // Unix time in milliseconds
	Event Event
}

// Event is a fact. The set is closed: the types of this file and no others.
// Every known event is accepted in every state; what is late, foreign or twice
// stays in the journal and changes nothing.
type Event interface {
	// EventKind is the name of the event in the journal.
	EventKind() string
}

// RunStarted is record 1: what the run was started with.
type RunStarted struct {
	Machine int               `json:"machine"` // Version of the machine
	Run     string            `json:"run"`
	Team    string            `json:"team"`
	Digest  string            `json:"digest"` // of the spec, spec.Team.Digest
	Params  map[string]string `json:"params,omitempty"`
	Limits  LimitValues       `json:"limits"`
}

// LimitValues are the resolved limits in journal form.
type LimitValues struct {
	WallMS      int64    `json:"wall_ms"`
	Turns       int      `json:"turns"`
	Messages    int      `json:"messages"`
	Concurrency int      `json:"concurrency"`
	Cost        *float64 `json:"cost,omitempty"`
	UnknownCost *float64 `json:"unknown_cost,omitempty"`
}

// Leased says that a runner took the run over. The wall clock runs under a
// lease only: the last DownMS milliseconds had none.
type Leased struct {
	Lease  int   `json:"lease"`
	DownMS int64 `json:"down_ms"`
	Human  bool  `json:"human"` // somebody can be asked
}

// SessionStarted is the outcome of a session_start.
type SessionStarted struct {
	Effect string `json:"effect"`
	OK     bool   `json:"ok"`
	Class  string `json:"class,omitempty"` // of a failure
	Text   string `json:"text,omitempty"`  // what went wrong, for people
	Ref    string `json:"ref,omitempty"`   // the kind's own name of the session
}

// SessionStopped is the outcome of a session_stop.
type SessionStopped struct {
	Effect  string   `json:"effect"`
	Escaped []string `json:"escaped,omitempty"` // processes that could not be ended
}

// SessionLost says that a member's session ended by itself. Of a turn that was
// open in it the outcome still comes.
type SessionLost struct {
	Member string `json:"member"`
	Epoch  int    `json:"epoch"`
	Class  string `json:"class,omitempty"`
}

// The kinds of TurnProgress.
const (
	ProgressSign      = "sign"       // the agent does something
	ProgressMaxTokens = "max_tokens" // a step was cut by max_tokens
)

// TurnProgress is something seen of an open turn.
type TurnProgress struct {
	Effect string `json:"effect"`
	What   string `json:"what"`
	Text   string `json:"text,omitempty"` // what the agent is doing, for people
}

// The ways a turn stops.
const (
	StopEndTurn   = "end_turn"
	StopMaxTokens = "max_tokens"
	StopRefusal   = "refusal"
	StopCancelled = "cancelled"
	StopError     = "error"
)

// The values of Seen.
const (
	SeenYes     = "yes"
	SeenNo      = "no"
	SeenUnknown = "unknown"
)

// TurnEnded is the outcome of a turn.
type TurnEnded struct {
	Effect string   `json:"effect"`
	Stop   string   `json:"stop"`
	Class  string   `json:"class,omitempty"` // of a failure the kind recognised
	Code   string   `json:"code,omitempty"`  // the kind's own code, as "exit 3"
	Text   string   `json:"text,omitempty"`  // what went wrong, for people; bounded
	Seen   string   `json:"seen"`            // does the agent's own log hold the prompt
	Cost   *float64 `json:"cost,omitempty"`  // USD; absent: unknown
	Cut    bool     `json:"cut,omitempty"`   // found gone after a crash of the runner
	Output *Output  `json:"output,omitempty"`
}

// Output points at what a process printed and holds its beginning.
type Output struct {
	Head   string `json:"head"`   // sanitised, at most 64 KiB
	Path   string `json:"path"`   // the whole, relative to the run's folder
	Bytes  int64  `json:"bytes"`  // of the whole, secrets masked, also what was dropped
	SHA256 string `json:"sha256"` // of these bytes
	Cut    bool   `json:"cut,omitempty"`
}

// ExecEnded is the outcome of an exec: a run task's process.
type ExecEnded struct {
	Effect string  `json:"effect"`
	Exit   int     `json:"exit"`            // -1 when it did not exit by itself
	Class  string  `json:"class,omitempty"` // set when there is no exit status to judge; cancelled when it was told to end
	Text   string  `json:"text,omitempty"`
	Output *Output `json:"output,omitempty"`
}

// BackoffDue answers a backoff with the time its delay ends.
type BackoffDue struct {
	Effect string `json:"effect"`
	At     int64  `json:"at"` // Unix time in milliseconds
}

// TimerFired is the outcome of a timer.
type TimerFired struct {
	Effect string `json:"effect"`
}

// FinishEnded is the outcome of finish.
type FinishEnded struct {
	Effect string            `json:"effect"`
	OK     bool              `json:"ok"`
	Error  string            `json:"error,omitempty"`
	Files  []ArtifactWritten `json:"files,omitempty"`
}

// ArtifactWritten is one artifact and what became of it.
type ArtifactWritten struct {
	Name   string   `json:"name"`
	Path   Optional `json:"path"`   // where it was written
	Absent Optional `json:"absent"` // why it was left out
}

// MailSent is a message. Its id is the decimal seq of its record.
type MailSent struct {
	Call  uint64   `json:"call"` // of the session; 0 for a person
	From  string   `json:"from"` // by the session's token, never by the message
	Epoch int      `json:"epoch"`
	To    []string `json:"to"` // resolved: members, never *
	Body  string   `json:"body"`
	Size  int      `json:"size"` // bytes of Body
}

// Reported is what a member says its turn produced.
type Reported struct {
	Call   uint64         `json:"call"`
	Member string         `json:"member"`
	Epoch  int            `json:"epoch"`
	Turn   string         `json:"turn,omitempty"` // as the tool process stamped it
	Body   map[string]any `json:"body"`           // complete by the schema
}

// Control is a command of the person who runs the run.
type Control struct {
	Act string `json:"act"` // down
}

// ControlDown ends the run for good.
const ControlDown = "down"

// EventKind implements Event.
func (RunStarted) EventKind() string     { return "run_started" }
func (Leased) EventKind() string         { return "leased" }
func (SessionStarted) EventKind() string { return "session_started" }
func (SessionStopped) EventKind() string { return "session_stopped" }
func (SessionLost) EventKind() string    { return "session_lost" }
func (TurnProgress) EventKind() string   { return "turn_progress" }
func (TurnEnded) EventKind() string      { return "turn_ended" }
func (ExecEnded) EventKind() string      { return "exec_ended" }
func (BackoffDue) EventKind() string     { return "backoff_due" }
func (TimerFired) EventKind() string     { return "timer_fired" }
func (FinishEnded) EventKind() string    { return "finish_ended" }
func (MailSent) EventKind() string       { return "mail_sent" }
func (Reported) EventKind() string       { return "reported" }
func (Control) EventKind() string        { return "control" }
