package command

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/safe"
)

type executor struct{ grace time.Duration }

// NewExec performs run tasks: like a turn of a command member, with nothing on
// standard input.
func NewExec() runner.Exec { return executor{grace: stopGrace} }

// Run implements runner.Exec.
func (x executor) Run(ctx context.Context, o runner.ExecOrder) runner.ExecEnded {
	e := runner.ExecEnded{Effect: o.Effect, Exit: -1}
	if ctx.Err() != nil {
		e.Class, e.Text = "cancelled", "told to end before it began"
		return e
	}
	f, err := openFolder(o.Folder, o.Effect, true)
	if err != nil {
		e.Class, e.Text = "crashed", safe.Text(err.Error())
		return e
	}
	defer f.close()
	secrets := safe.Environment(o.Env)
	clean := cleaner(secrets)
	end := launch{
		argv: o.Argv, dir: o.Dir, env: environ(os.Environ(), o.Env, nil, o.Bin),
		folder: f, grace: x.grace, hurry: o.Hurry, printed: func([]byte) {}, secrets: secrets,
	}.run(ctx)
	switch {
	case end.again:
		e.Class, e.Text = "unknown", "the task was begun before; it is not run a second time"
		return e
	case end.refused != nil && end.status == 0:
		e.Class, e.Text = "crashed", safe.Text(end.refused.Error())
		return e
	case end.refused != nil:
		e.Exit, e.Class, e.Text = end.status, "exit", safe.Text(end.refused.Error())
		return e
	case end.stopped && (end.signal != "" || end.status != 0): // 0: it was done all the same
		e.Class, e.Text = "cancelled", "told to end"
	case end.signal != "":
		e.Class, e.Text = "exit", strings.TrimSpace("signal "+end.signal+"\n"+end.stderr.ending(clean))
	default:
		e.Exit = end.status
		if e.Exit != 0 {
			e.Text = end.stderr.ending(clean)
		}
	}
	e.Output = end.stdout.output(relative(o.RunFolder, f, stdoutFile), clean)
	if len(end.left) > 0 {
		e.Text = strings.TrimSpace(e.Text + "\nleft running: " + strings.Join(end.left, ", "))
	}
	_ = f.add(mark{Exec: &e}) // without it Ask knows less, and says so
	return e
}

// Ask implements runner.Exec. A task that was begun is never begun again.
func (x executor) Ask(_ context.Context, effect runner.Effect, o runner.ExecOrder) runner.Answer {
	f, err := openFolder(o.Folder, effect.ID, false)
	if err != nil {
		return missing(err)
	}
	defer f.close()
	known := f.marks()
	if !known.begun {
		return runner.Answer{State: runner.AnswerNotStarted}
	}
	known.endLeftovers(f, x.grace, o.Hurry)
	if known.Exec != nil && known.Exec.Effect == effect.ID {
		return runner.Answer{State: runner.AnswerEnded, Outcome: *known.Exec}
	}
	return runner.Answer{State: runner.AnswerGone}
}
