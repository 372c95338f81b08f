package runner

import (
	"context"
	"encoding/json"

	"github.com/teamrun/teamrun/spec"
)

// The contracts between the host and the world. Whoever performs effects is an
// adapter below stepsx; the host knows these interfaces and no adapter, an
// adapter knows these interfaces and no host.
//
// Rules that hold for all of them:
//   - A call blocks until it has its one outcome. The host calls each in a
//     goroutine of its own.
//   - When ctx is cancelled the call ends what it started, in order (ask, TERM,
//     KILL) and returns; it never returns while something it started still runs
//     without naming it.
//   - A domain failure (the agent failed) is the outcome; an error that only
//     concerns this machine (a full disk, a missing folder) is an outcome of
//     class crashed with the text in it. Nobody panics.
//   - Nothing is started twice for one effect id.

// Kind is one kind of agent: what a spec may say of it, and how its members
// are run.
type Kind interface {
	// Spec describes the kind to the loader.
	Spec() spec.Kind
	// Open prepares the agent of one member under one lease. It starts nothing.
	Open(p Post) (Agent, error)
}

// Post is where and as whom an agent works.
type Post struct {
	Run      string // run id
	Member   string
	Settings any      // spec.Agent.Settings of the member's agent
	Via      spec.Via // how its reports come
	Env      []string // names of variables of the runner's environment to pass
	Dir      string   // work folder, absolute
	// Folder is the member's folder below the run's, absolute: the agent keeps
	// what it must find after a crash below Folder/<epoch>.
	Folder string
	// RunFolder is the run's folder; paths in records are relative to it.
	RunFolder string
	// Bin is the folder that holds teamrun, for the end of PATH; "" for none.
	Bin string
	// Hurry is closed when the person wants everything ended now: grace is over.
	Hurry <-chan struct{}
}

// Agent performs the session and turn effects of one member.
type Agent interface {
	// Start performs a session_start. Class in the result is set when it failed.
	Start(ctx context.Context, s SessionOrder) SessionStarted
	// Turn hands the prompt over and waits for the end of the turn. progress may
	// be called at any time until Turn returns, from any goroutine.
	Turn(ctx context.Context, p Prompt, progress func(TurnProgress)) TurnEnded
	// Stop ends the session and everything that belongs to it.
	Stop(ctx context.Context, s SessionOrder) SessionStopped
	// Ask says what became of an effect that an earlier runner process began or
	// was about to begin. It also ends what that process left running.
	Ask(ctx context.Context, effect Effect) Answer
}

// SessionOrder is a session_start or session_stop for an agent.
type SessionOrder struct {
	Effect string
	Epoch  int
	// RoomFile is the 0600 file with the socket and the token of this member and
	// epoch; agents that have a shell get its path as TEAMRUN_ROOM.
	RoomFile string
}

// Prompt is a turn for an agent.
type Prompt struct {
	Effect   string // the turn's id
	Epoch    int
	Nth      int // of the member's turns in this run, from 1
	Task     string
	Round    int
	Mode     Mode
	Text     string // the whole prompt, rendered
	Mail     []PromptMail
	Report   *spec.Schema // nil: no report is expected
	RoomFile string
	Room     Room
}

// PromptMail is the mail of a prompt, for kinds that react to it.
type PromptMail struct {
	ID   string
	From string
	Body string
}

// Room is what a member can do in its room from inside the runner, for kinds
// that have no process of their own to call it. A refusal is a *Refusal.
type Room interface {
	// Send sends mail; to holds member names or "*". It returns the mail's id
	// when the record is durable.
	Send(ctx context.Context, to []string, body string) (id string, err error)
	// Report hands in the report of the turn.
	Report(ctx context.Context, body json.RawMessage) error
	// Reported reports whether the turn has a report already, whoever handed it
	// in. It is false when the runner cannot say.
	Reported(ctx context.Context) bool
}

// Answer says what became of an effect.
type Answer struct {
	State AnswerState
	// Outcome is the effect's outcome, for AnswerEnded.
	Outcome Event
	// Seen and Cost of a turn that is gone; a nil cost is unknown.
	Seen string
	Cost *float64 // USD
}

// AnswerState is the state of an asked effect.
type AnswerState string

// The answers.
const (
	AnswerEnded      AnswerState = "ended"       // its outcome is known
	AnswerRunning    AnswerState = "running"     // it still runs and was taken over
	AnswerNotStarted AnswerState = "not_started" // provably never begun
	AnswerGone       AnswerState = "gone"        // begun and no longer there
	AnswerUnknown    AnswerState = "unknown"     // none of these can be said
)

// Exec performs run tasks.
type Exec interface {
	// Run runs one process and waits for its end.
	Run(ctx context.Context, o ExecOrder) ExecEnded
	// Ask is Agent.Ask for an exec.
	Ask(ctx context.Context, effect Effect, o ExecOrder) Answer
}

// ExecOrder is an exec effect with all it needs.
type ExecOrder struct {
	Effect    string
	Task      string
	Round     int
	Argv      []string
	Env       []string // names to pass
	Dir       string
	Folder    string // where its output goes, absolute
	RunFolder string
	Bin       string // as in Post
	Hurry     <-chan struct{}
}

// Finisher performs finish.
type Finisher interface {
	// Finish writes the artifacts of the result into folder out. It may be called
	// again after a crash and then does the same again.
	Finish(ctx context.Context, effect string, r Result, artifacts []spec.Artifact, out string) FinishEnded
}

// Refusal is a call that was refused before anything changed. The caller can
// read it and act on it.
type Refusal struct {
	Code string // kebab-case, stable
	Msg  string
	// Recorded: the attempt itself is a fact the machine must know, as a message
	// over the limit.
	Recorded bool
}

func (r *Refusal) Error() string { return r.Msg + " [" + r.Code + "]" }

// World is everything that can perform effects: an explicit set, handed to the
// loader (its kinds) and to the host.
type World struct {
	Kinds    []Kind
	Exec     Exec
	Finisher Finisher
}

// SpecKinds are the kinds as the loader wants them.
func (w World) SpecKinds() []spec.Kind {
	kinds := make([]spec.Kind, len(w.Kinds))
	for i, k := range w.Kinds {
		kinds[i] = k.Spec()
	}
	return kinds
}
