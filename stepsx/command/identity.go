package command

import (
	"fmt"
	"os"
)

// identity proves that a process is the one that was started. A pid alone is
// no proof, because the system uses pids again.
type identity struct {
	Boot  string `json:"boot"`
	Pid   int    `json:"pid"`
	Start uint64 `json:"start"` // when it started, in the platform's own unit
	Group int    `json:"pgid"`
}

// entry is one row of the system's table of processes.
type entry struct {
	pid, parent, group int
	start              uint64
	dead               bool // ended, and only waiting to be reaped
	name               string
}

func (e entry) String() string { return fmt.Sprintf("pid %d (%s)", e.pid, e.name) }

// identify reads the identity of a process that was just started and not yet
// reaped.
func identify(pid int) (identity, error) {
	boot, err := boot()
	if err != nil {
		return identity{}, err
	}
	e, ok := lookup(pid)
	if !ok {
		return identity{}, fmt.Errorf("process %d is not in the system's table", pid)
	}
	return identity{Boot: boot, Pid: pid, Start: e.start, Group: pid}, nil
}

// is reports whether the row is the very process of the identity.
func (id identity) is(e entry) bool { return e.pid == id.Pid && e.start == id.Start }

// leads reports whether the identity, read back from a file, can be one that
// identify gave: the leader of a group of its own, and neither init nor this
// process.
func (id identity) leads() bool { return id.Pid > 1 && id.Pid != os.Getpid() && id.Group == id.Pid }
