package host

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/journal"
	"github.com/teamrun/teamrun/spec"
)

// world is a world of fakes: agents of kind "fake", processes and a finisher that
// do what a test says, and remember what they began, also for the next runner.
type world struct {
	turn  func(ctx context.Context, member string, p runner.Prompt, progress func(runner.TurnProgress)) runner.TurnEnded
	exec  func(ctx context.Context, o runner.ExecOrder) runner.ExecEnded // nil: exit 0
	start func(ctx context.Context, member string) runner.SessionStarted // nil: ok
	stop  func(member string)                                            // nil: at once
	// finish is what the finisher does besides; nil: nothing.
	finish func(ctx context.Context, out string)
	asked  func(e runner.Effect) runner.Answer // of what was begun and has not ended

	mu      sync.Mutex
	begun   map[string]int
	ended   map[string]runner.Event
	prompts []prompted
	stopped []string // members whose session was stopped
	result  runner.Result
}

// prompted is a prompt that was handed over.
type prompted struct {
	member string
	runner.Prompt
}

func newWorld() *world {
	return &world{begun: map[string]int{}, ended: map[string]runner.Event{}}
}

// copy is the world as a new runner finds it: it remembers and runs nothing.
func (w *world) copy() *world {
	w.mu.Lock()
	defer w.mu.Unlock()
	return &world{
		turn: w.turn, exec: w.exec, start: w.start, stop: w.stop, asked: w.asked, finish: w.finish,
		begun: maps.Clone(w.begun), ended: maps.Clone(w.ended), prompts: slices.Clone(w.prompts),
	}
}

func (w *world) world() runner.World {
	return runner.World{Kinds: []runner.Kind{fakeKind{w, true}, fakeKind{w, false}}, Exec: fakeExec{w}, Finisher: fakeFinisher{w}}
}

// begin notes that an effect is begun; did notes how it ended.
func (w *world) begin(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begun[id]++
}

func (w *world) did(id string, e runner.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended[id] = e
}

func (w *world) answer(e runner.Effect) runner.Answer {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.begun[e.ID] == 0:
		return runner.Answer{State: runner.AnswerNotStarted}
	case w.ended[e.ID] != nil:
		return runner.Answer{State: runner.AnswerEnded, Outcome: w.ended[e.ID]}
	case w.asked != nil:
		return w.asked(e)
	}
	return runner.Answer{State: runner.AnswerUnknown}
}

// promptsOf are the prompts a member got.
func (w *world) promptsOf(member string) []runner.Prompt {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []runner.Prompt
	for _, p := range w.prompts {
		if p.member == member {
			all = append(all, p.Prompt)
		}
	}
	return all
}

// fakeKind is "fake", which has sessions, or "plain", which has none.
type fakeKind struct {
	w        *world
	sessions bool
}

func (k fakeKind) Spec() spec.Kind {
	if k.sessions {
		return spec.Kind{Name: "fake", Sessions: true, Tools: true, Priced: true, Vias: []spec.Via{spec.ViaTool}}
	}
	return spec.Kind{Name: "plain", Priced: true, Vias: []spec.Via{spec.ViaExit, spec.ViaTool}}
}

func (k fakeKind) Open(p runner.Post) (runner.Agent, error) { return fakeAgent{k.w, p}, nil }

type fakeAgent struct {
	w    *world
	post runner.Post
}

func (a fakeAgent) Start(ctx context.Context, s runner.SessionOrder) runner.SessionStarted {
	if a.w.start != nil {
		return a.w.start(ctx, a.post.Member)
	}
	return runner.SessionStarted{OK: true}
}

func (a fakeAgent) Turn(ctx context.Context, p runner.Prompt, progress func(runner.TurnProgress)) runner.TurnEnded {
	a.w.begin(p.Effect)
	a.w.mu.Lock()
	a.w.prompts = append(a.w.prompts, prompted{a.post.Member, p})
	a.w.mu.Unlock()
	ended := a.w.turn(ctx, a.post.Member, p, progress)
	ended.Effect = p.Effect
	a.w.did(p.Effect, ended)
	return ended
}

