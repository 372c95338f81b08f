package runner

// end brings a latched run to its end: what was waiting is dropped, what is
// open is cancelled and judged at once, then every session is stopped, then
// finish writes what has to be written. The outcome never changes.
func (m *Machine) end() {
	s := m.s
	m.cancelTimer(&s.wall.timer)
	for _, b := range s.members {
		m.dropWork(b)
	}
	for _, t := range s.tasks {
		m.cancelTimer(&t.timer)
	}
	open := false
	for _, e := range m.Pending() {
		switch e.Op.(type) {
		case TakeTurn, StartSession, RunExec:
			m.cancel(e.ID)
		}
		open = true
	}
	if open {
		return
	}
	switch s.latch.phase {
	case "latched":
		s.latch.phase = "stopping"
		m.fact(Fact{Kind: "stopping"})
		for _, b := range s.members {
			m.stopSession(b)
		}
		if m.busy() {
			return
		}
		fallthrough
	case "stopping":
		s.latch.phase = "finishing"
		m.do(Finish{Outcome: s.latch.outcome, Exit: s.latch.exit})
	}
}

// dropWork drops what a member waits for and judges its closed turn.
func (m *Machine) dropWork(b *member) {
	if b.turn != nil && b.turn.closed {
		m.judge(b.turn)
	}
	if t := b.turn; t != nil {
		m.cancelTimer(&t.clock)
		m.cancelTimer(&t.stall)
	}
	if b.backoff != "" {
		// A backoff that was not answered yet has nothing to cancel: it is settled
		// by being forgotten.
		m.cancelTimer(&b.backoff)
	}
	b.todo = nil
	if b.turn == nil && b.work != nil {
		m.endWork(b)
	}
}

// finished ends the run. Mail that was not delivered is returned, which at the
// end means: shown.
func (m *Machine) finished(e FinishEnded) {
	s := m.s
	for _, b := range s.members {
		for _, l := range b.mailbox {
			if l.kind == letterMail && l.state == letterQueued {
				m.fact(Fact{Kind: "mail_returned", Member: b.def.Name(), Mail: l.id, Text: "the run ended"})
			}
		}
		b.mailbox = nil
		if b.gone == "" {
			b.gone = memberClosed
		}
		m.touch("members." + b.def.Name())
	}
	s.finish, s.ended = e, true
	m.fact(Fact{Kind: "ended", Class: s.latch.outcome, Text: s.latch.reason})
}
