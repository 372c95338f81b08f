package runner

import (
	"github.com/teamrun/teamrun/spec"
)

// state is what a fold over the journal comes to. Settled mail and judged turns
// leave it, so a step costs the same however long the run is.
type state struct {
	seq uint64
	now int64 // ms; record time, never going back

	started int64 // ms; 0 before record 1
	run     string
	limits  LimitValues // as record 1 says
	leased  bool
	wall    wallClock

	members []*member // in the order of the spec
	byName  map[string]*member
	tasks   []*task // in the order of the program
	byTask  map[string]*task
	pending map[string]*pending

	turns     int // prompts handed to members
	messages  int // mail accepted, one for each recipient
	failures  int
	tasksDone int
	cost      float64 // USD known or charged
	unpriced  bool    // some turn's cost is unknown and not charged

	limitHit string // wall or messages: hit at once
	refused  string // turns or cost: work was refused in this step
	latch    *latch
	ended    bool
	finish   FinishEnded
}

// wallClock counts the time under a lease.
type wallClock struct {
	used  int64  // ms
	timer string // effect of the timer that ends the run
}

// pending is an effect that waits for its outcome.
type pending struct {
	Effect
	cancelled bool
}

// The states of a member.
const (
	memberWaiting  = "waiting"
	memberStarting = "starting"
	memberIdle     = "idle"
	memberWorking  = "working"
	memberBackoff  = "backoff"
	memberDown     = "down"
	memberClosed   = "closed"
)

type member struct {
	def   *MemberDef
	epoch int
	// session is the session_start of the living session of this epoch. start and
	// stop are the pending effects that begin and end one, backoff is the pending
	// delay or its timer. Each is "" for none.
	session, start, stop, backoff string
	// promised: its session came up for the prompt that is next.
	promised bool
	// gone is memberDown or memberClosed, for good; "" otherwise.
	gone string

	turn    *turn   // open or closed, not yet judged
	work    *work   // what it works on, over all attempts
	todo    []*work // ready parts, the oldest first
	mailbox []*letter

	counts  map[rung]int
	windows map[rung][]int64
	// failedAt are the times of failures that have not yet woken the manager.
	failedAt []int64

	turns, failures int
	reported        bool
	report          map[string]any
	cost, dearest   float64
	priced          bool   // some turn said its cost
	unpriced        bool   // some turn's cost is unknown and was not charged
	lastCall        uint64 // of this epoch
}

// state is what a member is at, by what it has.
func (b *member) state() string {
	switch {
	case b.gone != "":
		return b.gone
	case b.turn != nil:
		return memberWorking
	case b.start != "":
		return memberStarting
	case b.backoff != "":
		return memberBackoff
	case b.session != "":
		return memberIdle
	}
	return memberWaiting
}

// rung names one action of one rule; rules of the spec count from 0, the
// built-in ones from -1 downwards.
type rung struct{ rule, action int }

// work is what a member is at: it survives failed turns.
type work struct {
	task    *task // nil: mail alone
	round   int
	ready   uint64  // seq at which it became ready
	last    attempt // the zero attempt before the first
	next    Mode    // of the next prompt, if the session still is the one that saw the last
	actions int     // recovery actions taken
}

// attempt is what the attempts at a work have left behind.
type attempt struct {
	epoch int    // whose session has seen a prompt of the work, 0 for none
	seen  string // of the last prompt
}

// base is the mode in which a session that knows nothing is prompted.
func (w *work) base() Mode {
	if w.task == nil {
		return ModeMail
	}
	return ModeBrief
}

// turn is one prompt until it is judged.
type turn struct {
	id     string
	member *member
	epoch  int
	work   *work
	closed bool
	ended  TurnEnded
	// class is fixed by the machine and stands whatever the cancel answers.
	class     string
	maxTokens bool
	report    map[string]any
	lastSign  int64
	reserved  float64
	// clock, stall and settle are pending timers.
	clock, stall, settle string
}

// The states of a task and of its parts.
const (
	taskWaiting = "waiting"
	taskReady   = "ready"
	taskRunning = "running"
	taskDone    = "done"
	taskFailed  = "failed"
	taskSkipped = "skipped"
)

type task struct {
	def    *TaskDef
	state  string
	round  int
	reason string
	class  string
	parts  []*part // in the order of For
	exec   string  // pending effect
	timer  string
	late   bool // the timeout fired
	ended  *ExecEnded
	// began and over bound the time it ran, in ms of the wall clock: time without a
	// runner does not count. Each is nil while it is to come.
	began, over *int64
}

// part is one performer's share of a task.
type part struct {
	member *member
	state  string
	class  string
	reason string
	report map[string]any
}

func (t *task) finished() bool {
	return t.state == taskDone || t.state == taskFailed || t.state == taskSkipped
}

func (t *task) part(m *member) *part {
	for _, p := range t.parts {
		if p.member == m {
			return p
		}
	}
	return nil
}

// reports are the reports of the done parts, by member; nil when there are none.
func (t *task) reports() map[string]map[string]any {
	var r map[string]map[string]any
	for _, p := range t.parts {
		if p.state == taskDone && p.report != nil {
			if r == nil {
				r = map[string]map[string]any{}
			}
			r[p.member.def.Name()] = p.report
		}
	}
	return r
}

// latch is the decision that the run ends, and how. It never changes.
type latch struct {
	outcome string
	exit    int
	reason  string
	why     Why
	at      int64
	phase   string // latched stopping finishing
}

// newState is the state before record 1.
func newState(p *Program) *state {
	s := &state{byName: map[string]*member{}, byTask: map[string]*task{}, pending: map[string]*pending{}}
	for _, d := range p.members {
		m := &member{def: d, counts: map[rung]int{}, windows: map[rung][]int64{}}
		s.members = append(s.members, m)
		s.byName[d.Name()] = m
	}
	for _, d := range p.tasks {
		t := &task{def: d, state: taskWaiting, round: 1}
		s.tasks = append(s.tasks, t)
		s.byTask[d.Name()] = t
	}
	return s
}

// performers are the members a task's parts belong to.
func (s *state) performers(t spec.Task) []*member {
	ms := make([]*member, len(t.For))
	for i, n := range t.For {
		ms[i] = s.byName[n]
	}
	return ms
}