func (a fakeAgent) Stop(context.Context, runner.SessionOrder) runner.SessionStopped {
	if a.w.stop != nil {
		a.w.stop(a.post.Member)
	}
	a.w.mu.Lock()
	defer a.w.mu.Unlock()
	a.w.stopped = append(a.w.stopped, a.post.Member)
	return runner.SessionStopped{}
}

func (a fakeAgent) Ask(_ context.Context, e runner.Effect) runner.Answer { return a.w.answer(e) }

type fakeExec struct{ w *world }

func (x fakeExec) Run(ctx context.Context, o runner.ExecOrder) runner.ExecEnded {
	x.w.begin(o.Effect)
	var ended runner.ExecEnded
	if x.w.exec != nil {
		ended = x.w.exec(ctx, o)
	}
	ended.Effect = o.Effect
	x.w.did(o.Effect, ended)
	return ended
}

func (x fakeExec) Ask(_ context.Context, e runner.Effect, _ runner.ExecOrder) runner.Answer {
	return x.w.answer(e)
}

type fakeFinisher struct{ w *world }

func (f fakeFinisher) Finish(ctx context.Context, effect string, r runner.Result, _ []spec.Artifact, out string) runner.FinishEnded {
	if f.w.finish != nil {
		f.w.finish(ctx, out)
	}
	f.w.mu.Lock()
	defer f.w.mu.Unlock()
	f.w.result = r
	return runner.FinishEnded{Effect: effect, OK: true, Files: []runner.ArtifactWritten{{Name: "x", Path: runner.Optional(filepath.Join(out, "x"))}}}
}

// done is a turn that ended well.
func done() runner.TurnEnded {
	return runner.TurnEnded{Stop: runner.StopEndTurn, Seen: runner.SeenYes}
}

// cancelled is a turn that was told to end.
func cancelled() runner.TurnEnded {
	return runner.TurnEnded{Stop: runner.StopCancelled, Seen: runner.SeenYes}
}

// newHome is an empty state home in a folder of the test.
func newHome(t *testing.T) Home {
	t.Helper()
	t.Setenv("XDG_RUNTIME_DIR", shortDir(t))
	h, err := FindHome(func(name string) string {
		if name == "TEAMRUN_HOME" {
			return filepath.Join(t.TempDir(), "home")
		}
		return ""
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// shortDir is a folder whose path is short enough for sockets.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "tr")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// born is when the runs of tests are made: when simulated time begins, so that it
// is never behind the run.
var born = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// newRun makes a run of the team that text says.
func newRun(t testing.TB, h Home, text string) Folder {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "team.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	team, problems := spec.Load(path, spec.LoadOptions{Kinds: newWorld().world().SpecKinds(), NeedParams: true})
	for _, p := range problems {
		if p.Severity == spec.Error {
			t.Fatal(p)
		}
	}
	f, err := h.NewRun(team, RunOptions{Dir: dir, Now: born})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// config is a run of f in world w.
func config(t testing.TB, f Folder, w *world) Config {
	t.Helper()
	team, problems := f.Team(w.world().SpecKinds())
	if team == nil {
		t.Fatal(problems)
	}
	return Config{Folder: f, Team: team, World: w.world()}
}

// noSocket is a server for tests in which time is simulated: waiting for a
// connection would stop it.
func noSocket(string, *engine) (func(), error) { return func() {}, nil }

// runQuietly runs f to its end without a socket.
func runQuietly(ctx context.Context, t testing.TB, f Folder, w *world) (runner.Result, error) {
	t.Helper()
	return run(ctx, config(t, f, w), openJournal, noSocket)
}

// records are the records of a run.
func records(t testing.TB, f Folder) []journal.Entry {
	t.Helper()
	r, err := f.Journal()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	all, err := r.Since(0, 100_000)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// kinds are the kinds of the records, in order.
func kinds(all []journal.Entry) string {
	var names []string
	for _, e := range all {
		names = append(names, e.Record.Event.EventKind())
	}
	return strings.Join(names, " ")
}

// simulate runs a test in simulated time. What needs the testing.T of the
// test itself is made before.
func simulate(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, test)
}
