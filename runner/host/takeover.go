package host

import (
	"context"
	"sync"

	"github.com/teamrun/teamrun/runner"
)

// takeOver makes the run ours, whether it is new, was interrupted, or its runner
// was killed. The lease is recorded; then everything that was under way is asked
// about and all answers are recorded; only then does an effect leave.
func (e *engine) takeOver(ctx context.Context) error {
	self := thisProcess(e.core.clock.now(), "")
	lease, err := e.core.log.Lease(e.core.clock.now(), self.PID, self.Host)
	if err != nil {
		return err
	}
	seen := max(lease.FormerSeen, e.core.m.Now())
	e.core.clock = newClock(seen)
	under := e.core.m.Pending() // what the former runner was at
	first := []submission{outcome(runner.Leased{
		Lease: lease.Number, DownMS: e.core.clock.now() - seen, Human: e.config.Human,
	})}
	if e.config.Down {
		first = append(first, outcome(runner.Control{Act: runner.ControlDown}))
	}
	if err := e.record(first); err != nil {
		return err
	}
	answers, adopted := e.ask(ctx, under)
	if err := e.record(answers); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return nil // the loop sees it at once: nothing leaves
	}
	for _, effect := range e.core.m.Pending() {
		e.begin(effect, adopted[effect.ID])
	}
	return nil
}

// record makes a batch durable and holds its effects back: they are pending.
func (e *engine) record(subs []submission) error {
	b, err := e.core.commit(subs)
	if err != nil {
		return e.core.stateError(err)
	}
	e.show(b.steps)
	return nil
}

// ask asks what became of open sessions and of the effects under way. Timers,
// backoffs, starts and stops of sessions, and finish need no asking: to perform
// them again does the same again.
func (e *engine) ask(ctx context.Context, under []runner.Effect) (answers []submission, adopted map[string]bool) {
	asked := map[string]runner.Answer{}
	var mu sync.Mutex
	var all sync.WaitGroup
	put := func(effect runner.Effect, question func() runner.Answer) {
		all.Go(func() {
			a := e.answer(question)
			mu.Lock()
			defer mu.Unlock()
			asked[effect.ID] = a
		})
	}
	sessions := e.core.m.Sessions()
	for _, s := range sessions {
		start := runner.Effect{ID: s.Effect, Op: runner.StartSession{Member: s.Member, Epoch: s.Epoch, Mode: "start"}}
		put(start, e.question(ctx, start))
	}
	for _, effect := range under {
		if q := e.question(ctx, effect); q != nil && !isStart(effect) {
			put(effect, q)
		}
	}
	all.Wait()

	for _, s := range sessions {
		if asked[s.Effect].State == runner.AnswerRunning && e.room.admit(s.Member, s.Epoch) == nil {
			continue
		}
		answers = append(answers, outcome(runner.SessionLost{Member: s.Member, Epoch: s.Epoch}))
	}
	adopted = map[string]bool{}
	for _, effect := range under {
		a, ok := asked[effect.ID]
		if !ok {
			continue
		}
		adopted[effect.ID] = a.State == runner.AnswerRunning
		if event := settled(effect, a); event != nil {
			answers = append(answers, outcome(event))
		}
	}
	return answers, adopted
}

func isStart(effect runner.Effect) bool {
	_, ok := effect.Op.(runner.StartSession)
	return ok
}

// question is how an effect is asked about, nil for one that is not. Whoever
// cannot be asked knows nothing.
func (e *engine) question(ctx context.Context, effect runner.Effect) func() runner.Answer {
	member := ""
	switch op := effect.Op.(type) {
	case runner.RunExec:
		order := e.execOrder(effect.ID, op)
		return func() runner.Answer { return e.config.World.Exec.Ask(ctx, effect, order) }
	case runner.TakeTurn:
		member = op.Member
	case runner.StartSession:
		member = op.Member
	default:
		return nil
	}
	agent, err := e.agent(member)
	if err != nil {
		e.log.Error("a member cannot be asked", "member", member, "error", err)
		return func() runner.Answer { return runner.Answer{State: runner.AnswerUnknown} }
	}
	return func() runner.Answer { return agent.Ask(ctx, effect) }
}

// answer asks; one that panics knows nothing.
func (e *engine) answer(question func() runner.Answer) (a runner.Answer) {
	e.stage.guard(func() runner.Event {
		a = question()
		return nil
	}, func(string) runner.Event {
		a = runner.Answer{State: runner.AnswerUnknown}
		return nil
	})
	return a
}

// settled is the outcome of an effect by the answer to what became of it; nil
// while it has none.
func settled(effect runner.Effect, a runner.Answer) runner.Event {
	if a.State == runner.AnswerRunning || a.State == runner.AnswerNotStarted {
		return nil
	}
	switch effect.Op.(type) {
	case runner.TakeTurn:
		if ended, ok := a.Outcome.(runner.TurnEnded); ok && a.State == runner.AnswerEnded {
			ended.Effect = effect.ID
			return ended
		}
		seen := runner.SeenUnknown
		if a.State == runner.AnswerGone && a.Seen != "" {
			seen = a.Seen
		}
		return runner.TurnEnded{Effect: effect.ID, Stop: runner.StopError, Seen: seen, Cost: a.Cost, Cut: true, Text: "cut when its runner ended"}
	case runner.RunExec:
		if ended, ok := a.Outcome.(runner.ExecEnded); ok && a.State == runner.AnswerEnded {
			ended.Effect = effect.ID
			return ended
		}
		return runner.ExecEnded{Effect: effect.ID, Exit: -1, Class: classUnknown}
	}
	return nil
}
