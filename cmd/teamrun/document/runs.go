package document

import (
	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/host"
)

// RunsSchema names the schema of Runs.
const RunsSchema = "teamrun/ps/v1"

// Runs is what `teamrun ps --json` prints.
type Runs struct {
	Schema string `json:"schema"`
	Runs   []Run  `json:"runs"` // newest first
}

// Run is one run of ps.
type Run struct {
	ID       string              `json:"id"`
	Name     string              `json:"name"`    // of the team
	State    string              `json:"state"`   // live, interrupted, ended, unreadable
	Outcome  *string             `json:"outcome"` // null: not decided
	Exit     *int                `json:"exit"`    // null: not decided
	Reason   *string             `json:"reason"`
	Started  runner.Moment       `json:"started"`
	PID      *int                `json:"pid"`    // of the runner of a live run
	Host     *string             `json:"host"`   // where it runs
	Dir      string              `json:"dir"`    // work folder
	Folder   string              `json:"folder"` // of the run
	WallMS   int64               `json:"wall_ms"`
	Turns    int                 `json:"turns"`
	Messages int                 `json:"messages"`
	Failures int                 `json:"failures"`
	Cost     *float64            `json:"cost"` // USD; null: unknown
	Members  []runner.MemberView `json:"members"`
	Tasks    []runner.TaskView   `json:"tasks"`
}

// NewRun is the document of one run.
func NewRun(f host.Folder, s host.Status) Run {
	v := s.View
	run := Run{
		ID: f.ID(), Name: f.Meta().Team, State: string(s.State), Exit: v.Exit, Started: runner.Moment(f.Meta().Created),
		Dir: f.Meta().Dir, Folder: f.Path(), WallMS: v.WallMS, Turns: v.Turns, Messages: v.Messages,
		Failures: v.Failures, Cost: v.Cost, Members: v.Members, Tasks: v.Tasks,
		Outcome: present(string(v.Outcome)), Reason: present(string(v.Reason)),
	}
	if s.State == "live" {
		run.PID, run.Host = &s.Holder.PID, present(s.Holder.Host)
	}
	if run.Members == nil {
		run.Members = []runner.MemberView{}
	}
	if run.Tasks == nil {
		run.Tasks = []runner.TaskView{}
	}
	return run
}

// present is a text, null when it is empty.
func present(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
