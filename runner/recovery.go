package runner

import (
	"fmt"
	"slices"
	"time"

	"github.com/teamrun/teamrun/spec"
)

// The bounds of recovery.
const (
	// actionsPerWork is how many actions one piece of work takes at most, then
	// it fails.
	actionsPerWork = 20
	// Three failures of a member within the window wake its manager (FAIL-10).
	stuckFailures = 3
	stuckWindow   = 10 * time.Minute
)

// BuiltinRules are the rules behind those of every spec.
func BuiltinRules() []spec.Rule {
	backoff := spec.Action{Word: "retry", Base: 5 * time.Second, MaxDelay: time.Minute, AtMost: 6}
	word := func(w string) spec.Action { return spec.Action{Word: w, AtMost: 1} }
	replace := func(n int, within time.Duration) spec.Action {
		return spec.Action{Word: "replace", AtMost: n, Within: within}
	}
	fail := word("fail")
	return []spec.Rule{
		{On: []string{"no_report"}, Do: []spec.Action{word("nudge"), fail}},
		{On: []string{"max_tokens"}, Do: []spec.Action{word("continue"), fail}},
		{On: []string{"rate_limited", "overloaded", "network", "provider"}, Do: []spec.Action{backoff, fail}},
		{On: []string{"crashed", "stalled", "gone", "protocol"}, Do: []spec.Action{replace(2, time.Hour), fail}},
		{On: []string{"context_full"}, Do: []spec.Action{replace(1, 0), fail}},
		{On: []string{"usage_cap", "auth", "blocked", "unknown"}, Do: []spec.Action{word("ask_human"), fail}},
		{On: []string{"refusal", "tool_denied", "turn_limit", "exit"}, Do: []spec.Action{fail}},
	}
}

// ladder is the rule for a failure of a member: the first of the spec that
// matches, else the built-in one. key names it in the counters.
func (m *Machine) ladder(b *member, class string) (key int, do []spec.Action) {
	for i, r := range m.p.team.Rules {
		forMember := len(r.Members) == 0 || slices.Contains(r.Members, b.def.Name())
		if forMember && (r.Any || slices.Contains(r.On, class)) {
			return i, r.Do
		}
	}
	for i, r := range BuiltinRules() {
		if slices.Contains(r.On, class) {
			return -1 - i, r.Do
		}
	}
	return 0, nil
}

// failed counts a failure, tells the manager and takes the next action of the
// ladder for it.
func (m *Machine) failed(b *member, class, text string) {
	s := m.s
	s.failures++
	b.failures++
	m.touch("members."+b.def.Name(), "run")
	note := b.def.Name() + " failed: " + class
	if text != "" {
		note += " (" + cut(text, 1000) + ")"
	}
	m.tellManager(b, m.failureNote(b), note)
	m.recover(b, class, text)
}

// failureNote is urgent for the third failure within ten minutes; the window is
// emptied by it.
func (m *Machine) failureNote(b *member) string {
	since := m.s.now - stuckWindow.Milliseconds()
	b.failedAt = append(slices.DeleteFunc(b.failedAt, func(at int64) bool { return at <= since }), m.s.now)
	if len(b.failedAt) < stuckFailures {
		return letterNote
	}
	b.failedAt = nil
	return letterUrgent
}

// recover takes the first action of the ladder that has count left and can be
// taken. An action that cannot is passed over and not counted; its count is
// spent when it is chosen.
func (m *Machine) recover(b *member, class, text string) {
	key, do := m.ladder(b, class)
	w := b.work
	for i, a := range do {
		r := rung{key, i}
		if w.actions >= actionsPerWork {
			break
		}
		if a.Word != "fail" && m.spent(b, r, a) {
			continue
		}
		if !m.act(b, r, a, class, text) {
			m.fact(Fact{Kind: "passed_over", Member: b.def.Name(), Class: class, Text: a.Word})
			continue
		}
		return
	}
	if w.actions >= actionsPerWork {
		m.fail(b, class, fmt.Sprintf("%s, after %d recovery actions", describe(class, text), w.actions))
		return
	}
	m.fail(b, class, describe(class, text))
	m.down(b)
}

// spent reports whether an action has no count left.
func (m *Machine) spent(b *member, r rung, a spec.Action) bool {
	if a.Within == 0 {
		return b.counts[r] >= a.AtMost
	}
	since := m.s.now - a.Within.Milliseconds()
	b.windows[r] = slices.DeleteFunc(b.windows[r], func(at int64) bool { return at <= since })
	return len(b.windows[r]) >= a.AtMost
}

// spend counts an action that was chosen and returns how often it was by now.
func (m *Machine) spend(b *member, r rung, a spec.Action) int {
	b.work.actions++
	n := 0
	if a.Within > 0 {
		b.windows[r] = append(b.windows[r], m.s.now)
		n = len(b.windows[r])
	} else {
		b.counts[r]++
		n = b.counts[r]
	}
	m.fact(Fact{Kind: "recovery", Member: b.def.Name(), Text: fmt.Sprintf("%s %d/%d", a.Word, n, a.AtMost)})
	return n
}

// act takes an action, or reports that it cannot be taken here.
func (m *Machine) act(b *member, r rung, a spec.Action, class, text string) bool {
	w := b.work
	switch a.Word {
	case "retry":
		if w.last.seen == SeenUnknown {
			return false
		}
		n := m.spend(b, r, a)
		w.next = ModeGoOn
		b.backoff = m.do(AskBackoff{Member: b.def.Name(), Base: a.Base, Max: a.MaxDelay, Attempt: n})
	case "nudge":
		if b.session == "" || !b.def.Kind.Sessions || w.last.epoch != b.epoch {
			return false
		}
		m.spend(b, r, a)
		w.next = ModeNudge
	case "replace":
		m.spend(b, r, a)
		m.stopSession(b)
	case "fail":
		m.fail(b, class, describe(class, text))
		if class == "auth" || class == "gone" || class == "usage_cap" {
			m.down(b) // no other route is left to it
		}
	default: // continue switch_model escalate ask_human pause
		return false
	}
	m.touch("members." + b.def.Name())
	return true
}

func describe(class, text string) string {
	if text == "" {
		return class
	}
	return class + ": " + cut(text, 400)
}

// endBackoff lets a member go on with its work when its wait is over.
func (m *Machine) endBackoff(b *member) {
	b.backoff = ""
	m.touch("members." + b.def.Name())
}

// fail ends a member's work as failed; the member stays. In a mail turn the
// mail goes back to its senders.
func (m *Machine) fail(b *member, class, why string) {
	m.fact(Fact{Kind: "recovery", Member: b.def.Name(), Class: class, Text: "fail"})
	if t := b.work.task; t != nil {
		m.failPart(t, b, class, why)
	} else {
		m.returnMail(b, b.work, b.def.Name()+" failed: "+class)
	}
	m.endWork(b)
	m.tellManager(b, letterUrgent, b.def.Name()+" gave up: "+why)
}

func (m *Machine) failPart(t *task, b *member, class, why string) {
	p := t.part(b)
	p.state, p.class, p.reason = taskFailed, class, why
}

// down takes a member out of the run: its ladder ran out. Its other parts fail
// with it.
func (m *Machine) down(b *member) {
	m.stopSession(b)
	b.gone = memberDown
	for _, w := range b.todo {
		m.failPart(w.task, b, "", b.def.Name()+" is down")
	}
	b.todo = nil
	m.touch("members." + b.def.Name())
	m.fact(Fact{Kind: "member_down", Member: b.def.Name()})
}

// cut shortens a text for a note.
func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}
