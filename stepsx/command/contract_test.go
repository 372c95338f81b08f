package command

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/spec"
	"github.com/teamrun/teamrun/stepsx/agenttest"
)

func TestContract(t *testing.T) {
	scripts := map[agenttest.Behavior]string{
		agenttest.Quiet:   `exit 0`,
		agenttest.Reports: `echo done`,
		agenttest.Hangs:   `echo here; sleep 1000 & wait`,
		agenttest.Noisy:   `printf '` + printfQuoted(agenttest.Weird) + `'`,
	}
	agenttest.Run(t, agenttest.Harness{
		Kind:     New(),
		Settings: func(_ *testing.T, b agenttest.Behavior) any { return shell(scripts[b]) },
		Living:   living,
	})
}

// shell are settings that run a line of sh.
func shell(line string) *Settings { return &Settings{Run: words("sh", "-c", line), Output: "text"} }

func words(argv ...string) []spec.Text {
	var texts []spec.Text
	for _, w := range argv {
		texts = append(texts, spec.Text{Parts: []spec.TextPart{{Text: w}}})
	}
	return texts
}

// printfQuoted writes every byte of s in octal, as printf in sh reads it.
func printfQuoted(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		b.WriteString(`\0` + strconv.FormatInt(int64(c)+0o1000, 8)[1:])
	}
	return strings.ReplaceAll(b.String(), `\0`, `\`)
}

// living are the processes that name the post's folder in their environment.
func living(p runner.Post) []string {
	var names []string
	for _, e := range table(0) {
		env, _ := os.ReadFile("/proc/" + strconv.Itoa(e.pid) + "/environ")
		if !e.dead && strings.Contains(string(env), p.Folder) {
			names = append(names, e.String())
		}
	}
	return names
}
