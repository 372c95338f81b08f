package runner

import "fmt"

// Check returns the first broken invariant of a machine, nil for none. It runs
// after every step of every test.
//
//	 1  a member has at most one of a turn, a starting session and a backoff
//	 2  a starting member waits for its session_start
//	 3  a member in backoff waits for its delay or its timer
//	 4  an open turn has its pending effect, a closed one its settle timer
//	 5  a down member has no work, no turn and no session
//	 6  two sessions of one member never overlap
//	 7  an unfinished part is somebody's work, exactly once
//	 8  no finished task has an unfinished part, unless the run is latched
//	 9  a running run task has its pending exec
//	10  a letter handed over belongs to an unjudged turn; one that waits was not
//	    handed over in this epoch (never twice in one epoch); one that is tied to a
//	    work is tied to the member's current one
//	11  working and starting members are at most concurrency
//	12  turns and messages never pass their limits
//	13  a run that is not over waits for something (it never hangs)
//	14  an ended run waits for nothing
//	15  every pending timer has an owner
func Check(m *Machine) error {
	for _, check := range []func() (int, string){
		m.checkMembers, m.checkParts, m.checkLetters, m.checkBounds, m.checkLife, m.checkTimers,
	} {
		if n, what := check(); n != 0 {
			return fmt.Errorf("invariant %d broken at seq %d: %s", n, m.s.seq, what)
		}
	}
	return nil
}

func (m *Machine) checkMembers() (int, string) {
	for _, b := range m.s.members {
		name := b.def.Name()
		t := b.turn
		switch {
		case boolInt(t != nil)+boolInt(b.start != "")+boolInt(b.backoff != "") > 1:
			return 1, fmt.Sprintf("%s has a turn %v, start %q, backoff %q", name, t != nil, b.start, b.backoff)
		case b.start != "" && m.s.pending[b.start] == nil:
			return 2, name + " starts without an effect"
		case b.backoff != "" && m.s.pending[b.backoff] == nil:
			return 3, name + " waits for a delay nobody computes"
		case t != nil && !t.closed && m.s.pending[t.id] == nil:
			return 4, "open turn " + t.id + " has no effect"
		case t != nil && t.closed && m.s.pending[t.settle] == nil:
			return 4, "closed turn " + t.id + " has no settle timer"
		case b.gone != "" && (t != nil || b.work != nil || len(b.todo) > 0 || b.session != ""):
			return 5, name + " is " + b.gone + " and not idle"
		case b.stop != "" && (b.session != "" || b.start != ""):
			return 6, name + " has a session while one is being stopped"
		}
	}
	return 0, ""
}

func (m *Machine) checkParts() (int, string) {
	for _, t := range m.s.tasks {
		name := t.def.Name()
		for _, p := range t.parts {
			unfinished := p.state == taskReady || p.state == taskRunning
			owners := boolInt(p.member.work != nil && p.member.work.task == t)
			for _, w := range p.member.todo {
				owners += boolInt(w.task == t)
			}
			switch {
			case m.s.latch != nil:
			case unfinished && owners != 1:
				return 7, fmt.Sprintf("the part of %s in %s is the work of %d", p.member.def.Name(), name, owners)
			case unfinished && t.finished():
				return 8, fmt.Sprintf("%s is %s and the part of %s is %s", name, t.state, p.member.def.Name(), p.state)
			}
		}
		if len(t.def.Spec.Run) > 0 && t.state == taskRunning && m.s.pending[t.exec] == nil && m.s.latch == nil {
			return 9, name + " runs without an exec"
		}
	}
	return 0, ""
}

func (m *Machine) checkLetters() (int, string) {
	for _, b := range m.s.members {
		for _, l := range b.mailbox {
			what := fmt.Sprintf("mail %s of %s is %s", l.id, b.def.Name(), l.state)
			switch {
			case l.state == letterHanded && b.turn == nil:
				return 10, what + " without a turn"
			case l.state == letterQueued && l.handedIn == b.epoch && b.epoch > 0:
				return 10, what + " and was handed over in this epoch"
			case l.work != nil && l.work != b.work:
				return 10, what + " and tied to a work that is over"
			case l.state == letterConfirmed && l.work == nil:
				return 10, what + " and still in the mailbox"
			}
		}
	}
	return 0, ""
}

func (m *Machine) checkBounds() (int, string) {
	l := m.s.limits
	if n := m.slots(); n > l.Concurrency {
		return 11, fmt.Sprintf("%d members at work, concurrency %d", n, l.Concurrency)
	}
	if m.s.turns > l.Turns || m.s.messages > l.Messages {
		return 12, fmt.Sprintf("%d turns of %d, %d messages of %d", m.s.turns, l.Turns, m.s.messages, l.Messages)
	}
	return 0, ""
}

func (m *Machine) checkLife() (int, string) {
	if m.s.leased && !m.s.ended && len(m.s.pending) == 0 {
		return 13, "nothing is pending and the run is not over"
	}
	if m.s.ended && len(m.s.pending) > 0 {
		return 14, fmt.Sprintf("ended with %d effects pending", len(m.s.pending))
	}
	return 0, ""
}

func (m *Machine) checkTimers() (int, string) {
	owned := map[string]bool{m.s.wall.timer: true}
	for _, b := range m.s.members {
		owned[b.backoff] = true
		if b.turn != nil {
			owned[b.turn.clock], owned[b.turn.stall], owned[b.turn.settle] = true, true, true
		}
	}
	for _, t := range m.s.tasks {
		owned[t.timer] = true
	}
	for id, p := range m.s.pending {
		if op, ok := p.Op.(SetTimer); ok && !owned[id] {
			return 15, fmt.Sprintf("timer %s (%s %s) is nobody's", id, op.What, op.Ref)
		}
	}
	return 0, ""
}
