package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/safe"
	"github.com/teamrun/teamrun/spec"
)

// agent runs the turns of one member.
type agent struct {
	post     runner.Post
	settings *Settings
	grace    time.Duration

	mu   sync.Mutex
	left []string // of turns, what could not be ended
}

// Start implements runner.Agent: there is nothing to start. The folder of the
// session is made, so that Ask can tell a lost one from an unused one.
func (a *agent) Start(_ context.Context, s runner.SessionOrder) runner.SessionStarted {
	if err := os.MkdirAll(filepath.Join(a.post.Folder, strconv.Itoa(s.Epoch)), 0o700); err != nil {
		return runner.SessionStarted{Effect: s.Effect, Class: "crashed", Text: safe.Text(err.Error())}
	}
	return runner.SessionStarted{Effect: s.Effect, OK: true}
}

// Stop implements runner.Agent: each turn has ended its own process.
func (a *agent) Stop(_ context.Context, s runner.SessionOrder) runner.SessionStopped {
	a.mu.Lock()
	defer a.mu.Unlock()
	left := a.left
	a.left = nil
	return runner.SessionStopped{Effect: s.Effect, Escaped: left}
}

// Turn implements runner.Agent.
func (a *agent) Turn(ctx context.Context, p runner.Prompt, progress func(runner.TurnProgress)) runner.TurnEnded {
	if ctx.Err() != nil {
		return runner.TurnEnded{Effect: p.Effect, Stop: runner.StopCancelled, Seen: runner.SeenNo, Cost: new(float64)}
	}
	f, err := openFolder(a.post.Folder, turnFolder(p.Epoch, p.Effect), true)
	if err != nil {
		return a.failed(p.Effect, err)
	}
	defer f.close()
	secrets := safe.Environment(a.post.Env)
	clean := cleaner(secrets)
	told := &signs{effect: p.Effect, tell: progress, clean: clean}
	end := a.launch(p, f, told, secrets).run(ctx)
	a.leaves(end.left)
	ended := a.outcome(p.Effect, f, end, clean)
	if p.Report != nil && a.post.Via != spec.ViaTool && ended.Stop == runner.StopEndTurn && !p.Room.Reported(ctx) {
		a.report(ctx, p, f, end.stdout, &ended)
	}
	if !end.again && end.refused == nil {
		_ = f.add(mark{Turn: &ended}) // without it Ask knows less, and says so
	}
	return ended
}

// leaves notes what could not be ended, until the session stops.
func (a *agent) leaves(left []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.left = append(a.left, left...)
}

func turnFolder(epoch int, effect string) string {
	return filepath.Join(strconv.Itoa(epoch), effect)
}

func (a *agent) launch(p runner.Prompt, f *folder, told *signs, secrets *safe.Redactor) launch {
	argv := make([]string, len(a.settings.Run))
	for i, word := range a.settings.Run {
		argv[i] = word.String()
	}
	own := []string{"TEAMRUN_ROOM=" + p.RoomFile, "TEAMRUN_TURN=" + p.Effect}
	stdin := promptFile
	if a.settings.Prompt == promptFileMode {
		own = append(own, "TEAMRUN_PROMPT="+filepath.Join(f.path, promptFile))
		stdin = ""
	}
	return launch{
		argv: argv, dir: a.post.Dir, prompt: &p.Text, env: environ(os.Environ(), a.post.Env, own, a.post.Bin), stdin: stdin,
		folder: f, grace: a.grace, hurry: a.post.Hurry, printed: told.printed, secrets: secrets,
	}
}

