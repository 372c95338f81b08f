package runner

import "cmp"

// The classes the machine itself names; the others come from the kinds.
const (
	classExit      = "exit"
	classUnknown   = "unknown"
	classCancelled = "cancelled"
	classNoReport  = "no_report"
	classCrashed   = "crashed"
)

// cut turns of which the agent's log says so are classes of their own until
// judge has decided what follows.
const (
	verdictSuccess   = ""
	verdictSettled   = "settled"   // a mail turn that ended: neither success nor failure
	verdictAgain     = "again"     // cancelled in order, or cut unseen: the work is ready again
	verdictWithdrawn = "withdrawn" // the run ended under it
)

// judge closes the book on a turn: once, whatever is recorded later (FAIL-4).
func (m *Machine) judge(t *turn) {
	b := t.member
	m.cancelTimer(&t.settle)
	b.turn = nil
	m.rest(b)
	m.settleMail(t)
	verdict := m.verdict(t)
	fact := Fact{Kind: "turn_judged", Member: b.def.Name(), Turn: t.id, Class: verdict, Text: t.ended.Text}
	if t.work.task != nil {
		fact.Task = t.work.task.def.Name()
	}
	switch verdict {
	case verdictSuccess:
		fact.Class = "success"
	case verdictSettled, verdictAgain, verdictWithdrawn:
	default:
		fact.Kind = "turn_failed"
	}
	m.fact(fact)
	switch verdict {
	case verdictSuccess:
		m.succeeded(b, t)
	case verdictSettled:
		m.keepReport(b, t)
		b.work = nil
	case verdictWithdrawn:
		b.work = nil
	case verdictAgain:
		m.remember(b.work, t)
		if k := b.work.task; k != nil {
			k.part(b).state = taskReady
		} else if len(b.work.carried) == 0 {
			b.work = nil // its mail, queued again, wakes anew
		}
	default:
		m.remember(b.work, t)
		m.failed(b, verdict, cmp.Or(t.ended.Text, t.ended.Code))
	}
}

// verdict is the class of a judged turn, the first that applies.
func (m *Machine) verdict(t *turn) string {
	e := t.ended
	switch {
	case m.s.latch != nil:
		return verdictWithdrawn
	case t.report != nil:
		return success(t)
	case t.class != "":
		return t.class
	case e.Cut && e.Seen == SeenNo:
		return verdictAgain
	case e.Cut && e.Seen == SeenYes:
		return classCrashed // going on needs a session that can be reloaded
	case e.Cut:
		return classUnknown
	case e.Class == classCancelled:
		return verdictAgain
	case e.Class != "":
		return e.Class
	case t.maxTokens || e.Stop == StopMaxTokens:
		return "max_tokens"
	case e.Stop == StopRefusal:
		return "refusal"
	case e.Stop == StopCancelled:
		return verdictAgain
	case e.Stop == StopEndTurn && !t.expectsReport():
		return success(t)
	case e.Stop == StopEndTurn:
		return classNoReport
	}
	return classUnknown
}

func success(t *turn) string {
	if t.work.task == nil {
		return verdictSettled
	}
	return verdictSuccess
}

// succeeded ends the work of a turn with a task: the counters of the member's
// ladders start anew.
func (m *Machine) succeeded(b *member, t *turn) {
	m.keepReport(b, t)
	clear(b.counts)
	p := t.work.task.part(b)
	p.state, p.report = taskDone, t.report
	b.work = nil
}

func (m *Machine) keepReport(b *member, t *turn) {
	if t.report != nil {
		b.reported, b.report = true, t.report
		m.touch("members." + b.def.Name())
	}
}

// remember keeps in the work what a failed attempt leaves behind: which session
// knows the prompt, and the mail that has to be said again to one that does not.
func (m *Machine) remember(w *work, t *turn) {
	w.seen = t.ended.Seen
	if t.ended.Seen == SeenYes {
		w.seenIn = t.epoch
		w.carried = append(w.carried, t.mail...)
	}
}

// settleMail settles the mail a turn handed over by what the agent's own log
// says: confirmed, queued again at the head, or unknown, which is never sent
// again in this epoch.
func (m *Machine) settleMail(t *turn) {
	b := t.member
	switch t.ended.Seen {
	case SeenYes:
		for _, l := range t.mail {
			m.fact(Fact{Kind: "mail_confirmed", Member: b.def.Name(), Mail: l.id})
		}
	case SeenNo:
		for _, l := range t.mail {
			l.handedIn = 0
		}
		b.queue = append(t.mail[:len(t.mail):len(t.mail)], b.queue...)
	default:
		b.doubtful = append(b.doubtful, t.mail...)
		for _, l := range t.mail {
			m.fact(Fact{Kind: "mail_unknown", Member: b.def.Name(), Mail: l.id})
			if from := m.s.byName[l.from]; from != nil {
				m.note(from, letterNote, "Whether "+b.def.Name()+" saw your mail #"+l.id+" is not known: its turn was cut.")
			}
		}
	}
	m.touch("members." + b.def.Name())
}
