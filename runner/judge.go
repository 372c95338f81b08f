package runner

import (
	"cmp"
	"slices"
)

// classes are all classes of failure.
var classes = []string{
	"exit", "no_report", "max_tokens", "rate_limited", "overloaded", "usage_cap", "auth", "context_full", "refusal",
	"tool_denied", "turn_limit", "network", "provider", "crashed", "stalled", "blocked", "protocol", "gone", "unknown",
}

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
	m.settleMail(t)
	t.work.last.seen = t.ended.Seen
	if t.ended.Seen == SeenYes {
		t.work.last.epoch = t.epoch
	}
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
		m.endWork(b)
	case verdictWithdrawn:
		m.endWork(b)
	case verdictAgain:
		m.waits(b, t)
	default:
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
		return known(e.Class)
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
	if m.p.reportsFindings(t.work.task.def) {
		m.touch("findings")
	}
	m.endWork(b)
}

// endWork ends what a member is at.
func (m *Machine) endWork(b *member) {
	b.letGo(b.work)
	b.work = nil
	m.touch("members." + b.def.Name())
}

// waits leaves the work of a turn that was cancelled in order, or that nobody
// saw, for another turn. One that was never handed over was no turn.
func (m *Machine) waits(b *member, t *turn) {
	w := t.work
	if t.ended.Cut {
		b.turns--
		m.s.turns--
	}
	w.next = ModeGoOn
	if w.task != nil {
		w.task.part(b).state = taskReady
	} else if !b.sayable(w) {
		m.endWork(b)
	}
}

func (m *Machine) keepReport(b *member, t *turn) {
	if t.report != nil {
		b.reported, b.report = true, t.report
		m.touch("members." + b.def.Name())
	}
}

// known is a class as the ladders know it: one that nobody knows is unknown.
func known(class string) string {
	if slices.Contains(classes, class) {
		return class
	}
	return classUnknown
}
