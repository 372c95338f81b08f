package runner

import "cmp"

// Session is a session that lives as far as the records say.
type Session struct {
	Member string
	Epoch  int
	Effect string // the session_start that began it
}

// Sessions are the living sessions, in the order of the spec.
func (m *Machine) Sessions() []Session {
	var all []Session
	for _, b := range m.s.members {
		if b.session != "" {
			all = append(all, Session{Member: b.def.Name(), Epoch: b.epoch, Effect: b.session})
		}
	}
	return all
}

// startSession begins the next session of a member: a new epoch.
func (m *Machine) startSession(b *member) {
	b.epoch++
	b.lastCall = 0
	b.start = m.do(StartSession{Member: b.def.Name(), Epoch: b.epoch, Mode: "start"})
	m.touch("members." + b.def.Name())
}

// sessionStarted gives the member's work to the session that came up: admission
// prompts it in this very step. A failed start is judged like a turn that never
// was: a failure, and nobody saw anything.
func (m *Machine) sessionStarted(op StartSession, e SessionStarted) {
	b := m.s.byName[op.Member]
	b.start = ""
	m.touch("members." + op.Member)
	if e.OK {
		b.session, b.promised = e.Effect, m.s.latch == nil
		m.fact(Fact{Kind: "session_started", Member: op.Member})
		return
	}
	if m.s.latch != nil || e.Class == classCancelled { // by a runner told to stop; the work waits
		return
	}
	b.work.last.seen = SeenNo
	m.failed(b, known(cmp.Or(e.Class, classUnknown)), e.Text)
}

// sessionLost: a session that ends by itself is no failure; the next admission
// starts another. What it was at is judged by the outcome of its turn.
func (m *Machine) sessionLost(e SessionLost) {
	if b := m.s.byName[e.Member]; b != nil && b.epoch == e.Epoch {
		m.endSession(b)
	}
}

// endSession notes that a member's session is over.
func (m *Machine) endSession(b *member) {
	b.session, b.promised = "", false
	m.offerAgain(b)
	m.touch("members." + b.def.Name())
}

// stopSession ends a member's session, if it has one. Until that is done no
// other is started: two live sessions of one member never overlap.
func (m *Machine) stopSession(b *member) {
	if b.session != "" && b.stop == "" {
		b.stop = m.do(StopSession{Member: b.def.Name(), Epoch: b.epoch})
		m.endSession(b)
	}
}

func (m *Machine) sessionStopped(op StopSession, e SessionStopped) {
	m.s.byName[op.Member].stop = ""
	for _, x := range e.Escaped {
		m.fact(Fact{Kind: "escaped", Member: op.Member, Text: x})
	}
}