// outcome is what the end of the process means for the turn, apart from its
// report.
func (a *agent) outcome(effect string, f *folder, end ending, clean func(string) string) runner.TurnEnded {
	t := runner.TurnEnded{Effect: effect, Stop: runner.StopError, Seen: runner.SeenYes, Cost: new(float64)}
	switch {
	case end.again:
		t.Class, t.Seen, t.Cut = "gone", runner.SeenUnknown, true
		t.Text = "the turn was begun before; it is not run a second time"
		return t
	case end.refused != nil && end.status == 0:
		return a.failed(effect, end.refused)
	case end.refused != nil:
		t.Class, t.Code, t.Seen = "exit", "exit "+strconv.Itoa(end.status), runner.SeenNo
		t.Text = safe.Text(end.refused.Error())
		return t
	case end.stopped:
		t.Stop = runner.StopCancelled
	case end.signal != "":
		t.Class, t.Code, t.Text = "exit", "signal "+end.signal, end.stderr.ending(clean)
	case end.status != 0:
		t.Class, t.Code, t.Text = "exit", "exit "+strconv.Itoa(end.status), end.stderr.ending(clean)
	default:
		t.Stop = runner.StopEndTurn
	}
	t.Output = end.stdout.output(relative(a.post.RunFolder, f, stdoutFile), clean)
	if len(end.left) > 0 {
		t.Text = strings.TrimSpace(t.Text + "\nleft running: " + strings.Join(end.left, ", "))
	}
	return t
}

// failed is a turn this machine could not begin.
func (a *agent) failed(effect string, err error) runner.TurnEnded {
	return runner.TurnEnded{
		Effect: effect, Stop: runner.StopError, Class: "crashed", Seen: runner.SeenNo,
		Text: safe.Text(err.Error()), Cost: new(float64),
	}
}

// report hands the output in as the report of the turn, where it can be one.
func (a *agent) report(ctx context.Context, p runner.Prompt, f *folder, out *capture, ended *runner.TurnEnded) {
	body, err := asReport(a.settings.Output, p.Report, out.plain)
	if err == nil && body != nil {
		err = p.Room.Report(ctx, body)
	}
	var refused *runner.Refusal
	switch {
	case err == nil && !takes(a.settings.Output, p.Report):
		ended.Text = wrongForm(a.settings.Output) // the reason, where no report came by the room
		return
	case err == nil:
		return
	case ctx.Err() != nil:
		ended.Stop = runner.StopCancelled
		return
	case errors.As(err, &refused) || errors.Is(err, errNoReport):
		ended.Class = "no_report"
	default:
		ended.Class = "crashed"
	}
	ended.Stop = runner.StopError
	ended.Text = safe.Text(fmt.Sprintf("the output is not the report: %v", err))
}

// Ask implements runner.Agent. It ends what an earlier runner process left
// running of the turn. Without the folder of the session, which was made when it
// started, nothing can be said.
func (a *agent) Ask(_ context.Context, effect runner.Effect) runner.Answer {
	turn, ok := effect.Op.(runner.TakeTurn)
	if !ok {
		return runner.Answer{State: runner.AnswerNotStarted} // sessions hold nothing
	}
	if _, err := os.Stat(filepath.Join(a.post.Folder, strconv.Itoa(turn.Epoch))); err != nil {
		gone := &folder{path: filepath.Join(a.post.Folder, turnFolder(turn.Epoch, effect.ID))}
		a.leaves(marks{}.endLeftovers(gone, a.grace, a.post.Hurry))
		return runner.Answer{State: runner.AnswerUnknown, Seen: runner.SeenUnknown}
	}
	f, err := openFolder(a.post.Folder, turnFolder(turn.Epoch, effect.ID), false)
	if err != nil {
		return missing(err)
	}
	defer f.close()
	known := f.marks()
	if !known.begun {
		return runner.Answer{State: runner.AnswerNotStarted, Seen: runner.SeenNo}
	}
	a.leaves(known.endLeftovers(f, a.grace, a.post.Hurry))
	if known.Turn != nil && known.Turn.Effect == effect.ID {
		return runner.Answer{State: runner.AnswerEnded, Outcome: *known.Turn}
	}
	return runner.Answer{State: runner.AnswerGone, Seen: runner.SeenUnknown, Cost: new(float64)}
}
