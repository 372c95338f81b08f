package command

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/spec"
)

// TestC07_ExitDecides: what an end of the process is for the turn.
func TestC07_ExitDecides(t *testing.T) {
	for _, c := range []struct{ script, stop, class, code, text string }{
		{`echo out; echo err >&2`, "end_turn", "", "", ""},
		{`echo out; echo err >&2; exit 3`, "error", "exit", "exit 3", "err"},
		{`echo '{"f": "x"}'; exit 1`, "error", "exit", "exit 1", ""},
		{`printf '\033[31mred\n  why\n\n' >&2; exit 1`, "error", "exit", "exit 1", "red\n  why"},
		{`echo err >&2; kill -KILL $$`, "error", "exit", "signal KILL", "err"},
		{`kill -SEGV $$`, "error", "exit", "signal SEGV", ""},
	} {
		t.Run(c.script, func(t *testing.T) {
			m := newShell(t, c.script)
			p := m.prompt()
			p.Report = schema("text", "")
			got := m.turn(p)
			if got.Stop != c.stop || got.Class != c.class || got.Code != c.code || got.Text != c.text || got.Seen != runner.SeenYes || got.Cost == nil || *got.Cost != 0 {
				t.Errorf("turn = %+v, want %+v, seen, at no cost", got, c)
			}
			if failed := c.stop == "error"; failed == (len(m.reports) > 0) {
				t.Errorf("reports = %q after stop %s", m.reports, c.stop)
			}
			if again := m.ask(); again.State != runner.AnswerEnded || again.Outcome.(runner.TurnEnded).Code != c.code {
				t.Errorf("Ask = %+v, want the outcome", again)
			}
		})
	}
}

// TestOutputIsTheReport: which output is a report of which schema, and what is
// wrong with the others.
func TestOutputIsTheReport(t *testing.T) {
	text, list, two := schema("text", ""), schema("list", "text"), schema("text", "")
	two.Fields = append(two.Fields, spec.Field{Name: "g", Type: "bool"})
	findings := &spec.Schema{Name: "findings", Fields: []spec.Field{{Name: "findings", Type: "list", Item: "finding"}}}
	for _, c := range []struct {
		output string
		schema *spec.Schema
		out    string
		report string // "" for none
		wrong  string // in the text of a no_report
	}{
		{"text", text, "two\nlines\n\n", `{"f":"two\nlines"}`, ""},
		{"text", text, "\xff\x00", `{"f":"` + "\uFFFD" + `\u0000"}`, ""},
		{"text", two, "chatter", "", "output: text fills only one field of type text"},
		{"text", list, "chatter", "", ""},
		{"text", schema("number", ""), "7", "", ""},
		{"lines", list, "a\r\nb c\n\nd", `{"f":["a","b c","","d"]}`, ""},
		{"lines", text, "a\nb\n", "", ""},
		{"lines", schema("list", "number"), "1\n2\n", "", ""},
		{"json", two, ` {"f": "x", "g": true} `, `{"f": "x", "g": true}`, ""},
		{"json", two, `[1]`, "", "not a JSON object"},
		{"json", two, `"x"`, "", "not a JSON object"},
		{"json", two, "warning: x\n{}", "", "not one JSON value"},
		{"json", two, "{} {}", "", "not one JSON value"},
		{"json", two, `{"f": ` + strings.Repeat(" ", maxReport), "", "at most 262144 are taken"},
		{"findings", findings, `[]`, `[]`, ""},
		{"findings", findings, `{"findings": []}`, `{"findings": []}`, ""},
		{"findings", findings, `"none"`, "", "neither a JSON list nor an object"},
		{"findings", findings, "a.go:3: error: x", "", "not one JSON value"},
		{"findings", two, `[]`, "", ""},
	} {
		t.Run(c.output+" "+c.out[:min(20, len(c.out))], func(t *testing.T) {
			m := newMember(t, &Settings{Run: words("cat"), Output: c.output})
			p := m.prompt()
			p.Text, p.Report = c.out, c.schema
			got := m.turn(p)
			unfit := strings.Contains(c.wrong, "fills only")
			if (c.wrong == "" || unfit) && got.Stop != runner.StopEndTurn || c.wrong != "" && !unfit && (got.Class != "no_report" || got.Stop != runner.StopError) {
				t.Errorf("turn = %+v", got)
			}
			if report := strings.Join(m.reports, "|"); report != c.report || !strings.Contains(got.Text, c.wrong) {
				t.Errorf("report %q, text %q; want %q and %q", report, got.Text, c.report, c.wrong)
			}
		})
	}
}

