package command

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/teamrun/teamrun/runner"
)

func TestC01_CancelLeavesNoProcess(t *testing.T) {
	m := newShell(t, `sleep 300 & echo here; sleep 300`)
	ctx, cancel := context.WithCancel(t.Context())
	ended := m.begin(ctx)
	cancel()
	if got := <-ended; got.Stop != runner.StopCancelled || got.Text != "" {
		t.Errorf("turn = %+v, want cancelled with nobody left", got)
	}
	m.nobodyLeft()
}

// TestC01_HurryEndsTheGrace: a second Ctrl-C ends what ignores the first.
func TestC01_HurryEndsTheGrace(t *testing.T) {
	m := newShell(t, `trap '' TERM; echo here; while :; do sleep 300; done`)
	hurry := make(chan struct{})
	m.grace, m.post.Hurry = time.Hour, hurry
	ctx, cancel := context.WithCancel(t.Context())
	ended := m.begin(ctx)
	cancel()
	close(hurry)
	if got := <-ended; got.Stop != runner.StopCancelled {
		t.Errorf("turn = %+v, want cancelled", got)
	}
	m.nobodyLeft()
}

// TestC02_LeaderEndsChildStays: the end of the leader is not the end of the
// group, whether it was asked to end or ended by itself.
func TestC02_LeaderEndsChildStays(t *testing.T) {
	stubborn := `(trap '' TERM; echo here; while :; do sleep 300; done) & `
	t.Run("cancelled", func(t *testing.T) {
		m := newShell(t, stubborn+`trap 'exit 0' TERM; wait`)
		m.grace = 100 * time.Millisecond
		ctx, cancel := context.WithCancel(t.Context())
		ended := m.begin(ctx)
		cancel()
		if got := <-ended; got.Stop != runner.StopCancelled {
			t.Errorf("turn = %+v, want cancelled", got)
		}
		m.nobodyLeft()
	})
	t.Run("by itself", func(t *testing.T) {
		m := newShell(t, stubborn+`exit 0`)
		m.grace = 100 * time.Millisecond
		if got := m.turn(m.prompt()); got.Stop != runner.StopEndTurn || got.Text != "" {
			t.Errorf("turn = %+v, want end_turn", got)
		}
		m.nobodyLeft()
	})
}

// TestC04_StandardInputEnds also while the runner's own stays open.
func TestC04_StandardInputEnds(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	defer func(old *os.File) { os.Stdin = old; r.Close() }(os.Stdin)
	os.Stdin = r
	for mode, want := range map[string]string{"stdin": "the prompt|", "file": "|the prompt"} {
		s := shell(`cat; printf '|'; test -z "$TEAMRUN_PROMPT" || cat "$TEAMRUN_PROMPT"`)
		s.Prompt = mode
		m := newMember(t, s)
		if got := m.turn(m.prompt()); got.Stop != runner.StopEndTurn || m.stdout() != want {
			t.Errorf("prompt: %s: %+v printed %q, want %q", mode, got, m.stdout(), want)
		}
	}
	ended := newTask(t, "sh", "-c", "cat; echo done").run(t.Context())
	if ended.Exit != 0 || ended.Output.Head != "done\n" {
		t.Errorf("run task = %+v, want that it ends", ended)
	}
}

func TestC05_LongLines(t *testing.T) {
	m := newShell(t, `head -c 70000 /dev/zero | tr '\0' x; echo; head -c 31457280 /dev/zero | tr '\0' y; echo; echo result`)
	got := m.turn(m.prompt())
	if want := int64(70001 + 31457281 + 7); got.Stop != runner.StopEndTurn || got.Output.Bytes != want || got.Output.Cut {
		t.Errorf("turn = %v, %d bytes, cut %v, want end_turn, %d bytes and all kept", got.Stop, got.Output.Bytes, got.Output.Cut, want)
	}
	if !strings.HasSuffix(m.stdout(), "y\nresult\n") || len(got.Output.Head) != headBytes {
		t.Errorf("the end is lost, or the head is %d bytes", len(got.Output.Head))
	}
}

