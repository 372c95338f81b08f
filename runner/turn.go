package runner

// settleMS is how long a closed turn waits for its report before it is judged
// a failure: tools of an agent may come in just behind its last word (FAIL-5).
const settleMS = 2000

// prompt hands a member's work over: one turn, which exists from here until it
// is judged.
func (m *Machine) prompt(b *member) {
	s, w := m.s, b.work
	mode := w.base()
	if w.next != "" && w.last.epoch == b.epoch && b.def.Kind.Sessions {
		mode = w.next
	}
	t := &turn{member: b, epoch: b.epoch, work: w, lastSign: s.now, reserved: m.reserve(b)}
	b.promised = false
	b.turns++
	s.turns++
	op := TakeTurn{Member: b.def.Name(), Epoch: b.epoch, Nth: b.turns, Mode: mode}
	if w.task != nil {
		op.Task, op.Round = w.task.def.Name(), w.round
		if mode == ModeBrief {
			op.Inputs = w.task.def.Inputs
		}
	}
	for _, l := range b.mailbox {
		if l.work == w && l.state == letterConfirmed && mode == w.base() {
			op.Again = append(op.Again, l.delivery())
		}
	}
	for _, l := range b.ride(w) {
		l.state, l.handedIn = letterHanded, b.epoch
		op.Mail = append(op.Mail, l.delivery())
	}
	t.id = m.do(op)
	if d := b.def.Spec.TurnTimeout; d > 0 {
		t.clock = m.timer(s.now+d.Milliseconds(), timerClock, t.id)
	}
	if d := b.def.Spec.StallAfter; d > 0 {
		t.stall = m.timer(s.now+d.Milliseconds(), timerStall, t.id)
	}
	b.turn = t
	if w.task != nil {
		w.task.part(b).state = taskRunning
		m.startTask(w.task)
	}
	m.touch("members."+b.def.Name(), "run")
}

// progress notes signs of life. They change nothing that is decided now, so
// the machine does not settle for them.
func (m *Machine) progress(e TurnProgress) {
	p := m.s.pending[e.Effect]
	if p == nil {
		return
	}
	op, ok := p.Op.(TakeTurn)
	if !ok {
		return
	}
	t := m.s.byName[op.Member].turn
	t.lastSign = m.s.now
	if e.What == ProgressMaxTokens {
		t.maxTokens = true
	}
}

// turnTimer acts on a turn's own timers. Nothing is prompted again because of
// a timeout: the turn is cancelled and judged.
func (m *Machine) turnTimer(t *turn, what string) {
	switch what {
	case timerSettle:
		t.settle = ""
		m.judge(t)
	case timerClock:
		t.clock = ""
		m.giveUp(t, "turn_limit")
	case timerStall:
		t.stall = ""
		if due := t.lastSign + t.member.def.Spec.StallAfter.Milliseconds(); due > m.s.now {
			t.stall = m.timer(due, timerStall, t.id)
			return
		}
		m.giveUp(t, "stalled")
	}
}

// giveUp fixes the class of an open turn and cancels it.
func (m *Machine) giveUp(t *turn, class string) {
	if t.class == "" {
		t.class = class
	}
	m.cancel(t.id)
}

// turnEnded closes a turn, and judges it unless its report may still come.
func (m *Machine) turnEnded(op TakeTurn, e TurnEnded) {
	b := m.s.byName[op.Member]
	t := b.turn
	m.cancelTimer(&t.clock)
	m.cancelTimer(&t.stall)
	if e.Stop == StopEndTurn && e.Class == "" {
		e.Seen = SeenYes // who ended its turn has seen its prompt
	}
	t.closed, t.ended = true, e
	m.charge(b, e)
	t.reserved = 0
	if e.Cut || t.lostSession() {
		m.endSession(b)
	}
	if m.judgeAtOnce(t) {
		m.judge(t)
		return
	}
	t.settle = m.timer(m.s.now+settleMS, timerSettle, t.id)
	m.touch("members." + b.def.Name())
}

// HasReport reports whether an open turn has its report already.
func (m *Machine) HasReport(turn string) bool {
	for _, b := range m.s.members {
		if b.turn != nil && b.turn.id == turn {
			return b.turn.report != nil
		}
	}
	return false
}

// lostSession reports whether the turn took its session with it.
func (t *turn) lostSession() bool {
	return t.ended.Class == "crashed" || t.ended.Class == "gone"
}

// judgeAtOnce: nothing that could still come would change the judgement.
func (m *Machine) judgeAtOnce(t *turn) bool {
	waitsForReport := t.expectsReport() && t.report == nil
	late := t.member.def.Spec.Agent.Via == "exit" || t.member.def.Spec.Agent.Via == "final_message"
	return t.report != nil || late || m.s.latch != nil ||
		t.ended.Cut || t.ended.Stop == StopCancelled ||
		!waitsForReport && t.ended.Stop == StopEndTurn && t.ended.Class == "" && t.class == "" && !t.maxTokens
}

// expectsReport: only the turn of a task with a report owes one.
func (t *turn) expectsReport() bool {
	return t.work.task != nil && t.work.task.def.Spec.Report != nil
}
