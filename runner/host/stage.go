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
	running map[string]*performance // by effect
	agents  map[string]runner.Agent // by member
	// leftovers are the epochs of sessions that an interrupt found open, by member.
	leftovers map[string]int
	all       sync.WaitGroup // of performances
}

func newStage(log hclog.Logger, submit func(submission) bool) *stage {
	return &stage{
		log: log, submit: submit, running: map[string]*performance{}, agents: map[string]runner.Agent{},
		leftovers: map[string]int{},
	}
}

// endPatience is how long a performance that was told to end is waited for: the
// grace in which an adapter ends what it started, and as long again for one that
// does not return.
const endPatience = 7*time.Second + 20*time.Second

// act is what there is to do for an effect.
type act struct {
	work func(context.Context) runner.Event
	// closing: it ends something; being interrupted must not cut it short.
	closing bool
	// within bounds the work, after which it is told to end; 0: no bound.
	within time.Duration
	// crashed is the outcome of work that panics, abandoned of work that does not
	// return though it was told to end.
	crashed, abandoned func(text string) runner.Event
}

// context is the context of the work.
func (a act) context() (context.Context, context.CancelFunc) {
	if a.within > 0 {
		return context.WithTimeout(context.Background(), a.within)
	}
	return context.WithCancel(context.Background())
}

// performance is an effect that an adapter is at.
type performance struct {
	cancel  context.CancelFunc
	closing bool
	abandon func()
	bound   *time.Timer // nil until it has to end
}

// perform does the work of an act in a goroutine of its own and submits its one
// outcome. What an adapter returns when it was given up is dropped.
func (s *stage) perform(effect string, a act) {
	ctx, cancel := a.context()
	var once sync.Once
	end := func(event runner.Event) {
		done := outcome(event)
		done.ended = effect
		once.Do(func() { s.submit(done) })
	}
	p := &performance{cancel: cancel, closing: a.closing, abandon: func() {
		end(a.abandoned(fmt.Sprintf("it did not end within %v and was given up", a.within+endPatience)))
	}}
	if a.within > 0 {
		p.bound = time.AfterFunc(a.within+endPatience, p.abandon)
	}
	s.running[effect] = p
	s.all.Go(func() {
		defer cancel()
		end(s.guard(func() runner.Event { return a.work(ctx) }, a.crashed))
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
func (s *stage) left(effect string) {
	if p, ok := s.running[effect]; ok && p.bound != nil {
		p.bound.Stop()
	}
	delete(s.running, effect)
}

func (s *stage) has(effect string) bool {
	_, ok := s.running[effect]
	return ok
}

func (s *stage) idle() bool { return len(s.running) == 0 }

// cancel asks a performance to end.
func (s *stage) cancel(effect string) {
	if p, ok := s.running[effect]; ok {
		p.cancel()
		s.bound(effect)
	}
}

// bound gives a performance up if it does not end in time, from now.
func (s *stage) bound(effect string) {
	if p := s.running[effect]; p.bound == nil {
		p.bound = time.AfterFunc(endPatience, p.abandon)
	}
}

// cancelAll asks everything to end that is not ending something itself.
func (s *stage) cancelAll() {
	for effect, p := range s.running {
		if !p.closing {
			s.cancel(effect)
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
