package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A console block is played line by line. `$ COMMAND` is run by sh in the page's
// own folder, which holds a copy of examples/; a change of folder lasts, other
// state of the shell does not, except that `$ echo $?` prints the exit code of
// the command before it. A command that fails without that is a fault of the
// page. `go run ./cmd/teamrun` is the program under test. Below the command
// stands what a terminal would show, standard output and standard error as they
// come. Compared is what remains when spaces are folded and run ids, times and
// durations are taken out, and turns used of a limit; HOME is /home/you. Two lines mean something else:
//
//	…   any number of lines
//	^C  here a person presses Ctrl-C, once the line above has come

// docSession is where the commands of one page run.
type docSession struct {
	home, dir string // HOME and the page's folder in it
	cwd       string
	env       []string
	last      int // exit code of the command before
}

func newDocSession(t *testing.T) *docSession {
	t.Helper()
	// A folder with a short path: a socket's path has little room.
	home, err := os.MkdirTemp("", "doc")
	if err != nil {
		t.Fatal(err)
	}
	if home, err = filepath.EvalSymlinks(home); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	dir := filepath.Join(home, "work")
	if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS(filepath.Join(repo, "examples"))); err != nil {
		t.Fatal(err)
	}
	return &docSession{home: home, dir: dir, cwd: dir, env: docEnv(t, home)}
}

// docEnv is the environment of a person at a plain terminal who has built with
// Go before.
func docEnv(t *testing.T, home string) []string {
	t.Helper()
	env := []string{
		"HOME=" + home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "XDG_RUNTIME_DIR=" + home,
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=you", "GIT_AUTHOR_EMAIL=you@example.test", "GIT_COMMITTER_NAME=you", "GIT_COMMITTER_EMAIL=you@example.test",
		"GOFLAGS=", "GOTOOLCHAIN=local",
	}
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		env = append(env, name+"="+strings.TrimSpace(string(out)))
	}
	return env
}

func (s *docSession) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

func (s *docSession) setup(t *testing.T, at, command string) {
	t.Helper()
	if out := s.run(t, command, ""); s.last != 0 {
		t.Fatalf("%s: exit code %d\n%s", at, s.last, out)
	}
	s.last = 0
}

// docStep is a command of a console block and what is below it.
type docStep struct {
	command string
	shown   []string
}

func docSteps(text string) []docStep {
	var all []docStep
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			all = append(all, docStep{command: command})
		} else if len(all) > 0 {
			all[len(all)-1].shown = append(all[len(all)-1].shown, line)
		}
	}
	return all
}

// play plays a console block and compares what it shows. When updating, it
// answers the page with what was really shown.
func (s *docSession) play(t *testing.T, at string, b block, page string) string {
	t.Helper()
	all := docSteps(b.text)
	if len(all) == 0 || !strings.HasPrefix(b.text, "$ ") {
		t.Errorf("%s: a console block begins with a command", at)
	}
	real := ""
	for i, st := range all {
		out := s.run(t, st.command, keyAt(st.shown))
		asked := i+1 < len(all) && strings.Contains(all[i+1].command, "$?")
		if s.last != 0 && !asked {
			t.Errorf("%s: $ %s\nends with %d, and the page does not say so\n%s", at, st.command, s.last, out)
		}
		shown := strings.Join(st.shown, "\n")
		if !sameOutput(shown, s.anonymous(t, out)) {
			if !updating {
				t.Errorf("%s: $ %s\nshows\n%s\nbut the page says\n%s", at, st.command, out, shown)
			}
			shown = strings.TrimSuffix(out, "\n")
		}
		real += "$ " + st.command + "\n"
		if shown != "" {
			real += shown + "\n"
		}
	}
	if updating {
		return strings.Replace(page, "```console\n"+b.text+"```", "```console\n"+real+"```", 1)
	}
	return page
}

