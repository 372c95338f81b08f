package scripted

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/safe"
)

// play is one turn, or one start of a session, while it is played.
type play struct {
	session *session
	room    runner.Room // nil at the start of a session
	sign    func(text string)

	spent   float64
	unknown bool // a part of what was spent is not known
}

// steps plays the steps until one ends the turn, they are done, or ctx is.
func (p *play) steps(ctx context.Context, do []Step) runner.TurnEnded {
	end := runner.TurnEnded{Stop: runner.StopEndTurn}
	for _, s := range do {
		if ctx.Err() != nil {
			break
		}
		if s.ends() {
			end = p.last(ctx, s)
			break
		}
		p.step(ctx, s)
	}
	if ctx.Err() != nil {
		end = runner.TurnEnded{Stop: runner.StopCancelled}
	}
	if !p.unknown {
		end.Cost = &p.spent
	}
	return end
}

func (p *play) step(ctx context.Context, s Step) {
	switch {
	case s.Say != nil:
		p.session.tell("says: %s", *s.Say)
		p.sign(safe.Text(*s.Say))
	case s.Send != nil:
		_, err := p.room.Send(ctx, s.Send.To, s.Send.Text)
		p.session.done(err, "sends to %v: %s", s.Send.To, s.Send.Text)
	case s.Report != nil:
		body, err := json.Marshal(s.Report)
		if err == nil {
			err = p.room.Report(ctx, body)
		}
		p.session.done(err, "reports: %s", body)
	case s.Spend != nil && *s.Spend == "unknown":
		p.unknown = true
	case s.Spend != nil:
		usd, _ := strconv.ParseFloat(*s.Spend, 64) // Check has read it
		p.spent += usd
	case s.Take != nil:
		over := time.NewTimer(*s.Take)
		defer over.Stop()
		select {
		case <-over.C:
		case <-ctx.Done():
		}
	}
}

// last plays a step that ends the turn.
func (p *play) last(ctx context.Context, s Step) runner.TurnEnded {
	switch {
	case s.Fail != nil:
		return runner.TurnEnded{
			Stop: runner.StopError, Class: s.Fail.Class, Code: s.Fail.Code, Text: safe.Text(s.Fail.Text), Seen: s.Fail.Seen,
		}
	case s.Crash != nil:
		p.session.crash()
		return runner.TurnEnded{Stop: runner.StopError, Class: "crashed", Text: "the session crashed, as scripted"}
	case s.Hang != nil:
		<-ctx.Done()
		return runner.TurnEnded{Stop: runner.StopCancelled}
	}
	return runner.TurnEnded{Stop: *s.Stop}
}
