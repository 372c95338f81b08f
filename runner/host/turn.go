package host

import (
	"context"
	"path"
	"sync"
	"time"

	"github.com/teamrun/teamrun/runner"
)

// stallAfter is the time without a sign of a member whose spec sets none.
const stallAfter = 5 * time.Minute

func (e *engine) takeTurn(id string, op runner.TakeTurn) {
	if !e.core.living(op.Member, op.Epoch) {
		// The session ended with the runner that held it: this prompt reached nobody.
		e.enqueue(id, runner.TurnEnded{Effect: id, Stop: runner.StopError, Seen: runner.SeenNo, Cut: true, Text: "the session ended before the prompt"})
		return
	}
	prompt, err := e.prompt(id, op)
	if err == nil {
		err = writeState(e.root, path.Join(epochFolder(op.Member, op.Epoch), "prompts", id+".md"), []byte(prompt.Text), false)
	}
	var agent runner.Agent
	if err == nil {
		agent, err = e.agent(op.Member)
	}
	if err != nil {
		e.enqueue(id, runner.TurnEnded{Effect: id, Stop: runner.StopError, Class: classCrashed, Text: reason(err), Seen: runner.SeenNo})
		return
	}
	signs := e.signs(id, op.Member)
	e.stage.perform(id, act{
		work: func(ctx context.Context) runner.Event {
			ended := agent.Turn(ctx, prompt, signs.progress)
			ended.Effect = id
			if ended.Seen == "" {
				ended.Seen = runner.SeenUnknown
			}
			return ended
		},
		crashed: func(text string) runner.Event {
			return runner.TurnEnded{Effect: id, Stop: runner.StopError, Class: classCrashed, Text: text, Seen: runner.SeenUnknown}
		},
		abandoned: func(text string) runner.Event {
			return runner.TurnEnded{Effect: id, Stop: runner.StopError, Seen: runner.SeenUnknown, Cut: true, Text: text}
		},
	})
}

// signs lets through what has to be recorded of a turn's progress. A sign of
// life only has to come often enough that the turn does not count as stalled.
type signs struct {
	effect string
	every  int64 // ms
	clock  clock
	submit func(submission) bool

	mu     sync.Mutex
	last   int64 // Unix time in milliseconds
	capped bool  // max_tokens was recorded
}

func (e *engine) signs(effect, member string) *signs {
	stall := e.core.program.Member(member).Spec.StallAfter
	if stall <= 0 {
		stall = stallAfter
	}
	return &signs{
		effect: effect, every: stall.Milliseconds() / 4, clock: e.core.clock, submit: e.submit,
		last: e.core.clock.now(), // the prompt itself
	}
}

// progress is called by the adapter, from any goroutine.
func (s *signs) progress(p runner.TurnProgress) {
	if s.passes(p.What) {
		p.Effect = s.effect
		s.submit(outcome(p))
	}
}

func (s *signs) passes(what string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch what {
	case runner.ProgressMaxTokens:
		first := !s.capped
		s.capped = true
		return first
	case runner.ProgressSign:
		now := s.clock.now()
		if now-s.last < s.every {
			return false
		}
		s.last = now
		return true
	}
	return false
}