// anonymous is the output with another id for each run: an id of letters alone,
// which looks like a word, must not look like one.
func (s *docSession) anonymous(t *testing.T, out string) string {
	t.Helper()
	runs, err := filepath.Glob(filepath.Join(s.home, ".local/state/teamrun/runs/*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range runs {
		out = strings.ReplaceAll(out, filepath.Base(run), "0run0id0")
	}
	return out
}

const ctrlC = "^C"

// keyAt is the line above ^C, "" without one.
func keyAt(shown []string) string {
	for i, line := range shown {
		if line == ctrlC && i > 0 {
			return shown[i-1]
		}
	}
	return ""
}

// run runs a command and answers what it showed. Ctrl-C is pressed when the line
// key has come, if there is one.
func (s *docSession) run(t *testing.T, command, key string) string {
	t.Helper()
	if folder, ok := strings.CutPrefix(command, "cd "); ok {
		s.cwd = filepath.Join(s.cwd, folder)
		s.last = 0
		return ""
	}
	command = strings.ReplaceAll(command, "go run ./cmd/teamrun", "teamrun")
	cmd := exec.Command("sh", "-c", fmt.Sprintf("(exit %d)\n%s", s.last, command))
	cmd.Dir, cmd.Env = s.cwd, s.env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	screen := &screen{home: s.home, key: folded(key)}
	if key != "" {
		screen.press = func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
	}
	cmd.Stdout, cmd.Stderr = screen, screen
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	patience := time.AfterFunc(time.Minute, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	err := cmd.Wait()
	if !patience.Stop() {
		t.Fatalf("$ %s\ndoes not end; it showed\n%s", command, screen.text.String())
	}
	s.last = 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		s.last = exit.ExitCode()
		if ws := exit.Sys().(syscall.WaitStatus); ws.Signaled() {
			s.last = 128 + int(ws.Signal())
		}
	} else if err != nil {
		t.Fatal(err)
	}
	return screen.text.String()
}

// screen is what a terminal shows.
type screen struct {
	mu    sync.Mutex
	home  string
	text  strings.Builder
	line  []byte // not ended yet
	key   string // the line after which press is called
	press func()
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.line = append(s.line, p...)
	for {
		end := bytes.IndexByte(s.line, '\n')
		if end < 0 {
			return len(p), nil
		}
		line := strings.ReplaceAll(string(s.line[:end]), s.home, "/home/you")
		s.line = s.line[end+1:]
		s.text.WriteString(line + "\n")
		if s.press != nil && folded(line) == s.key {
			s.text.WriteString(ctrlC + "\n")
			s.press()
			s.press = nil
		}
	}
}

// changing is what differs from run to run: in the order tried.
var changing = []*regexp.Regexp{
	regexp.MustCompile(`\b\d\d+:\d\d\.\d\d\d\b`),                                    // since the start
	regexp.MustCompile(`teamrun=\S+`),                                               // the version
	regexp.MustCompile(`\b(\d+h)?(\d+m)?\d+(\.\d+)?(ms|s)\b|\b\d+h\d+m\b|\b\d+m\b`), // durations
	regexp.MustCompile(`\b\d+/\d\d+\b`),                                             // turns used, which an interrupt can add to
	regexp.MustCompile(`\b1[78]\d{11}\b|"wall_ms": \d+|"took_ms": \d+|"wall_ms":\d+|"took_ms":\d+`),
}

// runID is eight of these; words of eight letters are no ids.
var runID = regexp.MustCompile(`\b[0-9a-z]{8}\b`)

func folded(line string) string {
	for _, form := range changing {
		line = form.ReplaceAllString(line, "<>")
	}
	line = runID.ReplaceAllStringFunc(line, func(word string) string {
		if strings.ContainsAny(word, "0123456789") {
			return "<>"
		}
		return word
	})
	return strings.Join(strings.Fields(line), " ")
}

// sameOutput compares what a page shows with what came.
func sameOutput(shown, came string) bool {
	var form strings.Builder
	form.WriteString(`^\s*`)
	for line := range strings.Lines(shown) {
		if strings.TrimSpace(line) == "…" {
			form.WriteString(`(?:.*\n)*?`)
		} else {
			form.WriteString(regexp.QuoteMeta(folded(line)) + `\n`)
		}
	}
	var b strings.Builder
	for line := range strings.Lines(came) {
		b.WriteString(folded(line) + "\n")
	}
	return regexp.MustCompile(form.String() + `\s*$`).MatchString(b.String())
}

// TestSameOutput: what may differ may, and nothing else.
func TestSameOutput(t *testing.T) {
	for _, c := range []struct {
		shown, came string
		same        bool
	}{
		{"✓ hello  success  exit 0  2s", "✓ hello success exit 0   310ms\n", true},
		{"✓ hello  success  exit 0  2s", "✗ hello failure exit 1 2s\n", false},
		{"run abcd1234 ended", "run zz9zz9zz ended\n", true},
		{"run abcd1234 ended", "run greeting ended\n", false},
		{"a\n…\nz", "a\nb\nc\nz\n", true},
		{"a\n…", "b\n", false},
		{"", "", true},
		{"", "a\n", false},
		{"00:02.058 bob  retry  attempt=1 at=00:02.254", "00:00.001 bob retry attempt=1 at=00:00.254\n", true},
		{"00:02.058 bob  retry  attempt=1", "00:02.058 bob retry attempt=2\n", false},
	} {
		if got := sameOutput(c.shown, c.came); got != c.same {
			t.Errorf("%s and %s: same %s, want %s", strconv.Quote(c.shown), strconv.Quote(c.came), strconv.FormatBool(got), strconv.FormatBool(c.same))
		}
	}
}