// TestC06_PiecesOfOutput: a report written in pieces, warnings between them, and
// no line break at the end.
func TestC06_PiecesOfOutput(t *testing.T) {
	m := newShell(t, `printf '{"f":'; echo warning: slow >&2; printf ' "done"'; printf '}'`)
	m.post.Settings.(*Settings).Output = "json"
	p := m.prompt()
	p.Report = schema("text", "")
	if got := m.turn(p); got.Stop != runner.StopEndTurn || strings.Join(m.reports, "") != `{"f": "done"}` {
		t.Errorf("turn = %+v, reports %q", got, m.reports)
	}
}

// TestC06_LastWordsOfAChild: what a program prints last may come by way of a
// child that outlives it for a moment, as with tee.
func TestC06_LastWordsOfAChild(t *testing.T) {
	m := newShell(t, `head -c 30000000 /dev/zero | wc -c & exit 0`)
	if got := m.turn(m.prompt()); got.Stop != runner.StopEndTurn || strings.TrimSpace(m.stdout()) != "30000000" {
		t.Errorf("turn = %+v printed %q, want what the child counted", got, m.stdout())
	}
}

// TestC07_NothingPrintedIsNoReport: exit 0 and no output leave the report
// missing, in every form, so that the turn fails with class no_report.
func TestC07_NothingPrintedIsNoReport(t *testing.T) {
	for _, output := range []string{"text", "lines", "json", "findings"} {
		for _, script := range []string{`exit 0`, `printf ' \n\n'`} {
			m := newShell(t, script)
			m.post.Settings.(*Settings).Output = output
			p := m.prompt()
			p.Report = schema("text", "")
			if output == "lines" {
				p.Report = schema("list", "text")
			}
			if m.turn(p); len(m.reports) > 0 {
				t.Errorf("output: %s of %s reported %q, want nothing", output, script, m.reports)
			}
		}
	}
}

func TestC09_WeirdOutput(t *testing.T) {
	m := newShell(t, `printf '\360\050 \033[31mred\033[0m \007\000 end'`)
	p := m.prompt()
	p.Report = schema("text", "")
	got := m.turn(p)
	if got.Stop != runner.StopEndTurn || strings.ContainsAny(got.Output.Head, "\x1b\x07\x00") || !strings.Contains(got.Output.Head, "red") {
		t.Errorf("turn = %+v, want end_turn and a head without control characters", got)
	}
	if want := "\xf0\x28 \x1b[31mred\x1b[0m \x07\x00 end"; m.stdout() != want {
		t.Errorf("the file holds %q, want the bytes as they came", m.stdout())
	}
	if len(m.reports) != 1 || !strings.Contains(m.reports[0], `\ufffd`) && !strings.Contains(m.reports[0], "\ufffd") {
		t.Errorf("reports = %q, want one, bad bytes replaced", m.reports)
	}
}

// TestC20_TextIsNeverAShellLine: prompt, argument and room reach the program as
// bytes.
func TestC20_TextIsNeverAShellLine(t *testing.T) {
	evil := "$(touch pwned) `touch pwned`; touch pwned\n|touch pwned"
	m := newMember(t, &Settings{Run: words("sh", "-c", `cat; printf '%s' "$1"`, "sh", evil), Output: "text"})
	p := m.prompt()
	p.Text = evil
	m.turn(p)
	if m.stdout() != evil+evil {
		t.Errorf("arrived as %q", m.stdout())
	}
	if _, err := os.Stat(filepath.Join(m.post.Dir, "pwned")); err == nil {
		t.Error("text was run by a shell")
	}
}

// TestX7_WorkFolderIsNotInPath: a program of the work folder runs only by a
// path.
func TestX7_WorkFolderIsNotInPath(t *testing.T) {
	m := newMember(t, &Settings{Run: words("tool"), Output: "text"})
	script(t, m.post.Dir, "tool", "#!/bin/sh\necho evil\n")
	t.Chdir(m.post.Dir)
	t.Setenv("PATH", ".:"+os.Getenv("PATH")+"::")
	if got := m.turn(m.prompt()); got.Class != "exit" || got.Code != "exit 127" || got.Seen != runner.SeenNo {
		t.Errorf("turn = %+v, want exit 127, not seen", got)
	}
	m.post.Settings.(*Settings).Run = words("./tool")
	p := m.prompt()
	p.Effect = "3.1"
	if got := m.turn(p); got.Stop != runner.StopEndTurn || got.Output.Head != "evil\n" {
		t.Errorf("turn = %+v, want that ./tool runs", got)
	}
}

