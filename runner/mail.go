package runner

import (
	"cmp"
	"fmt"
	"strconv"
)

// mailSent queues a message to each of its recipients. A call whose number was
// already taken is a repetition and changes nothing.
func (m *Machine) mailSent(e MailSent) {
	b := m.s.byName[e.From]
	if b == nil || !b.takeCall(e.Epoch, e.Call) || m.s.latch != nil {
		return
	}
	if m.s.messages+len(e.To) > m.s.limits.Messages {
		m.s.limitHit = cmp.Or(m.s.limitHit, "messages")
		m.fact(Fact{Kind: "mail_refused", Member: e.From, Text: "the limit of messages is reached"})
		return
	}
	id := strconv.FormatUint(m.s.seq, 10)
	for _, name := range e.To {
		to := m.s.byName[name]
		if to == nil {
			continue
		}
		m.s.messages++
		m.post(to, &letter{id: id, from: e.From, kind: letterMail, seq: m.s.seq, size: e.Size})
		m.fact(Fact{Kind: "mail_queued", Member: name, Mail: id, Text: "from " + e.From})
	}
	m.touch("run")
}

// takeCall notes the number of a tool call; false: it was taken before, or it
// belongs to another epoch.
func (b *member) takeCall(epoch int, call uint64) bool {
	if epoch != b.epoch || call <= b.lastCall {
		return false
	}
	b.lastCall = call
	return true
}

func (m *Machine) post(to *member, l *letter) {
	l.state = letterQueued
	to.mailbox = append(to.mailbox, l)
	m.touch("members." + to.def.Name())
}

// note puts mail from the runner itself into a mailbox. It is no message of
// the run's limit, and only an urgent one wakes.
func (m *Machine) note(to *member, kind, text string) {
	if m.s.latch != nil {
		return
	}
	m.n++
	id := fmt.Sprintf("%d.%d", m.s.seq, m.n)
	m.post(to, &letter{id: id, from: "runner", kind: kind, text: text, size: len(text)})
}

// tellManager notes a failure to the nearest manager that is not down.
func (m *Machine) tellManager(b *member, kind, text string) {
	for d := b.def.Manager; d != nil; d = d.Manager {
		if to := m.s.byName[d.Name()]; to.gone == "" {
			m.note(to, kind, text)
			return
		}
	}
}

// reported takes a report. It belongs to the member's only unjudged turn of
// its epoch, or to the turn it names; any other is late: kept in the journal,
// told to the manager, and without effect.
func (m *Machine) reported(e Reported) {
	b := m.s.byName[e.Member]
	if b == nil || m.s.latch != nil {
		return
	}
	if e.Epoch == b.epoch && !b.takeCall(e.Epoch, e.Call) {
		return
	}
	t := b.turn
	if t == nil || e.Epoch != t.epoch || e.Turn != "" && e.Turn != t.id {
		m.fact(Fact{Kind: "report_late", Member: e.Member, Turn: e.Turn})
		m.tellManager(b, letterNote, e.Member+" reported when the turn of the report was over; it changes nothing.")
		return
	}
	t.lastSign = m.s.now
	t.report = e.Body
	m.fact(Fact{Kind: "report", Member: e.Member, Turn: t.id})
	if t.closed {
		m.judge(t)
	}
}
