package runner

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Machine is the state machine of one run: a fold over its records. It does
// nothing by itself and reads no clock; see the package comment for what its
// host owes it.
type Machine struct {
	p     *Program
	s     *state
	env   *values
	stops []stopTruth

	// Of the step being taken.
	effects []Effect
	n       int // counts effects and machine-made mail, which share their ids
	facts   []Fact
}

// New is a machine before record 1.
func New(p *Program) *Machine {
	m := &Machine{p: p, s: newState(p), stops: make([]stopTruth, len(p.team.Stops))}
	m.env = newValues(m)
	return m
}

// Step applies the next record and returns what it makes the machine want
// done. It is deterministic. It fails only for a broken journal: a gap in seq,
// a wrong first record or an event of another world; the machine must not be
// used any more then.
func (m *Machine) Step(r Record) ([]Effect, error) {
	s := m.s
	if r.Seq != s.seq+1 {
		return nil, fmt.Errorf("record %d follows record %d", r.Seq, s.seq)
	}
	before := s.now
	s.seq, s.now = r.Seq, max(s.now, r.At)
	m.effects, m.n, m.facts = nil, 0, nil
	if s.leased {
		s.wall.used += s.now - before
	}

	if start, ok := r.Event.(RunStarted); ok != (r.Seq == 1) {
		return nil, fmt.Errorf("record %d is %s; run_started is record 1 and no other", r.Seq, r.Event.EventKind())
	} else if ok {
		return nil, m.begin(start)
	}
	acted, err := m.apply(r.Event, before)
	if err != nil || !acted || s.ended {
		return m.effects, err
	}
	m.settle()
	return m.effects, nil
}

// settle brings the machine to rest after a record: tasks, stops, admission,
// limits, stuck, ending. Nothing that starts work leaves before
// the stops were asked.
func (m *Machine) settle() {
	s := m.s
	if s.latch == nil {
		m.settleTasks()
		m.checkStops()
	}
	if s.latch == nil && s.leased {
		m.checkWall()
	}
	if s.latch == nil && s.leased {
		m.admit()
		m.checkLimits()
	}
	if s.latch == nil && s.leased {
		m.checkStuck()
	}
	if s.latch != nil {
		m.end()
	}
}

func (m *Machine) begin(e RunStarted) error {
	if e.Machine != Version {
		return fmt.Errorf("the run was started by machine version %d and this is version %d; use the teamrun that started it", e.Machine, Version)
	}
	if d := m.p.team.Digest(); e.Digest != d {
		return fmt.Errorf("the run was started with spec %.12s and the spec found is %.12s", e.Digest, d)
	}
	m.s.started, m.s.run, m.s.limits = m.s.now, e.Run, e.Limits
	m.fact(Fact{Kind: "started", Text: e.Team})
	return nil
}

// apply changes the state by one event. acted is false when nothing a
// condition or the scheduler reads has changed.
func (m *Machine) apply(e Event, before int64) (acted bool, err error) {
	if m.s.ended {
		return false, nil
	}
	switch e := e.(type) {
	case Leased:
		m.lease(e, before)
	case SessionStarted:
		return outcome(m, e.Effect, func(op StartSession) { m.sessionStarted(op, e) })
	case SessionStopped:
		return outcome(m, e.Effect, func(op StopSession) { m.sessionStopped(op, e) })
	case SessionLost:
		m.sessionLost(e)
	case TurnProgress:
		m.progress(e)
		return false, nil
	case TurnEnded:
		return outcome(m, e.Effect, func(op TakeTurn) { m.turnEnded(op, e) })
	case ExecEnded:
		return outcome(m, e.Effect, func(op RunExec) { m.execEnded(op, e) })
	case BackoffDue:
		return outcome(m, e.Effect, func(op AskBackoff) { m.backoffDue(op, e) })
	case TimerFired:
		return outcome(m, e.Effect, func(op SetTimer) { m.timerFired(e.Effect, op) })
	case FinishEnded:
		return outcome(m, e.Effect, func(_ Finish) { m.finished(e) })
	case MailSent:
		m.mailSent(e)
	case Reported:
		m.reported(e)
	case Control:
		m.control(e)
	default:
		return false, fmt.Errorf("event %s is not one of this machine", e.EventKind())
	}
	return true, nil
}

// outcome takes the one outcome of a pending effect. A foreign, late or
// duplicate one changes nothing, and neither does one of another kind.
func outcome[O Op](m *Machine, id string, take func(O)) (acted bool, err error) {
	var op O
	p, found := m.s.pending[id]
	if found {
		op, found = p.Op.(O)
	}
	if !found {
		m.fact(Fact{Kind: "late_outcome", Text: id})
		return false, nil
	}
	delete(m.s.pending, id)
	take(op)
	return true, nil
}

