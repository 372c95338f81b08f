package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/teamrun/teamrun/spec"
)

// TestOutputThatCannotBeTheReport: the warning comes only where the exit is to
// report and the schema has another form.
func TestOutputThatCannotBeTheReport(t *testing.T) {
	for _, c := range []struct{ keys, report, want string }{
		{"", "findings", "output: text fills only one field of type text"},
		{"output: text", "findings", "use output: json, or report by teamrun room report with via: tool [output-form]"},
		{"output: lines", "{f: {type: text}}", "output: lines fills only one field {list: text}"},
		{"output: findings", "{f: {type: text}}", "output: findings fills only the schema findings"},
		{"output: text", "{f: {type: text}}", ""},
		{"output: lines", "{f: {list: text}}", ""},
		{"output: json", "findings", ""},
		{"output: findings", "findings", ""},
		{"via: tool", "findings", ""},
	} {
		t.Run(c.keys+" "+c.report, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "team.yaml")
			text := `teamrun: v1
members: {ann: {agent: c}}
agents: {c: {kind: command, run: [x], ` + c.keys + `}}
tasks: {job: {for: ann, brief: work, report: ` + c.report + "}}\n"
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, problems := spec.Load(path, spec.LoadOptions{Kinds: []spec.Kind{New().Spec()}})
			if c.want == "" && len(problems) > 0 || c.want != "" && (len(problems) != 1 || !strings.Contains(problems[0].String(), c.want) || problems[0].Severity != spec.Warning) {
				t.Errorf("problems %v, want %q", problems, c.want)
			}
		})
	}
}

func TestSettingsAreChecked(t *testing.T) {
	for _, c := range []struct{ name, keys, want string }{
		{"fine", "run: [git, log, --, '${params.x}'], prompt: file, output: findings", ""},
		{"fine inside a word", "run: [git, 'log=${params.x}']", ""},
		{"a shell line", "run: git log", "8:27: error: agents.c.run is a list of words, never a shell line; write [git, log] [not-list]"},
		{"no program", "output: text", "8:3: error: agents.c needs the key \"run\" [missing-key]"},
		{"an empty program", "run: ['']", "8:28: error: the program has no name [empty-value]"},
		{"a param as the program", "run: ['${params.x}']", "8:28: error: a param may not name the program; write its name [param-program]"},
		{"X1 a param as an option", "run: [git, log, '${params.x}']", "8:38: error: params.x begins with - and would be an option of the program; put -- before it [param-option]"},
		{"prompt", "run: [x], prompt: fiel", "8:40: error: agents.c.prompt must be stdin or file, not \"fiel\" (did you mean \"file\"?) [unknown-value]"},
		{"output", "run: [x], output: line", "8:40: error: agents.c.output must be text, json, findings or lines, not \"line\" (did you mean \"lines\"?) [unknown-value]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "team.yaml")
			text := `teamrun: v1
name: t
params: {x: {type: text, default: --exec=evil}}
members:
  ann: {agent: c, brief: "work on ${params.x}"}
stop: [{when: tasks.ann.done, outcome: success}, {when: tasks.ann.failed, outcome: failure}]
agents:
  c: {kind: command, ` + c.keys + "}\n"
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, problems := spec.Load(path, spec.LoadOptions{Kinds: []spec.Kind{New().Spec()}})
			var got []string
			for _, p := range problems {
				got = append(got, strings.TrimPrefix(p.String(), p.File+":"))
			}
			if strings.Join(got, "\n") != c.want {
				t.Errorf("problems\n%s\nwant\n%s", strings.Join(got, "\n"), c.want)
			}
		})
	}
}
