package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The figures of the whole program, each the median of b.N processes of the
// binary people install:
//
//	go test ./cmd/teamrun -run '^$' -bench Program -benchtime 30x

// BenchmarkProgramFirstPrompt is the time from the start of `teamrun up` to the
// first prompt handed to a scripted member.
func BenchmarkProgramFirstPrompt(b *testing.B) {
	p := newProgram(b)
	team := p.file("teamrun: v1\nname: one\nagents: {s: {kind: scripted, script: {turns: [{do: [{say: hi}]}]}}}\nmembers: {ann: {agent: s, brief: go}}\n")
	var times []time.Duration
	for b.Loop() {
		cmd := p.command("up", team)
		pipe, err := cmd.StderrPipe()
		if err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		handed := time.Duration(0)
		for lines := bufio.NewScanner(pipe); lines.Scan(); {
			if handed == 0 && strings.Contains(lines.Text(), " turn=") {
				handed = time.Since(began)
			}
		}
		if err := cmd.Wait(); err != nil || handed == 0 {
			b.Fatalf("up: %v, prompt after %s", err, handed)
		}
		times = append(times, handed)
	}
	b.ReportMetric(milliseconds(median(times)), "ms/first-prompt")
}

// BenchmarkProgramCommandTurn is what one turn of a command member costs beyond
// its process: 64 turns of a chain against 8, and the process alone.
func BenchmarkProgramCommandTurn(b *testing.B) {
	p := newProgram(b)
	long, short := p.file(commandChain(64)), p.file(commandChain(8))
	var turns, bare []time.Duration
	for b.Loop() {
		t64 := p.took(p.command("up", "--progress", "quiet", long))
		t8 := p.took(p.command("up", "--progress", "quiet", short))
		turns = append(turns, (t64-t8)/56)
		began := time.Now()
		for range 20 {
			p.took(exec.Command("true"))
		}
		bare = append(bare, time.Since(began)/20)
	}
	turn, process := milliseconds(median(turns)), milliseconds(median(bare))
	b.ReportMetric(turn, "ms/turn")
	b.ReportMetric(process, "ms/bare-process")
	b.ReportMetric(turn-process, "ms/turn-beyond-process")
}

// commandChain is a team whose one member does n tasks, one after the other.
func commandChain(n int) string {
	var s strings.Builder
	s.WriteString("teamrun: v1\nname: chain\nagents: {c: {kind: command, run: ['true']}}\nmembers: {ann: {agent: c}}\ntasks:\n")
	for i := range n {
		fmt.Fprintf(&s, "  t%d: {for: ann, brief: go", i)
		if i > 0 {
			fmt.Fprintf(&s, ", needs: [t%d]", i-1)
		}
		s.WriteString("}\n")
	}
	s.WriteString("limits: {turns: 1000}\n")
	return s.String()
}

// BenchmarkProgramValidate is the processor time of `teamrun validate`, with a
// condition, a role and a task for every member.
func BenchmarkProgramValidate(b *testing.B) {
	for _, members := range []int{10, 1000} {
		b.Run(fmt.Sprint(members), func(b *testing.B) {
			p := newProgram(b)
			team := p.file(wideTeam(members))
			var times []time.Duration
			for b.Loop() {
				cmd := p.command("validate", team)
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("validate: %v\n%s", err, out)
				}
				times = append(times, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
			}
			b.ReportMetric(milliseconds(median(times)), "ms/process")
		})
	}
}

func wideTeam(n int) string {
	var s strings.Builder
	s.WriteString("teamrun: v1\nname: wide\nagents: {c: {kind: command, run: ['true']}}\nschemas: {v: {verdict: {enum: [approve, block]}, text: {type: text}}}\nmembers:\n")
	for i := range n {
		fmt.Fprintf(&s, "  m%d: {agent: c, role: You look at part %d., brief: Look., report: v, turn_timeout: 5m}\n", i, i)
	}
	s.WriteString("stop:\n")
	for i := range n {
		fmt.Fprintf(&s, "  - {when: 'tasks.m%d.done and tasks.m%d.report.verdict == \"block\"', outcome: failure}\n", i, i)
	}
	s.WriteString("  - {when: tasks.m0.done, outcome: success}\n")
	return s.String()
}

// program is the stripped binary and a state folder of its own.
type program struct {
	b    *testing.B
	path string
	home string
}

func newProgram(b *testing.B) *program {
	p := &program{b: b, path: filepath.Join(b.TempDir(), "teamrun"), home: b.TempDir()}
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", p.path, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("go build: %v\n%s", err, out)
	}
	return p
}

func (p *program) file(text string) string {
	path := filepath.Join(p.b.TempDir(), "team.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		p.b.Fatal(err)
	}
	return path
}

func (p *program) command(args ...string) *exec.Cmd {
	cmd := exec.Command(p.path, args...)
	cmd.Env = append(os.Environ(), "TEAMRUN_HOME="+p.home)
	return cmd
}

// took is the time of a process from start to end.
func (p *program) took(cmd *exec.Cmd) time.Duration {
	began := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		p.b.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	return time.Since(began)
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
