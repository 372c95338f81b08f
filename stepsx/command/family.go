package command

import (
	"cmp"
	"os"
	"slices"
	"syscall"
	"time"
)

// family is a process and everything that came from it: its group, its
// descendants, and what left both but still carries its label. Each member is
// proven before it is signalled.
type family struct {
	leader identity
	label  string // NAME=value in the environment of everyone of the family
	began  time.Time
	known  map[int]uint64 // pid and start of members seen so far
}

func newFamily(leader identity, label string, began time.Time) *family {
	return &family{leader: leader, label: label, began: began, known: map[int]uint64{leader.Pid: leader.Start}}
}

// fresh is how long all pids above the leader's are surely younger than it, as
// long as the system did not start again from below. Within it only those have
// to be looked at.
const fresh = 2 * time.Second

// members are the living members, the oldest first. The leader's group counts only while the
// leader is provably there, if only unreaped: until then nobody else can have a
// group of that number. That is told by grouped.
func (f *family) members() (alive []entry, grouped bool) {
	from := 0
	if time.Since(f.began) < fresh && lastPid() >= f.leader.Pid {
		from = f.leader.Pid
	}
	others := map[int]entry{}
	for _, e := range table(from) {
		if e.pid <= 1 || e.pid == os.Getpid() {
			continue
		}
		grouped = grouped || f.leader.is(e)
		others[e.pid] = e
	}
	found := map[int]entry{}
	take := func(e entry) {
		found[e.pid], f.known[e.pid] = e, e.start
		delete(others, e.pid)
	}
	for _, e := range others {
		start, seen := f.known[e.pid]
		switch {
		case seen && start == e.start, grouped && e.group == f.leader.Group:
			take(e)
		case e.start >= f.leader.Start && carries(e, f.label):
			take(e)
		}
	}
	for grown := true; grown; {
		grown = false
		for _, e := range others {
			if _, ours := found[e.parent]; ours {
				take(e)
				grown = true
			}
		}
	}
	for _, e := range found {
		if !e.dead {
			alive = append(alive, e)
		}
	}
	slices.SortFunc(alive, func(a, b entry) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.pid, b.pid)) })
	return alive, grouped
}

// adopt makes members of those who held a pipe of the family at both looks. Who
// is younger than the leader can only come from its family, except for what this
// process starts itself.
func (f *family) adopt(first, second []entry) {
	for _, e := range second {
		again := slices.ContainsFunc(first, func(o entry) bool { return o.pid == e.pid && o.start == e.start })
		if again && e.start >= f.leader.Start && e.parent != os.Getpid() {
			f.known[e.pid] = e.start
		}
	}
}

// The waits of an ending.
const (
	stopGrace = 7 * time.Second // from TERM to KILL
	killGrace = 5 * time.Second // from KILL to giving up
)

// end ends the family in order: TERM, then, when the grace is over or hurry is
// closed, KILL, until nobody is left. It names who is left all the same.
func (f *family) end(grace time.Duration, hurry <-chan struct{}) (left []string) {
	if f.press(syscall.SIGTERM, grace, hurry) || f.press(syscall.SIGKILL, killGrace, nil) {
		return nil
	}
	alive, _ := f.members()
	for _, e := range alive {
		left = append(left, e.String())
	}
	return left
}

// press signals each member once and reports whether all are gone before the
// wait is over.
func (f *family) press(sig syscall.Signal, wait time.Duration, hurry <-chan struct{}) bool {
	over := time.NewTimer(wait)
	defer over.Stop()
	asked := map[int]uint64{}
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		alive, grouped := f.members()
		if len(alive) == 0 {
			return true
		}
		if grouped && sig == syscall.SIGKILL && f.leader.leads() {
			_ = syscall.Kill(-f.leader.Group, sig) // at one stroke: a member that forks cannot outrun it
		}
		for _, e := range alive {
			if start, done := asked[e.pid]; done && start == e.start {
				continue
			}
			asked[e.pid] = e.start
			deliver(e, sig)
			deliver(e, syscall.SIGCONT) // a stopped process hears nothing else
		}
		tick := time.NewTimer(pause)
		select {
		case <-tick.C:
			continue
		case <-hurry:
		case <-over.C:
		}
		tick.Stop()
		return false
	}
}
