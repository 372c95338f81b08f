package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/teamrun/teamrun/cmd/teamrun/view"
	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/host"
	"github.com/teamrun/teamrun/spec"
)

// conduct drives a run in this process until it ends or is interrupted.
func (a *app) conduct(ctx context.Context, f host.Folder, team *spec.Team, attended, down bool) (runner.Result, error) {
	exe, err := os.Executable()
	if err != nil {
		return runner.Result{}, &failure{exit: exitEnv, code: "environment", msg: "the path of the teamrun program is unknown: " + err.Error()}
	}
	p := a.newProgress(team, f)
	wishes := listen(ctx, func() { p.say("saving; a second ctrl-c ends everything at once\n") })
	defer wishes.stop()
	beats, quiet := context.WithCancel(ctx)
	go p.beat(beats)

	result, err := host.Run(wishes.ctx, host.Config{
		Folder: f, Team: team, World: world(), Log: a.log(), Human: attended,
		Watch: p.step, Hurry: wishes.hurry, Down: down, Exe: exe,
	})
	quiet()
	interrupted := errors.Is(err, host.ErrInterrupted)
	if interrupted {
		p.say(fmt.Sprintf("interrupted; teamrun resume %s\n", f.ID()))
	}
	p.close()
	if interrupted {
		return result, wishes.exit()
	}
	return result, err
}

// tell prints a result: the data a verb was called for.
func (a *app) tell(f host.Folder, r runner.Result, asJSON bool) error {
	if asJSON {
		return a.printJSON(r)
	}
	a.print(view.Summary(r, f.Path(), a.style(a.out)))
	return nil
}

// finish prints a result and ends the program with the run's exit code.
func (a *app) finish(f host.Folder, r runner.Result, asJSON bool) error {
	if err := a.tell(f, r, asJSON); err != nil {
		return err
	}
	if r.Exit != 0 {
		return exitCode(r.Exit)
	}
	return nil
}

// frozen loads the team as it was when the run began.
func (a *app) frozen(f host.Folder) (*spec.Team, error) {
	team, problems := f.Team(kinds())
	if team == nil {
		msg := "the spec in the run's folder cannot be read again"
		if len(problems) > 0 {
			msg += ": " + problems[0].String()
		}
		return nil, &failure{exit: exitState, code: "state-unusable", msg: msg,
			hints: []string{"resume with the teamrun that started the run, or start a new one"}}
	}
	return team, nil
}
