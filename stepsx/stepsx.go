// Package stepsx is the world as this build knows it: everything that can
// perform effects, one folder per technology below it.
package stepsx

import (
	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/stepsx/command"
	"github.com/teamrun/teamrun/stepsx/report"
	"github.com/teamrun/teamrun/stepsx/scripted"
)

// Standard is the world of this build: its kinds of agents, run tasks and
// artifacts.
func Standard() runner.World {
	return runner.World{
		Kinds:    []runner.Kind{scripted.New(), command.New()},
		Exec:     command.NewExec(),
		Finisher: report.New(),
	}
}
