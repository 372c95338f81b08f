package runner

import (
	"cmp"
	"slices"
)

// admit gives work to members that can take it, in the order in which it
// became ready, as far as concurrency and the limits allow. Work that is
// refused for a limit is remembered for checkLimits.
func (m *Machine) admit() {
	m.s.refused = ""
	m.admitExecs()
	slots := m.slots()
	for _, b := range m.candidates() {
		if slots >= m.s.limits.Concurrency {
			return
		}
		if !b.promised && m.s.turns+m.starting() >= m.s.limits.Turns {
			m.s.refused = "turns"
			return
		}
		if !b.promised && !m.affords(b) {
			m.s.refused = "cost"
			continue // a cheaper member may still fit
		}
		slots++
		m.take(b)
		if b.session != "" {
			m.prompt(b)
		} else {
			m.startSession(b)
		}
	}
}

// candidates are the members with something to do and nothing in the way.
func (m *Machine) candidates() []*member {
	ready := map[*member]uint64{}
	var cs []*member
	for _, b := range m.s.members {
		if b.stop != "" || b.state() != memberIdle && b.state() != memberWaiting {
			continue
		}
		switch {
		case b.promised: // the slot is still its own
		case b.work != nil:
			ready[b] = b.work.ready
		case len(b.todo) > 0:
			ready[b] = b.todo[0].ready
		case b.woken():
			ready[b] = m.s.seq
		default:
			continue
		}
		cs = append(cs, b)
	}
	slices.SortStableFunc(cs, func(a, b *member) int { return cmp.Compare(ready[a], ready[b]) })
	return cs
}

// slots counts the members that hold one: concurrency bounds them.
func (m *Machine) slots() int {
	n := 0
	for _, b := range m.s.members {
		n += boolInt(b.start != "" || b.turn != nil)
	}
	return n
}

// starting counts the sessions whose first prompt is already promised.
func (m *Machine) starting() int {
	n := 0
	for _, b := range m.s.members {
		n += boolInt(b.start != "")
	}
	return n
}

// take makes sure a member has current work: what it is recovering, else its
// oldest ready part, else its mail.
func (m *Machine) take(b *member) {
	switch {
	case b.work != nil:
	case len(b.todo) > 0:
		b.work, b.todo = b.todo[0], b.todo[1:]
	default:
		b.work = &work{ready: m.s.seq}
	}
	b.ride(b.work)
}