// TestRefusedOutputSaysWhatIsWrong: a kind without tools has no second try in
// the same turn.
func TestRefusedOutputSaysWhatIsWrong(t *testing.T) {
	m := newShell(t, `echo x`)
	m.refuse = &runner.Refusal{Code: "bad-report", Msg: "f must be longer"}
	p := m.prompt()
	p.Report = schema("text", "")
	if got := m.turn(p); got.Class != "no_report" || !strings.Contains(got.Text, "f must be longer") || got.Output == nil {
		t.Errorf("turn = %+v, want class no_report and why", got)
	}
}

// TestViaToolLeavesOutputAlone: then a program prints what it likes and reports
// through the room.
func TestViaToolLeavesOutputAlone(t *testing.T) {
	m := newShell(t, `echo chatter`)
	m.post.Via = spec.ViaTool
	p := m.prompt()
	p.Report = schema("text", "")
	if got := m.turn(p); got.Stop != runner.StopEndTurn || len(m.reports) > 0 {
		t.Errorf("turn = %+v, reports %q, want none", got, m.reports)
	}
}

// TestProgramsThatCannotStart are answered as a shell would, and the prompt
// counts as unseen.
func TestProgramsThatCannotStart(t *testing.T) {
	dir := t.TempDir()
	script(t, dir, "plain", "echo no first line\n")
	script(t, dir, "lost", "#!/no/such/interpreter\n")
	script(t, dir, "closed", "#!/bin/sh\n")
	if err := os.Chmod(filepath.Join(dir, "closed"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][2]string{
		"./nothing":       {"exit 127", "is not there"},
		"no-such-program": {"exit 127", "not in PATH"},
		"./closed":        {"exit 126", "chmod +x"},
		"./lost":          {"exit 127", "interpreter"},
		"./plain":         {"exit 126", "#!/bin/sh"},
		"/":               {"exit 126", "is a folder"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMember(t, &Settings{Run: words(name), Output: "text"})
			m.post.Dir = dir
			got := m.turn(m.prompt())
			if got.Class != "exit" || got.Code != want[0] || !strings.Contains(got.Text, want[1]) || got.Seen != runner.SeenNo {
				t.Errorf("turn = %+v, want %v, not seen", got, want)
			}
		})
	}
	m := newShell(t, "true")
	m.post.Dir = filepath.Join(dir, "gone")
	if got := m.turn(m.prompt()); got.Class != "exit" || !strings.Contains(got.Text, "work folder") {
		t.Errorf("without a work folder: %+v", got)
	}
}

// TestO3_SecretsAreMasked in what becomes a record and in the files.
func TestO3_SecretsAreMasked(t *testing.T) {
	t.Setenv("SOME_VALUE", "s3cr3t-abcdef")
	t.Setenv("SHORT", "1234567")
	m := newShell(t, `printf s3cr3t; echo "-abcdef $SHORT"; printf 's3cr\033[0m3t-abcdef' >&2; exit 1`)
	m.post.Env = []string{"SOME_VALUE", "SHORT", "NOT_SET"}
	got := m.turn(m.prompt())
	const want = "*** 1234567\n"
	if got.Output.Head != want || m.stdout() != want || got.Text != "***" {
		t.Errorf("head %q, file %q, text %q", got.Output.Head, m.stdout(), got.Text)
	}
	sum := sha256.Sum256([]byte(want))
	if got.Output.Bytes != int64(len(want)) || got.Output.SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("%+v: want length and digest of what is kept", got.Output)
	}
}

func TestFilesArePrivate(t *testing.T) {
	m := newShell(t, `echo x`)
	m.turn(m.prompt())
	err := filepath.Walk(m.post.Folder, func(path string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// FuzzOutput: no output makes a report that is not JSON.
func FuzzOutput(f *testing.F) {
	for _, s := range []string{"", "x", "{}", "[]", "{\"a\":", "\xff\n\r\n", "null", "1e999"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, out []byte) {
		for mode, s := range map[string]*spec.Schema{
			"text": schema("text", ""), "lines": schema("list", "text"), "json": schema("text", ""), "findings": {Name: "findings"},
		} {
			body, err := asReport(mode, s, plain{text: out, bytes: int64(len(out))})
			if body != nil && (err != nil || !valid(body)) {
				t.Errorf("%s: %q is reported as %q, %v", mode, out, body, err)
			}
		}
	})
}

// TestTheReportOfTheProgramWins: what it prints beside a report that it handed
// in itself is no report.
func TestTheReportOfTheProgramWins(t *testing.T) {
	for _, c := range []struct {
		has  bool
		want int
	}{{false, 1}, {true, 0}} {
		m := newShell(t, `echo log`)
		m.has = c.has
		p := m.prompt()
		p.Report = schema("text", "")
		if got := m.turn(p); got.Stop != runner.StopEndTurn || len(m.reports) != c.want {
			t.Errorf("with a report %v: %+v, handed in %q", c.has, got, m.reports)
		}
	}
}
