package main

import (
	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/host"
)

// status is how a run stands at this moment. What its runner wrote last is older:
// the clocks of a live run have gone on since, and a runner that was killed did
// not get to write what it had recorded.
func (a *app) status(f host.Folder) (host.Status, error) {
	status, err := f.Status()
	if err != nil {
		return status, err
	}
	unwritten := status.View.Seq == 0 // a runner that has just begun
	if unwritten || status.State != stateLive && status.State != stateEnded {
		if v, ok := a.recorded(f, status.View.Seq); ok {
			status.View = v
		}
	}
	if status.State == stateLive && status.View.Seq > 0 {
		status.View = status.View.Later(a.now().UnixMilli() - status.View.At)
	}
	return status, nil
}

// recorded is the view that the journal makes, if it holds more than seq records
// and this program can read them: else what was written last has to do.
func (a *app) recorded(f host.Folder, seq uint64) (runner.View, bool) {
	reader, err := f.Journal()
	if err != nil {
		return runner.View{}, false
	}
	defer reader.Close()
	if newer, err := reader.Since(seq, 1); err != nil || len(newer) == 0 {
		return runner.View{}, false
	}
	team, err := a.frozen(f)
	if err != nil {
		return runner.View{}, false
	}
	program, err := runner.Compile(team, kinds())
	if err != nil {
		return runner.View{}, false
	}
	machine := runner.New(program)
	for {
		entries, err := reader.Since(machine.Seq(), 500)
		if err != nil {
			return runner.View{}, false
		}
		if len(entries) == 0 {
			return machine.View(), true
		}
		for _, e := range entries {
			if _, err := machine.Step(e.Record); err != nil {
				return runner.View{}, false
			}
		}
	}
}
