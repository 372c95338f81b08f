package command

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/teamrun/teamrun/runner"
)

// TestMain lets the test binary be a runner process that can be killed: with
// CRASH_RUNNER it takes a turn in the folders that names, and says when its
// process has printed.
func TestMain(m *testing.M) {
	if at := os.Getenv("CRASH_RUNNER"); at != "" {
		crashRunner(at)
		return
	}
	os.Exit(m.Run())
}

func crashRunner(at string) {
	a, err := New().Open(runner.Post{
		Member: "ann", Settings: shell(os.Getenv("CRASH_SCRIPT")), Dir: at, Folder: filepath.Join(at, "ann"), RunFolder: at,
	})
	if err != nil {
		panic(err)
	}
	a.Turn(context.Background(), runner.Prompt{Effect: "2.1", Epoch: 1, Text: "x"}, func(runner.TurnProgress) { fmt.Println("sign") })
	fmt.Println("ended")
}

// killed is a member whose runner process was killed while its turn ran.
func killed(t *testing.T, line string) *member {
	t.Helper()
	at := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "CRASH_RUNNER="+at, "CRASH_SCRIPT="+line)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said, err := bufio.NewReader(out).ReadString('\n')
	if said != "sign\n" {
		t.Fatalf("the runner said %q, %v", said, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	m := newShell(t, line)
	m.post.Dir, m.post.Folder, m.post.RunFolder = at, filepath.Join(at, "ann"), at
	if left := living(m.post); len(left) == 0 {
		t.Fatal("nothing outlived the runner: the test proves nothing")
	}
	return m
}

const outlives = `trap '' PIPE; echo here; sleep 300 & setsid sleep 300 & wait`

// TestC01_LeftoversOfAKilledRunnerAreEnded: what a runner killed with -9 left
// running is ended by the next, and the turn is gone, never begun again.
func TestC01_LeftoversOfAKilledRunnerAreEnded(t *testing.T) {
	m := killed(t, outlives)
	for range 2 { // asking twice is asking once
		if got := m.ask(); got.State != runner.AnswerGone || got.Seen != runner.SeenUnknown {
			t.Errorf("Ask = %+v, want gone, seen unknown", got)
		}
		m.nobodyLeft()
	}
	if got := m.turn(m.prompt()); got.Class != "gone" || !got.Cut {
		t.Errorf("the same effect again = %+v, want class gone", got)
	}
}

// TestC01_ALostFolderIsUnknown: when somebody removed the folder of a session
// that was started, nobody can say that its turn was never begun. What it left
// running is ended all the same.
func TestC01_ALostFolderIsUnknown(t *testing.T) {
	m := killed(t, outlives)
	if err := os.RemoveAll(m.post.Folder); err != nil {
		t.Fatal(err)
	}
	if got := m.ask(); got.State != runner.AnswerUnknown || got.Seen != runner.SeenUnknown {
		t.Errorf("Ask = %+v, want unknown", got)
	}
	m.nobodyLeft()
}

// TestKilledBetweenStartAndMark: without the mark of the process the label
// still tells who is ours.
func TestKilledBetweenStartAndMark(t *testing.T) {
	m := killed(t, outlives)
	f, err := openFolder(m.post.Folder, turnFolder(1, "2.1"), false)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	keepMarks(t, f, 1)
	if got := m.ask(); got.State != runner.AnswerGone {
		t.Errorf("Ask = %+v, want gone", got)
	}
	m.nobodyLeft()
}

// TestForeignProcessesAreNeverSignalled: a pid alone proves nothing, and
// neither does what was started before another boot.
func TestForeignProcessesAreNeverSignalled(t *testing.T) {
	foreign := exec.Command("sleep", "300")
	foreign.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := foreign.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = foreign.Process.Kill(); _ = foreign.Wait() }()
	real, err := identify(foreign.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*identity){
		"pid used again": func(id *identity) { id.Start++ },
		"an older start": func(id *identity) { id.Start-- },
		"another boot":   func(id *identity) { id.Boot = "another" },
	} {
		t.Run(name, func(t *testing.T) {
			m := newShell(t, `exit 0`)
			f, err := openFolder(m.post.Folder, turnFolder(1, "2.1"), true)
			if err != nil {
				t.Fatal(err)
			}
			defer f.close()
			id := real
			change(&id)
			if err := f.intend("sleep"); err != nil {
				t.Fatal(err)
			}
			if err := f.add(mark{Process: &id}); err != nil {
				t.Fatal(err)
			}
			if got := m.ask(); got.State != runner.AnswerGone {
				t.Errorf("Ask = %+v, want gone", got)
			}
			if e, ok := lookup(foreign.Process.Pid); !ok || e.dead {
				t.Fatal("a foreign process was ended")
			}
		})
	}
}

// TestLeaderOfMarks: what a mark cannot honestly hold makes nobody the leader.
// Nothing is signalled here: the process groups 0 and 1 mean everybody to the
// system.
func TestLeaderOfMarks(t *testing.T) {
	good := identity{Boot: "b", Pid: 4711, Start: 9, Group: 4711}
	self := identity{Boot: "b", Pid: os.Getpid(), Group: os.Getpid()}
	for _, c := range []struct {
		name string
		mark *identity
		want identity
		gone bool
	}{
		{"good", &good, good, false},
		{"none", nil, identity{}, false},
		{"another boot", &identity{Boot: "a", Pid: 4711, Start: 9, Group: 4711}, identity{}, true},
		{"init", &identity{Boot: "b", Pid: 1, Group: 1}, identity{}, false},
		{"nobody", &identity{Boot: "b"}, identity{}, false},
		{"everybody", &identity{Boot: "b", Pid: -1, Group: -1}, identity{}, false},
		{"another's group", &identity{Boot: "b", Pid: 4711, Group: 1}, identity{}, false},
		{"the runner", &self, identity{}, false},
	} {
		if got, gone := (marks{mark: mark{Process: c.mark}}).leader("b"); got != c.want || gone != c.gone {
			t.Errorf("%s: leader %+v, gone %v; want %+v, %v", c.name, got, gone, c.want, c.gone)
		}
	}
}

// TestNamesInTheTable: the name of a process can hold anything.
func TestNamesInTheTable(t *testing.T) {
	dir := t.TempDir()
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Fatal(err)
	}
	odd := filepath.Join(dir, "a) Z 1 (b")
	if err := os.Symlink(sleep, odd); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(odd, "300")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	e, ok := lookup(cmd.Process.Pid)
	if !ok || e.dead || e.parent != os.Getpid() || !strings.HasPrefix(e.name, "a) Z") {
		t.Errorf("row = %+v, %v; want a living child of this process", e, ok)
	}
}

// keepMarks cuts off all but the first n marks of an effect, and tears the next
// one.
func keepMarks(t *testing.T, f *folder, n int) {
	t.Helper()
	data, err := f.root.ReadFile(marksFile)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(data), "\n")
	torn := strings.Join(lines[:n], "") + lines[n][:len(lines[n])/2]
	if err := f.root.WriteFile(marksFile, []byte(torn), 0o600); err != nil {
		t.Fatal(err)
	}
}
