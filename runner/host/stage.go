package host

import (
	"context"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/teamrun/teamrun/runner"
)

// stage holds what is being performed. It belongs to the loop.
type stage struct {
	log     hclog.Logger
	submit  func(submission) bool
	running map[string]performance  // by effect
	agents  map[string]runner.Agent // by member
	// lost is the newest epoch of a member whose session ended with the runner
	// that held it.
	lost map[string]int
	// leftovers are the epochs of sessions that an interrupt found open, by member.
	leftovers map[string]int
	all       sync.WaitGroup // of performances
}

func newStage(log hclog.Logger, submit func(submission) bool) *stage {
	return &stage{
		log: log, submit: submit, running: map[string]performance{}, agents: map[string]runner.Agent{},
		lost: map[string]int{}, leftovers: map[string]int{},
	}
}

// performance is an effect that an adapter is at.
type performance struct {
	cancel context.CancelFunc
	// closing: it ends something; being interrupted must not cut it short.
	closing bool
}

// perform runs work in a goroutine of its own and submits the outcome it
// returns. A panic becomes the outcome that crashed makes of it.
func (s *stage) perform(effect string, closing bool, work func(context.Context) runner.Event, crashed func(text string) runner.Event) {
	ctx, cancel := context.WithCancel(context.Background())
	s.running[effect] = performance{cancel, closing}
	s.all.Go(func() {
		defer cancel()
		event := s.guard(func() runner.Event { return work(ctx) }, crashed)
		done := outcome(event)
		done.ended = effect
		s.submit(done)
	})
}

// guard returns what work returns, or what crashed makes of its panic.
func (s *stage) guard(work func() runner.Event, crashed func(text string) runner.Event) (event runner.Event) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("an adapter panicked", "panic", p, "stack", string(debug.Stack()))
			event = crashed(fmt.Sprintf("internal error of the adapter: %v", p))
		}
	}()
	return work()
}

// left notes that a performance has ended.
func (s *stage) left(effect string) { delete(s.running, effect) }

func (s *stage) has(effect string) bool {
	_, ok := s.running[effect]
	return ok
}

func (s *stage) idle() bool { return len(s.running) == 0 }

// cancel asks a performance to end.
func (s *stage) cancel(effect string) {
	if p, ok := s.running[effect]; ok {
		p.cancel()
	}
}

// cancelAll asks everything to end that is not ending something itself.
func (s *stage) cancelAll() {
	for _, p := range s.running {
		if !p.closing {
			p.cancel()
		}
	}
}

// clear ends whatever runs when the loop has ended, and waits for it for some time.
func (s *stage) clear(patience time.Duration) {
	s.cancelAll()
	if !waited(&s.all, patience) {
		s.log.Error("not everything ended in time", "still running", s.names())
	}
}

// waited reports whether all ended in time.
func waited(all *sync.WaitGroup, patience time.Duration) bool {
	done := make(chan struct{})
	go func() {
		all.Wait()
		close(done)
	}()
	select {
	case <-done:
		return true
	case <-time.After(patience):
		return false
	}
}

// names are the effects that still run.
func (s *stage) names() []string { return slices.Sorted(maps.Keys(s.running)) }
