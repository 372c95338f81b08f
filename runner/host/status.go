package host

import (
	"encoding/json"
	"os"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/teamrun/teamrun/runner"
)

// The states of a run as Status says them.
const (
	stateLive        = "live"
	stateInterrupted = "interrupted"
	stateEnded       = "ended"
)

// Status is a run from outside.
type Status struct {
	State string // live, interrupted or ended
	// View is the last that was written; it may be some tenths of a second old.
	View   runner.View
	Holder Holder // the runner of a live run
}

// Holder is the runner process of a live run.
type Holder struct {
	PID   int
	Host  string
	Since int64 // Unix time in milliseconds
}

const statusName = "status.json"

// statusText is status.json.
type statusText struct {
	Schema string      `json:"schema"`
	State  string      `json:"state"` // as far as the runner that wrote it knew
	View   runner.View `json:"view"`
}

const statusSchema = "teamrun/status/v1"

// statusEvery is how often status.json is written at most.
const statusEvery = 250 * time.Millisecond

// statusFile writes status.json. It is derived from the journal, so a failure to
// write it ends nothing.
type statusFile struct {
	root  *os.Root
	log   hclog.Logger
	next  *time.Timer
	armed bool
	last  time.Time
}

func newStatusFile(root *os.Root, log hclog.Logger) *statusFile {
	s := &statusFile{root: root, log: log, next: time.NewTimer(time.Hour)}
	s.next.Stop()
	return s
}

// changed makes sure that the file is written soon.
func (s *statusFile) changed() {
	if !s.armed {
		s.armed = true
		s.next.Reset(max(0, statusEvery-time.Since(s.last)))
	}
}

// due delivers when the file has to be written.
func (s *statusFile) due() <-chan time.Time { return s.next.C }

func (s *statusFile) write(v runner.View, state string) {
	s.armed, s.last = false, time.Now()
	text, err := json.Marshal(statusText{statusSchema, state, v})
	if err == nil {
		err = writeState(s.root, statusName, append(text, '\n'), false)
	}
	if err != nil {
		s.log.Warn("status.json could not be written", "error", err)
	}
}

// Status says how a run stands, without disturbing it: from the lock, which
// the kernel keeps true, and from what its runner last wrote.
func (f Folder) Status() (Status, error) {
	root, err := f.open()
	if err != nil {
		return Status{}, err
	}
	defer root.Close()
	h, held, err := probe(root)
	if err != nil {
		return Status{}, f.unreadable(err)
	}
	s := Status{State: stateInterrupted, View: runner.View{Run: f.meta.ID, Team: f.meta.Team, Started: f.meta.Created}}
	// A broken file is no reason to fail: the next runner writes it anew.
	var text statusText
	if data, err := readState(root, statusName); err == nil && json.Unmarshal(data, &text) == nil && text.Schema == statusSchema {
		s.View = text.View
	}
	ended, err := f.concluded(root)
	switch {
	case err != nil:
		return Status{}, err
	case ended:
		s.State = stateEnded
	case held:
		s.State, s.Holder = stateLive, Holder{h.PID, h.Host, h.Since}
	}
	return s, nil
}
