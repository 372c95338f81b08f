package view

import (
	"strings"
	"time"

	"github.com/teamrun/teamrun/runner"
)

// record is the lines of one event.
func (l *Log) record(e runner.Event) []Line {
	switch e := e.(type) {
	case runner.RunStarted:
		return append(
			l.run("started", pairs("id", e.Run, "team", e.Team, "spec", l.spec, "sha256", short(e.Digest), "teamrun", l.version)),
			l.run("limits", limits(e.Limits))...)
	case runner.Leased:
		if e.Lease > 1 {
			return l.run("resumed", pairs("lease", e.Lease, "down", spanMS(e.DownMS)))
		}
	case runner.MailSent:
		return l.member(e.From, "mail", pairs("to", e.To, "bytes", e.Size, "subject", quoted(subject(e.Body))), e.To...)
	case runner.Reported:
		return l.member(e.Member, "reported", pairs("turn", e.Turn, "epoch", e.Epoch))
	case runner.SessionLost:
		return l.member(e.Member, "session_lost", pairs("epoch", e.Epoch, "class", e.Class))
	case runner.Control:
		return l.run(e.Act, "")
	default:
		return l.outcome(e)
	}
	return nil
}

// outcome is the lines of what became of an effect.
func (l *Log) outcome(e runner.Event) []Line {
	switch e := e.(type) {
	case runner.SessionStarted:
		if op, _ := l.take(e.Effect); op != nil {
			return l.sessionStarted(op.(runner.StartSession), e)
		}
	case runner.SessionStopped:
		if op, _ := l.take(e.Effect); op != nil && len(e.Escaped) > 0 {
			s := op.(runner.StopSession)
			return l.member(s.Member, "escaped", pairs("epoch", s.Epoch, "processes", quoted(strings.Join(e.Escaped, ", "))))
		}
	case runner.TurnEnded:
		if op, took := l.take(e.Effect); op != nil {
			return l.member(op.(runner.TakeTurn).Member, "turn_ended", pairs("turn", e.Effect, "stop", e.Stop, "class", e.Class,
				"cut", yes(e.Cut), "cost", e.Cost, "took", took, "code", quoted(e.Code), "reason", quoted(e.Text)))
		}
	case runner.ExecEnded:
		if op, took := l.take(e.Effect); op != nil {
			return l.task(op.(runner.RunExec).Task, "exited", pairs("exit", e.Exit, "class", e.Class, "bytes", bytes(e.Output),
				"took", took, "reason", quoted(e.Text)))
		}
	case runner.BackoffDue:
		if op, _ := l.take(e.Effect); op != nil {
			b := op.(runner.AskBackoff)
			return l.member(b.Member, "retry", pairs("attempt", b.Attempt, "at", clock(e.At-l.start)))
		}
	case runner.TimerFired:
		l.take(e.Effect)
	case runner.FinishEnded:
		l.take(e.Effect)
		return l.run("artifacts", artifacts(e))
	}
	return nil
}

func (l *Log) sessionStarted(s runner.StartSession, e runner.SessionStarted) []Line {
	if !e.OK {
		return l.member(s.Member, "start_failed", pairs("epoch", s.Epoch, "class", e.Class, "reason", quoted(e.Text)))
	}
	return l.member(s.Member, "session", pairs("epoch", s.Epoch))
}

// limits is the bounds of a run; those that are not set are left out.
func limits(v runner.LimitValues) string {
	return pairs("wall", limit(time.Duration(v.WallMS)*time.Millisecond), "turns", v.Turns, "messages", v.Messages,
		"concurrency", v.Concurrency, "cost", set(v.Cost), "unknown_cost", set(v.UnknownCost))
}

// artifacts is what became of the files of the result.
func artifacts(e runner.FinishEnded) string {
	written := 0
	var absent []string
	for _, f := range e.Files {
		if f.Absent == "" {
			written++
		} else {
			absent = append(absent, f.Name)
		}
	}
	return pairs("written", written, "left_out", absent, "error", quoted(e.Error))
}

// subject is the first line of a message.
func subject(body string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(body), "\n")
	return oneLine(first, 60)
}

// short is enough of a digest to tell two specs apart.
func short(digest string) string { return digest[:min(6, len(digest))] }

func yes(v bool) string {
	if v {
		return "yes"
	}
	return ""
}

// set leaves an amount out that is not configured.
func set(v *float64) any {
	if v == nil {
		return nil
	}
	return v
}

func bytes(o *runner.Output) any {
	if o == nil {
		return nil
	}
	return o.Bytes
}
