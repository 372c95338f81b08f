package view

import (
	"strings"

	"github.com/teamrun/teamrun/runner"
)

// fact is the lines of one decision of the machine: those that no record shows
// already.
func (l *Log) fact(f runner.Fact, view func() runner.View) []Line {
	switch f.Kind {
	case "latched":
		return l.run("latched", pairs("outcome", f.Class, "reason", quoted(f.Text)))
	case "ended":
		return l.ended(view())
	case "turn_failed":
		return l.member(f.Member, f.Kind, pairs("turn", f.Turn, "task", f.Task, "class", f.Class))
	case "mail_refused", "mail_returned", "mail_unknown", "report_late", "passed_over", "recovery", "member_down":
		return l.member(f.Member, f.Kind, pairs("turn", f.Turn, "mail", f.Mail, "class", f.Class, "text", quoted(f.Text)))
	case "task_done", "task_failed", "task_skipped":
		return l.task(f.Task, strings.TrimPrefix(f.Kind, "task_"), pairs("class", f.Class, "reason", quoted(f.Text)))
	}
	return nil
}

func (l *Log) ended(v runner.View) []Line {
	var exit any
	if v.Exit != nil {
		exit = *v.Exit
	}
	return l.run("ended", pairs("outcome", v.Outcome, "exit", exit, "turns", v.Turns, "failures", v.Failures, "cost", v.Cost, "reason", quoted(v.Reason)))
}

// effect is the lines of work that begins.
func (l *Log) effect(e runner.Effect) []Line {
	l.remember(e)
	switch op := e.Op.(type) {
	case runner.Cancel:
		l.forget(op.Target)
	case runner.RunExec:
		return l.task(op.Task, "running", "")
	case runner.TakeTurn:
		var mail []string
		for _, d := range op.Mail {
			mail = append(mail, d.ID)
		}
		return l.member(op.Member, "turn", pairs("turn", e.ID, "epoch", op.Epoch, "task", op.Task, "mode", string(op.Mode), "mail", mail))
	}
	return nil
}
