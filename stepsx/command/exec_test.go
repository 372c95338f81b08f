package command

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/teamrun/teamrun/runner"
)

// task is a run task under test.
type task struct {
	order runner.ExecOrder
}

func newTask(t *testing.T, argv ...string) *task {
	run := t.TempDir()
	hurry := make(chan struct{})
	close(hurry)
	return &task{runner.ExecOrder{
		Effect: "2.1", Task: "vet", Round: 1, Argv: argv, Dir: t.TempDir(),
		Folder: filepath.Join(run, "tasks", "vet", "1"), RunFolder: run, Hurry: hurry,
	}}
}

func (k *task) run(ctx context.Context) runner.ExecEnded { return NewExec().Run(ctx, k.order) }

func (k *task) ask() runner.Answer {
	return NewExec().Ask(context.Background(), runner.Effect{ID: k.order.Effect, Op: runner.RunExec{Task: "vet", Round: 1}}, k.order)
}

func TestExecEnds(t *testing.T) {
	for _, c := range []struct {
		name string
		argv []string
		want runner.ExecEnded
		head string
	}{
		{"zero", []string{"sh", "-c", "echo out; echo err >&2"}, runner.ExecEnded{Exit: 0}, "out\n"},
		{"three", []string{"sh", "-c", "echo out; echo err >&2; exit 3"}, runner.ExecEnded{Exit: 3, Text: "err"}, "out\n"},
		{"signal", []string{"sh", "-c", "echo err >&2; kill -9 $$"}, runner.ExecEnded{Exit: -1, Class: "exit", Text: "signal KILL\nerr"}, ""},
		{"not there", []string{"no-such-program"},
			runner.ExecEnded{Exit: 127, Class: "exit", Text: "no-such-program is not in PATH; install it or write its path"}, ""},
		{"a folder", []string{"/"}, runner.ExecEnded{Exit: 126, Class: "exit", Text: "/ is a folder"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := newTask(t, c.argv...).run(t.Context())
			out := got.Output
			got.Output, c.want.Effect = nil, "2.1"
			if got != c.want {
				t.Errorf("ended = %+v\nwant    %+v", got, c.want)
			}
			if out != nil && (out.Head != c.head || out.Path != "tasks/vet/1/2.1/stdout") {
				t.Errorf("output = %+v, want head %q", out, c.head)
			}
		})
	}
}

// TestExecIsCancelled: a task that was ended in order says so, also to a runner
// that asks later.
func TestExecIsCancelled(t *testing.T) {
	k := newTask(t, "sh", "-c", "echo $$ >pid; sleep 300 & wait")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan runner.ExecEnded)
	go func() { done <- k.run(ctx) }()
	for {
		if b, _ := os.ReadFile(filepath.Join(k.order.Dir, "pid")); len(b) > 0 {
			break
		}
		runtime.Gosched()
	}
	cancel()
	if got := <-done; got.Exit != -1 || got.Class != "cancelled" {
		t.Errorf("ended = %+v, want class cancelled", got)
	}
	if got, ok := k.ask().Outcome.(runner.ExecEnded); !ok || got.Class != "cancelled" {
		t.Errorf("asked later: %+v, want class cancelled", got)
	}
	if got := k.run(ctx); got.Class != "cancelled" {
		t.Errorf("begun when cancelled already: %+v, want class cancelled", got)
	}
}

// TestExecThatIsDoneAnywayIsNotCancelled: a task that comes to a good end of its
// own in the grace is done, and what it did is not done again.
func TestExecThatIsDoneAnywayIsNotCancelled(t *testing.T) {
	for _, c := range []struct {
		status string
		want   runner.ExecEnded
	}{
		{"0", runner.ExecEnded{Effect: "2.1", Exit: 0}},
		{"3", runner.ExecEnded{Effect: "2.1", Exit: -1, Class: "cancelled", Text: "told to end"}},
	} {
		k := newTask(t, "sh", "-c", "trap 'echo kept; exit "+c.status+"' TERM; echo $$ >pid; while :; do sleep 0.01; done")
		k.order.Hurry = nil
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan runner.ExecEnded)
		go func() { done <- k.run(ctx) }()
		for {
			if b, _ := os.ReadFile(filepath.Join(k.order.Dir, "pid")); len(b) > 0 {
				break
			}
			runtime.Gosched()
		}
		cancel()
		got := <-done
		got.Output = nil
		if got != c.want {
			t.Errorf("ended = %+v, want %+v", got, c.want)
		}
	}
}

// TestASecondBeginKeepsTheEvidence: what the first process was given and printed
// is not lost when the same effect is begun again.
func TestASecondBeginKeepsTheEvidence(t *testing.T) {
	k := newTask(t, "sh", "-c", "echo first")
	k.run(t.Context())
	k.run(t.Context())
	if b, _ := os.ReadFile(filepath.Join(k.order.Folder, k.order.Effect, stdoutFile)); string(b) != "first\n" {
		t.Errorf("of a task stdout holds %q", b)
	}
	m := newShell(t, "cat")
	m.turn(m.prompt())
	p := m.prompt()
	p.Text = "another"
	if got := m.turn(p); got.Class != "gone" {
		t.Errorf("again: %+v, want gone", got)
	}
	if b, _ := os.ReadFile(filepath.Join(m.post.Folder, "1", "2.1", promptFile)); string(b) != "the prompt" || m.stdout() != "the prompt" {
		t.Errorf("of a turn the prompt is %q, stdout %q", b, m.stdout())
	}
}

// TestSiblingsAreNotAdopted: a process that this one starts has the pipes of all
// others until it has become its program.
func TestSiblingsAreNotAdopted(t *testing.T) {
	self := os.Getpid()
	sibling, passing := entry{pid: 10, parent: self, start: 7}, entry{pid: 11, parent: 1, start: 7}
	older, escaped := entry{pid: 12, parent: 1, start: 4}, entry{pid: 13, parent: 1, start: 7}
	kin := newFamily(identity{Pid: 9, Start: 5, Group: 9}, "X=y", time.Time{})
	kin.adopt([]entry{sibling, passing, older, escaped}, []entry{sibling, older, escaped, {pid: 11, parent: 1, start: 8}})
	want := map[int]uint64{9: 5, 13: 7}
	if !maps.Equal(kin.known, want) {
		t.Errorf("known %v, want %v", kin.known, want)
	}
}

// TestExecNeverRunsTwice: the same effect again is refused, and so is one whose
// end is not known.
func TestExecNeverRunsTwice(t *testing.T) {
	k := newTask(t, "sh", "-c", "echo ran >>count")
	if got := k.ask(); got.State != runner.AnswerNotStarted {
		t.Errorf("before: %+v, want not_started", got)
	}
	first := k.run(t.Context())
	if got := k.run(t.Context()); got.Class != "unknown" || got.Exit != -1 {
		t.Errorf("again: %+v, want class unknown", got)
	}
	got := k.ask()
	ended, ok := got.Outcome.(runner.ExecEnded)
	if got.State != runner.AnswerEnded || !ok || ended.Exit != 0 || ended.Output.SHA256 != first.Output.SHA256 {
		t.Errorf("after: %+v, want the outcome it had", got)
	}
	f, err := openFolder(k.order.Folder, k.order.Effect, false)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	if got := f.marks().Program; !filepath.IsAbs(got) || filepath.Base(got) != "sh" {
		t.Errorf("the mark names the program %q, want the whole path of sh", got)
	}
	keepMarks(t, f, 2)
	if got := k.ask(); got.State != runner.AnswerGone {
		t.Errorf("without the outcome: %+v, want gone", got)
	}
}