// lease starts the wall clock of a runner that took the run over.
func (m *Machine) lease(e Leased, before int64) {
	s := m.s
	if s.leased { // the time since the last record counts as far as the old lease lived
		s.wall.used -= min(max(e.DownMS, 0), s.now-before)
	}
	s.leased = true
	m.cancelTimer(&s.wall.timer)
	if s.latch == nil {
		left := max(m.s.limits.WallMS-s.wall.used, 0)
		s.wall.timer = m.timer(s.now+left, timerWall, "")
	}
}

func (m *Machine) control(e Control) {
	if e.Act == ControlDown && m.s.latch == nil {
		m.latchRun(latch{outcome: "cancelled", exit: 1, reason: "ended by down", why: Why{By: "down"}})
	}
}

// do emits an effect and returns its id.
func (m *Machine) do(op Op) string {
	m.n++
	e := Effect{ID: fmt.Sprintf("%d.%d", m.s.seq, m.n), Op: op}
	m.effects = append(m.effects, e)
	if op.Pending() {
		m.s.pending[e.ID] = &pending{Effect: e}
	}
	return e.ID
}

// cancel asks for the end of a pending effect, once.
func (m *Machine) cancel(id string) {
	if p := m.s.pending[id]; p != nil && !p.cancelled {
		p.cancelled = true
		m.do(Cancel{Target: id})
	}
}

// The whats of a timer.
const (
	timerWall    = "wall"
	timerSettle  = "settle"
	timerClock   = "clock"
	timerStall   = "stall"
	timerBackoff = "backoff"
	timerTask    = "task"
)

func (m *Machine) timer(at int64, what, ref string) string {
	return m.do(SetTimer{At: at, What: what, Ref: ref})
}

// cancelTimer settles a timer in this very step; the host drops what fires
// later.
func (m *Machine) cancelTimer(id *string) {
	if m.s.pending[*id] != nil {
		delete(m.s.pending, *id)
		m.do(Cancel{Target: *id})
	}
	*id = ""
}

func (m *Machine) timerFired(id string, t SetTimer) {
	s := m.s
	switch t.What {
	case timerWall:
		s.wall.timer, s.limitHit = "", "wall"
	case timerBackoff:
		if b := s.byName[t.Ref]; b != nil && b.backoff == id {
			m.endBackoff(b)
		}
	case timerTask:
		if k := s.byTask[t.Ref]; k != nil && k.timer == id {
			k.timer, k.late = "", true
			m.cancel(k.exec)
		}
	default:
		for _, b := range s.members {
			if b.turn != nil && b.turn.id == t.Ref {
				m.turnTimer(b.turn, t.What)
			}
		}
	}
}

// backoffDue arms the timer of a wait whose length the host computed.
func (m *Machine) backoffDue(op AskBackoff, e BackoffDue) {
	if b := m.s.byName[op.Member]; b.backoff == e.Effect {
		b.backoff = m.timer(max(e.At, m.s.now), timerBackoff, op.Member)
	}
}

func (m *Machine) fact(f Fact) { m.facts = append(m.facts, f) }

// Facts are the decisions of the last step.
func (m *Machine) Facts() []Fact { return m.facts }

// Seq is the seq of the last record.
func (m *Machine) Seq() uint64 { return m.s.seq }

// Now is the time of the machine, that of its last record, in Unix ms.
func (m *Machine) Now() int64 { return m.s.now }

// Ended reports whether the run is over.
func (m *Machine) Ended() bool { return m.s.ended }

// Pending are the effects without an outcome, in the order they were wanted.
func (m *Machine) Pending() []Effect {
	var es []Effect
	for _, p := range m.s.pending {
		es = append(es, p.Effect)
	}
	slices.SortFunc(es, func(a, b Effect) int { return compareIDs(a.ID, b.ID) })
	return es
}

// CancelSent reports whether the machine asked for the end of a pending effect.
func (m *Machine) CancelSent(id string) bool {
	p := m.s.pending[id]
	return p != nil && p.cancelled
}

// compareIDs orders effect ids by their numbers.
func compareIDs(a, b string) int {
	seqA, nA := splitID(a)
	seqB, nB := splitID(b)
	return cmp.Or(cmp.Compare(seqA, seqB), cmp.Compare(nA, nB))
}

func splitID(id string) (seq, n uint64) {
	s, t, _ := strings.Cut(id, ".")
	seq, _ = strconv.ParseUint(s, 10, 64)
	n, _ = strconv.ParseUint(t, 10, 64)
	return seq, n
}

// Program is what the machine runs.
func (m *Machine) Program() *Program { return m.p }

// Epoch is the number of a member's current session, 0 before its first.
func (m *Machine) Epoch(name string) int {
	if b := m.s.byName[name]; b != nil {
		return b.epoch
	}
	return 0
}

// Turn is the id of a member's turn that is not yet judged, "" for none.
func (m *Machine) Turn(name string) string {
	if b := m.s.byName[name]; b != nil && b.turn != nil {
		return b.turn.id
	}
	return ""
}

// LastCall is the highest call number taken from a member's current session.
func (m *Machine) LastCall(name string) uint64 {
	if b := m.s.byName[name]; b != nil {
		return b.lastCall
	}
	return 0
}