func script(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// TestX8_EnvironmentIsAnAllowList: of fifty decoys only the one that was asked
// for arrives.
func TestX8_EnvironmentIsAnAllowList(t *testing.T) {
	for i := range 50 {
		t.Setenv("DECOY_"+strconv.Itoa(i), "secret")
	}
	for _, name := range []string{"LD_LIBRARY_PATH", "GIT_DIR", "HERDR_PANE", "CLAUDECODE", "TEAMRUN_TURN", "TEAMRUN_TOKEN", "ANTHROPIC_API_KEY"} {
		t.Setenv(name, "decoy")
	}
	t.Setenv("LC_TIME", "C")
	m := newShell(t, `env`)
	m.post.Env, m.post.Bin = []string{"DECOY_7", "TEAMRUN_TOKEN"}, "/run/bin"
	m.turn(m.prompt())
	allowed := append(passed, "LC_TIME", "DECOY_7", "TEAMRUN_ROOM", "TEAMRUN_TURN", "TEAMRUN_FOLDER", "PWD", "OLDPWD", "SHLVL", "_")
	got := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(m.stdout()), "\n") {
		name, value, _ := strings.Cut(line, "=")
		got[name] = value
		if !strings.HasPrefix(name, "XDG_") && !strings.HasPrefix(name, "LC_") && !contains(allowed, name) {
			t.Errorf("passed: %s", line)
		}
	}
	if got["DECOY_7"] != "secret" || got["TEAMRUN_TURN"] != "2.1" || got["TEAMRUN_ROOM"] != "/room.json" || !strings.HasSuffix(got["PATH"], ":/run/bin") {
		t.Errorf("environment = %v", got)
	}
}

func contains(words []string, w string) bool {
	for _, x := range words {
		if x == w {
			return true
		}
	}
	return false
}

// TestX10_FloodIsBounded: a gigabyte without a line break neither fills memory
// nor the disk, and is counted.
func TestX10_FloodIsBounded(t *testing.T) {
	m := newShell(t, `head -c 1G /dev/zero; echo end >&2`)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	got := m.turn(m.prompt())
	runtime.ReadMemStats(&after)
	if got.Stop != runner.StopEndTurn || got.Output.Bytes != 1<<30 || !got.Output.Cut {
		t.Errorf("turn = %v, output %d bytes, cut %v; want all counted and cut", got.Stop, got.Output.Bytes, got.Output.Cut)
	}
	if sum := "49bc20df15e412a64472421e13fe86ff1c5165e18b2afccf160d4dc19fe68a14"; got.Output.SHA256 != sum {
		t.Errorf("digest = %s, want that of all bytes: %s", got.Output.SHA256, sum)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 4<<20 {
		t.Errorf("%d KiB allocated over the turn, want less than 4096", grown>>10)
	}
	if info, err := os.Stat(filepath.Join(m.post.Folder, "1", "2.1", stdoutFile)); err != nil || info.Size() != keepBytes {
		t.Errorf("the file: %v, %v; want %d bytes", info, err, keepBytes)
	}
}

func pidIn(t *testing.T, dir string) int {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// TestOwnProcessGroup: a signal to the group of the runner, as Ctrl-C at a
// terminal, reaches no member.
func TestOwnProcessGroup(t *testing.T) {
	m := newShell(t, `echo $$ >pid; echo here; sleep 300 & wait`)
	ctx, cancel := context.WithCancel(t.Context())
	ended := m.begin(ctx)
	pid := pidIn(t, m.post.Dir)
	if group, err := syscall.Getpgid(pid); err != nil || group != pid {
		t.Errorf("process %d is in group %d, %v; want one of its own", pid, group, err)
	}
	cancel()
	<-ended
}
