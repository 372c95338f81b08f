package host

import (
	"github.com/hashicorp/go-hclog"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/spec"
)

// Config is what a run is run with.
type Config struct {
	Folder Folder
	Team   *spec.Team // as frozen in Folder, see Folder.Team
	World  runner.World
	Log    hclog.Logger // nil: none
	// Human: somebody can be asked under this lease.
	Human bool
	// Watch, when not nil, is shown every record once it is durable. It is called
	// by the loop and must return at once.
	Watch func(Step)
	// Hurry is closed when the person wants everything ended now.
	Hurry <-chan struct{}
	// Down ends the run for good: control{down} is recorded right behind the lease.
	Down bool
	// Exe is the path of the teamrun program, for agents that look for its room
	// verbs.
	Exe string
}

// Step is one record and what followed from it.
type Step struct {
	Record  runner.Record
	Facts   []runner.Fact
	Effects []runner.Effect
	// Held: the run is being interrupted, so Effects are recorded and not begun.
	Held bool
	// View is the run after the batch of the record; zero for replayed records.
	View     runner.View
	Replayed bool
}
