package runner

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Optional is a text that may be absent: null in JSON and never left out.
type Optional string

// MarshalJSON implements json.Marshaler.
func (o Optional) MarshalJSON() ([]byte, error) {
	if o == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(o))
}

// UnmarshalJSON implements json.Unmarshaler.
func (o *Optional) UnmarshalJSON(b []byte) error {
	if bytes.Equal(b, []byte("null")) {
		*o = ""
		return nil
	}
	return json.Unmarshal(b, (*string)(o))
}

// View is a run as people see it: a copy that nobody else changes. It is what
// ps, the progress lines and status.json show.
type View struct {
	Run      string       `json:"run"`
	Team     string       `json:"team"`
	State    string       `json:"state"` // running latched stopping finishing ended
	Seq      uint64       `json:"seq"`
	At       int64        `json:"at"`      // time of the last record, Unix ms
	Started  int64        `json:"started"` // Unix ms
	WallMS   int64        `json:"wall_ms"` // used, under a lease
	Outcome  Optional     `json:"outcome"`
	Exit     *int         `json:"exit"` // null until the run is latched
	Reason   Optional     `json:"reason"`
	Turns    int          `json:"turns"`
	Messages int          `json:"messages"`
	Failures int          `json:"failures"`
	Cost     *float64     `json:"cost"` // null: unknown
	Limits   LimitValues  `json:"limits"`
	Members  []MemberView `json:"members"` // in the order of the spec
	Tasks    []TaskView   `json:"tasks"`   // in the order of the spec
}

// Later is the view ms milliseconds after its last record, in which nothing was
// recorded: the clocks that run have gone on.
func (v View) Later(ms int64) View {
	if ms <= 0 || v.State == "ended" {
		return v
	}
	v.WallMS += ms
	v.Tasks = slices.Clone(v.Tasks)
	for i := range v.Tasks {
		// A ready task that ran before is between two tries.
		if t := &v.Tasks[i]; t.State == taskRunning || t.State == taskReady && t.TookMS > 0 {
			t.TookMS += ms
		}
	}
	return v
}

// MemberView is a member as people see it.
type MemberView struct {
	Name     string   `json:"name"`
	Manager  Optional `json:"manager"`
	Kind     string   `json:"kind"`
	State    string   `json:"state"` // waiting starting idle working backoff down closed
	Epoch    int      `json:"epoch"`
	Task     Optional `json:"task"` // at work on
	Turns    int      `json:"turns"`
	Failures int      `json:"failures"`
	Unread   int      `json:"unread"`
	Reported bool     `json:"reported"`
	Cost     *float64 `json:"cost"`
}

// TaskView is a task as people see it.
type TaskView struct {
	Name   string   `json:"name"`
	State  string   `json:"state"` // waiting ready running done failed skipped; in a result also not_run
	Round  int      `json:"round"`
	For    []string `json:"for"`     // null: a run task
	Run    []string `json:"run"`     // null: a task of members
	Reason Optional `json:"reason"`  // why it failed or was skipped
	Class  Optional `json:"class"`   // of the failure
	TookMS int64    `json:"took_ms"` // from running to its end, without the time no runner was there
}

// Fact is something the machine decided in a step: not a record, but rebuilt
// by every replay. Logs and progress show facts beside the records.
type Fact struct {
	Kind   string `json:"fact"` // task_ready task_running task_done … turn_failed … ended
	Member string `json:"member,omitempty"`
	Task   string `json:"task,omitempty"`
	Turn   string `json:"turn,omitempty"`
	Mail   string `json:"mail,omitempty"`
	Class  string `json:"class,omitempty"`
	Text   string `json:"text,omitempty"` // for people
}

// Result is what a run ends with.
type Result struct {
	Schema   string        `json:"schema"` // teamrun/result/v1
	Run      string        `json:"run"`
	Team     string        `json:"team"`
	Outcome  string        `json:"outcome"` // success failure stuck error cancelled limit human
	Exit     int           `json:"exit"`
	Reason   string        `json:"reason"`
	Why      Why           `json:"why"`
	Started  Moment        `json:"started"`
	Ended    Moment        `json:"ended"`
	WallMS   int64         `json:"wall_ms"`
	Turns    int           `json:"turns"`
	Messages int           `json:"messages"`
	Failures int           `json:"failures"`
	Cost     *float64      `json:"cost"` // USD; null: unknown
	Members  []MemberView  `json:"members"`
	Tasks    []TaskResult  `json:"tasks"`
	Findings []FindingView `json:"findings"`
	// Artifacts is filled by the host once finish has ended.
	Artifacts []ArtifactWritten `json:"artifacts"`
	FinishErr Optional          `json:"finish_error"`
}

// TaskResult is a task with what it produced.
type TaskResult struct {
	TaskView
	Report  map[string]any            `json:"report"`  // of a single performer; null: none
	Reports map[string]map[string]any `json:"reports"` // of several performers, by member
	Exit    *int                      `json:"exit"`    // of a run task; null: it did not exit
	Output  *Output                   `json:"output"`  // of a run task
}

// FindingView is one finding and who reported it.
type FindingView struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Severity  string `json:"severity"` // error warning note
	Title     string `json:"title"`
	Detail    string `json:"detail"`
	Confirmed bool   `json:"confirmed"`
	Task      string `json:"task"`
	Member    string `json:"member"`
}

// Why says what ended a run: the stop that was taken, what each stop was worth
// at that moment, and which operands were missing.
type Why struct {
	By    string    `json:"by"` // stop, limit, stuck, all_tasks, down
	Stop  *int      `json:"stop"`
	Limit Optional  `json:"limit"` // wall turns messages cost
	Stops []WhyStop `json:"stops"`
}

// WhyStop is one stop at the moment the run was latched.
type WhyStop struct {
	Index    int          `json:"index"`
	Outcome  string       `json:"outcome"`
	When     string       `json:"when"`
	Truth    string       `json:"truth"` // true false unknown error
	Error    Optional     `json:"error"`
	Operands []WhyOperand `json:"operands"`
}

// WhyOperand is one value a condition read.
type WhyOperand struct {
	Path  string `json:"path"`
	State string `json:"state"` // present absent never
	Value any    `json:"value"` // null unless present
}
