package runner

import (
	"fmt"
	"strings"
	"time"
)

// Money is compared with a tolerance of a millionth of a cent: sums of decimal
// fractions are not exact.
const costTolerance = 1e-8

// affords is the admission of a member's next turn by cost: what was spent,
// what open turns have reserved and what this one reserves stay within the
// limit (M9).
func (m *Machine) affords(b *member) bool {
	limit := m.s.limits.Cost
	if limit == nil {
		return true
	}
	total := m.s.cost + m.reserve(b)
	for _, x := range m.s.members {
		if x.turn != nil {
			total += x.turn.reserved
		} else if x.start != "" {
			total += m.reserve(x)
		}
	}
	return total <= *limit+costTolerance
}

// reserve is what a member's next turn may cost: its dearest so far, at first
// unknown_cost.
func (m *Machine) reserve(b *member) float64 {
	if u := m.s.limits.UnknownCost; u != nil && b.dearest == 0 && !b.priced {
		return *u
	}
	return b.dearest
}

// charge books the cost of a closed turn. One of unknown cost is charged
// unknown_cost, unless the agent provably never saw it.
func (m *Machine) charge(b *member, e TurnEnded) {
	u := m.s.limits.UnknownCost
	cost := 0.0
	switch {
	case e.Cost != nil:
		cost = max(*e.Cost, 0)
		b.priced = true
	case e.Seen == SeenNo:
	case u != nil:
		cost = *u
	default:
		b.unpriced, m.s.unpriced = true, true
	}
	b.cost += cost
	m.s.cost += cost
	b.dearest = max(b.dearest, cost)
	m.touch("members."+b.def.Name(), "run")
}

// checkWall ends the run when its time is over, whatever is open.
func (m *Machine) checkWall() {
	if l := m.s.limits.WallMS; m.s.limitHit == "wall" || m.s.wall.used >= l {
		m.limit("wall", "limit wall "+shortDuration(time.Duration(l)*time.Millisecond)+" reached")
	}
}

// checkLimits ends the run for a limit of messages at once, and for turns or
// cost when work was refused and nothing open could still end it.
func (m *Machine) checkLimits() {
	l := m.s.limits
	switch {
	case m.s.limitHit == "messages":
		m.limit("messages", fmt.Sprintf("limit messages %d reached", l.Messages))
	case m.s.refused == "" || m.busy():
	case m.s.refused == "turns":
		m.limit("turns", fmt.Sprintf("limit turns %d reached", l.Turns))
	case m.s.refused == "cost":
		m.limit("cost", fmt.Sprintf("limit cost %.2f: the next turn could exceed it, %.2f spent", *l.Cost, m.s.cost))
	}
}

// shortDuration writes a duration as a team file would: 5m, not 5m0s.
func shortDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

func (m *Machine) limit(name, reason string) {
	m.latchRun(latch{outcome: "limit", exit: 3, reason: reason, why: Why{By: "limit", Limit: Optional(name)}})
}

// busy reports whether something is open that could still end the run.
func (m *Machine) busy() bool {
	for id := range m.s.pending {
		if id != m.s.wall.timer {
			return true
		}
	}
	return false
}
