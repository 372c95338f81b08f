package command

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/spec"
)

// member is a command member under test.
type member struct {
	t       *testing.T
	post    runner.Post
	grace   time.Duration
	reports []string
	refuse  error
	has     bool // a report that the program itself handed in
}

func newMember(t *testing.T, s *Settings) *member {
	run := t.TempDir()
	return &member{t: t, grace: stopGrace, post: runner.Post{
		Run: "run00001", Member: "ann", Settings: s, Via: spec.ViaExit,
		Dir: t.TempDir(), Folder: filepath.Join(run, "members", "ann"), RunFolder: run,
	}}
}

// newShell is a member that runs a line of sh.
func newShell(t *testing.T, line string) *member { return newMember(t, shell(line)) }

func (m *member) agent() *agent {
	m.t.Helper()
	a, err := kind{grace: m.grace}.Open(m.post)
	if err != nil {
		m.t.Fatal(err)
	}
	return a.(*agent)
}

// Send implements runner.Room.
func (m *member) Send(context.Context, []string, string) (string, error) { panic("not called") }

// Report implements runner.Room.
func (m *member) Report(_ context.Context, body json.RawMessage) error {
	if m.refuse != nil {
		return m.refuse
	}
	m.reports = append(m.reports, string(body))
	return nil
}

// Reported implements runner.Room.
func (m *member) Reported(context.Context) bool { return m.has }

func (m *member) prompt() runner.Prompt {
	return runner.Prompt{
		Effect: "2.1", Epoch: 1, Nth: 1, Task: "job", Round: 1, Mode: runner.ModeBrief,
		Text: "the prompt", RoomFile: "/room.json", Room: m,
	}
}

// turn takes a turn to its end.
func (m *member) turn(p runner.Prompt) runner.TurnEnded {
	m.t.Helper()
	return m.agent().Turn(m.t.Context(), p, func(runner.TurnProgress) {})
}

// begin begins a turn and returns once its process has printed something.
func (m *member) begin(ctx context.Context) <-chan runner.TurnEnded {
	m.t.Helper()
	ended, sign := make(chan runner.TurnEnded, 1), make(chan bool, 1)
	go func() {
		ended <- m.agent().Turn(ctx, m.prompt(), func(runner.TurnProgress) {
			select {
			case sign <- true:
			default:
			}
		})
	}()
	select {
	case <-sign:
	case got := <-ended:
		m.t.Fatalf("the turn ended without a sign: %+v", got)
	}
	return ended
}

// nobodyLeft fails when a process of the member lives.
func (m *member) nobodyLeft() {
	m.t.Helper()
	if left := living(m.post); len(left) > 0 {
		m.t.Errorf("still living: %v", left)
	}
}

// stdout is what the file of the turn's standard output holds.
func (m *member) stdout() string {
	m.t.Helper()
	b, err := os.ReadFile(filepath.Join(m.post.Folder, "1", "2.1", stdoutFile))
	if err != nil {
		m.t.Fatal(err)
	}
	return string(b)
}

// ask asks a new agent about the turn.
func (m *member) ask() runner.Answer {
	return m.agent().Ask(m.t.Context(), runner.Effect{ID: "2.1", Op: runner.TakeTurn{Member: "ann", Epoch: 1}})
}

// schema has one field.
func schema(typ, item string) *spec.Schema {
	return &spec.Schema{Name: "s", Fields: []spec.Field{{Name: "f", Type: typ, Item: item}}}
}

func valid(body json.RawMessage) bool { return json.Valid(body) }
