package host

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/teamrun/teamrun/runner"
)

const (
	// batchMax bounds how many submissions one append takes.
	batchMax = 256
	// beatEvery is how often an idle lease shows that it lives.
	beatEvery = 10 * time.Second
)

// engine is the loop that owns the machine, with what it drives.
type engine struct {
	config Config
	core   *core
	root   *os.Root // the run's folder
	log    hclog.Logger

	inbox  chan submission // from everyone else
	queue  []submission    // from the loop itself, which come first
	over   chan struct{}   // closed when the loop has ended
	stage  *stage
	timers *timers
	room   *room
	status *statusFile

	// draining: the run is being interrupted. What is wanted from here on stays
	// pending in the journal.
	draining bool
	failed   int // appends that failed in a row
}

// loop runs until the run has ended (nil), was interrupted (ErrInterrupted), or
// its journal failed.
func (e *engine) loop(ctx context.Context) error {
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	defer close(e.over)
	interrupt, hurry := ctx.Done(), e.config.Hurry
	var patience <-chan time.Time
	always := make(chan struct{})
	close(always)
	for !e.core.m.Ended() {
		// What the loop itself wants recorded comes before what others want, but
		// however much that is, the loop hears the rest.
		queued, inbox := always, e.inbox
		switch {
		case len(e.queue) > 0:
			inbox = nil
		case e.draining && e.stage.idle():
			return ErrInterrupted
		default:
			queued = nil
		}
		select {
		case <-queued:
			if err := e.take(e.fill(nil)); err != nil {
				return err
			}
		case s := <-inbox:
			if err := e.take(e.fill([]submission{s})); err != nil {
				return err
			}
		case <-e.timers.wake.C:
			e.fire()
		case <-e.status.due():
			e.status.write(e.core.m.View(), stateLive)
		case <-beat.C:
			if err := e.core.log.Beat(e.core.clock.now()); takenOver(err) {
				return e.core.stateError(err)
			} else if err != nil {
				e.log.Warn("the lease could not be renewed", "error", err)
			}
		case <-interrupt:
			interrupt, patience = nil, time.After(interruptPatience)
			e.interrupt()
		case <-hurry:
			hurry, interrupt, patience = nil, nil, time.After(hurryPatience)
			e.interrupt()
		case <-patience:
			e.log.Error("not everything ended in time", "still running", e.stage.names())
			return ErrInterrupted
		}
	}
	return nil
}

// fill makes a batch of what is there.
func (e *engine) fill(subs []submission) []submission {
	n := min(len(e.queue), batchMax)
	subs = append(subs, e.queue[:n]...)
	e.queue = e.queue[n:]
	for len(subs) < batchMax {
		select {
		case s := <-e.inbox:
			subs = append(subs, s)
		default:
			return subs
		}
	}
	return subs
}

// take makes a batch durable and lets out what came of it.
func (e *engine) take(subs []submission) error {
	b, err := e.core.commit(subs)
	if err != nil {
		return e.refold(subs, err)
	}
	e.failed = 0
	for _, s := range subs {
		e.stage.left(s.ended)
	}
	for _, s := range b.steps {
		for _, effect := range s.Effects {
			e.begin(effect, false)
		}
	}
	for _, answer := range b.answers {
		answer()
	}
	e.show(b.steps)
	return nil
}

// show publishes the steps of a batch.
func (e *engine) show(steps []Step) {
	if len(steps) == 0 {
		return
	}
	e.status.changed()
	if e.config.Watch == nil {
		return
	}
	view := e.core.m.View()
	for _, s := range steps {
		s.View, s.Held = view, e.draining
		e.config.Watch(s)
	}
}

// refold drops a machine that is ahead of its journal and folds it anew. Callers
// are told that nothing was recorded; outcomes are kept and recorded next.
func (e *engine) refold(subs []submission, cause error) error {
	e.log.Error("the journal did not take a batch", "records", len(subs), "error", cause)
	var kept []submission
	for _, s := range subs {
		if s.answer == nil {
			kept = append(kept, s)
		} else {
			s.answer(0, fmt.Errorf("not recorded, try again: %w", cause))
		}
	}
	if e.failed++; e.failed > 1 || takenOver(cause) {
		return e.core.stateError(cause)
	}
	if err := e.core.fold(nil); err != nil {
		return err
	}
	e.queue = append(kept, e.queue...)
	// Should the batch be in the journal after all, its effects are pending.
	ended := map[string]bool{}
	for _, s := range e.queue {
		ended[s.ended] = true
	}
	for _, effect := range e.core.m.Pending() {
		switch id := effect.ID; {
		case e.stage.has(id) && e.core.m.CancelSent(id):
			e.stage.cancel(id)
		case !e.stage.has(id) && !ended[id]:
			e.begin(effect, false)
		}
	}
	return nil
}

// fire records the timers that are due.
func (e *engine) fire() {
	for _, effect := range e.timers.due(e.core.clock) {
		e.enqueue(effect, runner.TimerFired{Effect: effect})
	}
}

// submit hands something to the loop from any other goroutine. It reports false
// when the loop has ended.
func (e *engine) submit(s submission) bool {
	select {
	case e.inbox <- s:
		return true
	case <-e.over:
		return false
	}
}
