package host

import (
	"context"
	"sync"
	"time"

	"github.com/teamrun/teamrun/runner"
)

// How long adapters that were told to end are waited for. They have a grace of
// their own, after which they kill; these bound an adapter that does not return.
const (
	interruptPatience = 20 * time.Second
	hurryPatience     = 3 * time.Second
)

// interrupt begins an orderly save: nothing new is begun, what runs is told to
// end, and its outcomes are recorded as they come. Sessions end with this
// runner. That is recorded before the outcomes of their turns, so that what the
// machine wants next is a new session.
func (e *engine) interrupt() {
	if e.draining {
		e.stage.cancelAll()
		return
	}
	e.draining = true
	e.timers.clear()
	e.stage.cancelAll()
	for _, s := range e.core.m.Sessions() {
		e.stage.leftovers[s.Member] = s.Epoch
		e.enqueue("", runner.SessionLost{Member: s.Member, Epoch: s.Epoch})
	}
}

// stopLeftovers ends the processes of the sessions that an interrupt found open
// and of those that came up meanwhile. It records nothing: whoever resumes the
// run finds out that they are gone.
func (e *engine) stopLeftovers() {
	for _, s := range e.core.m.Sessions() {
		e.stage.leftovers[s.Member] = s.Epoch
	}
	var all sync.WaitGroup
	for member, epoch := range e.stage.leftovers {
		agent, err := e.agent(member)
		if err != nil {
			continue // never opened under this lease, so nothing of it runs here
		}
		order := e.order("", member, epoch)
		all.Go(func() {
			e.stage.guard(func() runner.Event {
				for _, name := range agent.Stop(context.Background(), order).Escaped {
					e.log.Warn("a process could not be ended", "member", member, "process", name)
				}
				return nil
			}, func(string) runner.Event { return nil })
		})
	}
	if !waited(&all, interruptPatience) {
		e.log.Error("not every session ended in time")
	}
}
