package agenttest

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/teamrun/teamrun/runner"
)

// patience bounds what has to happen soon.
const patience = 20 * time.Second

// stage is one member with a room of its own.
type stage struct {
	t    *testing.T
	h    Harness
	post runner.Post
	room *room
}

func newStage(t *testing.T, h Harness, b Behavior) *stage {
	run := t.TempDir()
	hurry := make(chan struct{})
	close(hurry) // the grace is a matter of its own; here an ending is quick
	return &stage{t: t, h: h, room: &room{}, post: runner.Post{
		Run: "run00001", Member: "ann", Settings: h.Settings(t, b), Via: h.Kind.Spec().Vias[0],
		Dir: t.TempDir(), Folder: filepath.Join(run, "members", "ann"), RunFolder: run, Hurry: hurry,
	}}
}

// agent is a new agent of the member, as a new runner process opens it.
func (s *stage) agent() runner.Agent {
	s.t.Helper()
	a, err := s.h.Kind.Open(s.post)
	if err != nil {
		s.t.Fatalf("Open: %v", err)
	}
	return a
}

// started is an agent with a session.
func (s *stage) started() runner.Agent {
	s.t.Helper()
	a := s.agent()
	got := a.Start(s.t.Context(), runner.SessionOrder{Effect: "1.1", Epoch: 1, RoomFile: filepath.Join(s.post.Folder, "1", "room.json")})
	if got.Effect != "1.1" || !got.OK || got.Class != "" {
		s.t.Fatalf("Start = %+v, want ok for effect 1.1", got)
	}
	return a
}

func (s *stage) prompt(effect string) runner.Prompt {
	return runner.Prompt{
		Effect: effect, Epoch: 1, Nth: 1, Task: "job", Round: 1, Mode: runner.ModeBrief, Text: "do the job",
		Report: Schema(), RoomFile: filepath.Join(s.post.Folder, "1", "room.json"), Room: s.room,
	}
}

// effect is the effect of a prompt.
func effect(p runner.Prompt) runner.Effect {
	return runner.Effect{ID: p.Effect, Op: runner.TakeTurn{
		Member: "ann", Epoch: p.Epoch, Nth: p.Nth, Task: p.Task, Round: p.Round, Mode: p.Mode,
	}}
}

// turn takes a turn to its end.
func (s *stage) turn(a runner.Agent, p runner.Prompt) runner.TurnEnded {
	s.t.Helper()
	return s.begin(s.t.Context(), a, p).wait()
}

// open is a turn that was begun.
type open struct {
	s     *stage
	id    string
	signs chan runner.TurnProgress
	ended chan runner.TurnEnded
	mu    sync.Mutex
	over  bool
}

// begin begins a turn and watches that it signs only while it is open.
func (s *stage) begin(ctx context.Context, a runner.Agent, p runner.Prompt) *open {
	o := &open{s: s, id: p.Effect, signs: make(chan runner.TurnProgress, 1), ended: make(chan runner.TurnEnded, 1)}
	go func() {
		got := a.Turn(ctx, p, func(tp runner.TurnProgress) {
			o.mu.Lock()
			defer o.mu.Unlock()
			if o.over || tp.Effect != p.Effect {
				s.t.Errorf("progress %+v of turn %s, which is over: %v", tp, p.Effect, o.over)
			}
			select {
			case o.signs <- tp:
			default:
			}
		})
		o.mu.Lock()
		o.over = true
		o.mu.Unlock()
		o.ended <- got
	}()
	return o
}

// sign waits for a sign of life.
func (o *open) sign() {
	o.s.t.Helper()
	select {
	case <-o.signs:
	case got := <-o.ended:
		o.s.t.Fatalf("the turn ended without a sign: %+v", got)
	case <-time.After(patience):
		o.s.t.Fatal("no sign of life")
	}
}

// wait waits for the end of the turn, which must be a valid outcome.
func (o *open) wait() runner.TurnEnded {
	o.s.t.Helper()
	select {
	case got := <-o.ended:
		if problem := invalid(got, o.id); problem != "" {
			o.s.t.Fatalf("outcome %+v: %s", got, problem)
		}
		return got
	case <-time.After(patience):
		o.s.t.Fatal("the turn does not end")
		panic("unreachable")
	}
}

// invalid says what is wrong with an outcome.
func invalid(e runner.TurnEnded, id string) string {
	stops := []string{runner.StopEndTurn, runner.StopMaxTokens, runner.StopRefusal, runner.StopCancelled, runner.StopError}
	switch {
	case e.Effect != id:
		return "it is of another effect"
	case !slices.Contains(stops, e.Stop):
		return "its stop is not known"
	case e.Stop == runner.StopError && e.Class == "":
		return "an error without a class"
	case e.Stop == runner.StopEndTurn && e.Class != "":
		return "a class without an error"
	case e.Seen != runner.SeenYes && e.Seen != runner.SeenNo && e.Seen != runner.SeenUnknown:
		return "seen is not set"
	case e.Output != nil && strings.ContainsAny(e.Output.Head, "\x1b\x00\x07"):
		return "control characters in the head of the output"
	case e.Output != nil && (filepath.IsAbs(e.Output.Path) || len(e.Output.SHA256) != 64):
		return "no digest of the output, or its path is not relative"
	}
	return ""
}

// room takes what a member sends and reports.
type room struct {
	mu      sync.Mutex
	refuse  error
	reports []string
	mail    []string
}

// Send implements runner.Room.
func (r *room) Send(_ context.Context, to []string, body string) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refuse != nil {
		return "", r.refuse
	}
	r.mail = append(r.mail, strings.Join(to, ",")+": "+body)
	return "1", nil
}

// Report implements runner.Room.
func (r *room) Report(_ context.Context, body json.RawMessage) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refuse != nil {
		return r.refuse
	}
	r.reports = append(r.reports, string(body))
	return nil
}

// Reported implements runner.Room.
func (r *room) Reported(context.Context) bool { return len(r.got()) > 0 }

func (r *room) got() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.reports)
}

var _ runner.Room = (*room)(nil)
