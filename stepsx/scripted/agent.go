package scripted

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/safe"
)

// agent plays the script of one member.
type agent struct {
	post   runner.Post
	script Script

	mu   sync.Mutex
	open *session // the one used last; what it knows is on the disk
}

// session is the session of an epoch.
func (a *agent) session(epoch int) (*session, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.open != nil && a.open.epoch == epoch {
		return a.open, nil
	}
	s, err := openSession(a.post.Folder, epoch)
	if err != nil {
		return nil, err
	}
	if a.open != nil {
		a.open.close()
	}
	a.open = s
	return s, nil
}

// Start implements runner.Agent.
func (a *agent) Start(ctx context.Context, s runner.SessionOrder) runner.SessionStarted {
	started := runner.SessionStarted{Effect: s.Effect}
	session, err := a.session(s.Epoch)
	if err != nil {
		started.Class, started.Text = "crashed", safe.Text(err.Error())
		return started
	}
	session.tell("session %d starts", s.Epoch)
	for _, start := range a.script.Starts {
		c := start.clause()
		if !c.On.covers(On{Epoch: s.Epoch}) {
			continue
		}
		p := play{session: session, sign: func(string) {}}
		if end := p.steps(ctx, c.Do); end.Stop != runner.StopEndTurn {
			started.Class, started.Text = end.Class, end.Text
			if end.Stop == runner.StopCancelled {
				started.Class, started.Text = "gone", "cancelled"
			}
			return started
		}
		break
	}
	started.OK, started.Ref = true, fmt.Sprintf("%s.%d", a.post.Member, s.Epoch)
	return started
}

// Stop implements runner.Agent: a script has no process.
func (a *agent) Stop(_ context.Context, s runner.SessionOrder) runner.SessionStopped {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.open != nil {
		a.open.close()
		a.open = nil
	}
	return runner.SessionStopped{Effect: s.Effect}
}

// Turn implements runner.Agent.
func (a *agent) Turn(ctx context.Context, p runner.Prompt, progress func(runner.TurnProgress)) runner.TurnEnded {
	if ctx.Err() != nil {
		return failed(p.Effect, runner.TurnEnded{Stop: runner.StopCancelled})
	}
	session, err := a.session(p.Epoch)
	if err != nil {
		return failed(p.Effect, runner.TurnEnded{Stop: runner.StopError, Class: "crashed", Text: safe.Text(err.Error())})
	}
	switch {
	case session.begun[p.Effect]:
		return runner.TurnEnded{
			Effect: p.Effect, Stop: runner.StopError, Class: "gone", Seen: runner.SeenUnknown, Cut: true,
			Text: "the turn was begun before; it is not played a second time",
		}
	case session.crashed():
		return failed(p.Effect, runner.TurnEnded{Stop: runner.StopError, Class: "gone", Text: "the session crashed before"})
	}
	attempt := a.attempt(session, p)
	if err := session.begin(p); err != nil {
		return failed(p.Effect, runner.TurnEnded{Stop: runner.StopError, Class: "crashed", Text: safe.Text(err.Error())})
	}
	ended := a.play(ctx, session, p, attempt, progress)
	session.end(ended) // without it Ask knows less, and says so
	return ended
}

// attempt says the how manieth turn this is for its task in its round, in all
// sessions of the member. It is asked before the turn is marked, and only for a
// script that wants to know.
func (a *agent) attempt(now *session, p runner.Prompt) int {
	if !slices.ContainsFunc(a.script.Turns, func(c Clause) bool { return c.On.Attempt > 0 }) {
		return 0
	}
	n := 1 + now.tries[work{p.Task, p.Round}]
	for epoch := 1; epoch < p.Epoch; epoch++ {
		if s, err := openSession(a.post.Folder, epoch); err == nil {
			n += s.tries[work{p.Task, p.Round}]
			s.close()
		}
	}
	return n
}

// failed completes the outcome of a turn that was never begun.
func failed(effect string, e runner.TurnEnded) runner.TurnEnded {
	e.Effect, e.Seen, e.Cost = effect, runner.SeenNo, new(float64)
	return e
}

func (a *agent) play(ctx context.Context, session *session, p runner.Prompt, attempt int, progress func(runner.TurnProgress)) runner.TurnEnded {
	session.tell("turn %d (%s): %s", p.Nth, p.Effect, about(p))
	for _, m := range p.Mail {
		session.tell("mail from %s: %s", m.From, m.Body)
	}
	var do []Step
	for _, c := range a.script.Turns {
		if matches(c.On, p, attempt) {
			do = c.Do
			break
		}
	}
	pl := play{session: session, room: p.Room, sign: func(text string) {
		progress(runner.TurnProgress{Effect: p.Effect, What: runner.ProgressSign, Text: text})
	}}
	ended := pl.steps(ctx, do)
	ended.Effect = p.Effect
	if ended.Seen == "" {
		ended.Seen = runner.SeenYes
	}
	session.tell("ends: %s", strings.TrimSpace(ended.Stop+" "+ended.Class))
	return ended
}

func about(p runner.Prompt) string {
	what := "mode " + string(p.Mode)
	if p.Task != "" {
		what += fmt.Sprintf(", task %s, round %d", p.Task, p.Round)
	}
	return what
}

// matches reports whether everything of on holds for the prompt.
func matches(on On, p runner.Prompt, attempt int) bool {
	from := on.MailFrom
	if from != "" && !slices.ContainsFunc(p.Mail, func(m runner.PromptMail) bool { return m.From == from }) {
		return false
	}
	return on.covers(On{
		Turn: p.Nth, Epoch: p.Epoch, Task: p.Task, Round: p.Round, Attempt: attempt, Mode: string(p.Mode), MailFrom: from,
	})
}

// Ask implements runner.Agent. Nothing of a script goes on without its runner.
// Without the folder of the session, which was made when it started, nothing can
// be said.
func (a *agent) Ask(_ context.Context, effect runner.Effect) runner.Answer {
	turn, ok := effect.Op.(runner.TakeTurn)
	if !ok {
		return runner.Answer{State: runner.AnswerNotStarted} // sessions hold nothing
	}
	_, err := os.Stat(filepath.Join(a.post.Folder, strconv.Itoa(turn.Epoch)))
	var session *session
	if err == nil {
		session, err = a.session(turn.Epoch)
	}
	if err != nil {
		return runner.Answer{State: runner.AnswerUnknown, Seen: runner.SeenUnknown}
	}
	if ended, ok := session.ended(effect.ID); ok {
		return runner.Answer{State: runner.AnswerEnded, Outcome: ended}
	}
	if session.begun[effect.ID] {
		return runner.Answer{State: runner.AnswerGone, Seen: runner.SeenUnknown}
	}
	return runner.Answer{State: runner.AnswerNotStarted, Seen: runner.SeenNo}
}
