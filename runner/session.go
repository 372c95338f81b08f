package runner

import "cmp"

// startSession begins the next session of a member: a new epoch, in which mail
// whose fate in the last one is unknown is offered again, marked as doubtful.
func (m *Machine) startSession(b *member) {
	b.epoch++
	b.lastCall = 0
	for _, l := range b.doubtful {
		l.doubtful, l.handedIn = true, 0
	}
	b.queue, b.doubtful = append(b.doubtful, b.queue...), nil
	b.state = memberStarting
	b.start = m.do(StartSession{Member: b.def.Name(), Epoch: b.epoch, Mode: "start"})
	m.touch("members." + b.def.Name())
}

// sessionStarted prompts at once when the session came up, in the same slot. A
// failed start is judged like a turn that never was.
func (m *Machine) sessionStarted(op StartSession, e SessionStarted) {
	b := m.s.byName[op.Member]
	b.start = ""
	b.session = e.OK
	m.rest(b)
	switch {
	case m.s.latch != nil:
	case e.OK:
		m.fact(Fact{Kind: "session_started", Member: op.Member})
		m.prompt(b)
	case e.Class == classCancelled: // by a runner told to stop; the work waits
	default:
		m.failed(b, cmp.Or(e.Class, classUnknown), e.Text)
	}
}

// sessionLost: a session that ends by itself is no failure; the next admission
// starts another. What it was at is judged by the outcome of its turn.
func (m *Machine) sessionLost(e SessionLost) {
	b := m.s.byName[e.Member]
	if b == nil || b.epoch != e.Epoch || !b.session {
		return
	}
	b.session = false
	m.rest(b)
}

// stopSession ends a member's session, if it has one. Until that is done no
// other is started: two live sessions of one member never overlap.
func (m *Machine) stopSession(b *member) {
	if b.session && b.stop == "" {
		b.session = false
		b.stop = m.do(StopSession{Member: b.def.Name(), Epoch: b.epoch})
	}
	m.rest(b)
}

func (m *Machine) sessionStopped(op StopSession, e SessionStopped) {
	m.s.byName[op.Member].stop = ""
	for _, x := range e.Escaped {
		m.fact(Fact{Kind: "escaped", Member: op.Member, Text: x})
	}
}

// rest puts a member that does nothing into the state of one that does nothing.
func (m *Machine) rest(b *member) {
	switch {
	case b.state == memberDown || b.state == memberClosed || b.state == memberBackoff:
	case b.turn != nil || b.start != "":
	case b.session:
		b.state = memberIdle
	default:
		b.state = memberWaiting
	}
	m.touch("members." + b.def.Name())
}
