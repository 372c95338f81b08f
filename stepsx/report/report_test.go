package report

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/spec"
)

func result() runner.Result {
	task := func(name, state, reason string) runner.TaskView {
		return runner.TaskView{Name: name, State: state, Reason: runner.Optional(reason)}
	}
	return runner.Result{
		Tasks: []runner.TaskResult{
			{TaskView: task("verdict", "done", ""), Report: map[string]any{
				"summary": "two\nlines", "verdict": "approve <&>", "score": 7.5, "points": []any{"a", "b"},
			}},
			{TaskView: task("vet", "failed", "exit 1"), Output: &runner.Output{Head: "bad \x1b[31mred", Path: "tasks/vet/1/stdout", Bytes: 70_000}},
			{TaskView: task("review", "done", ""), Reports: map[string]map[string]any{"bob": {"note": "fine"}, "ann": {"note": "good"}}},
			{TaskView: task("late", "not_run", "")},
		},
		Findings: []runner.FindingView{
			{File: "a.go", Line: 3, Severity: "error", Title: "leak\nof memory", Detail: "at\nonce", Confirmed: true, Member: "ann"},
			{Severity: "note", Title: "no place", Member: "bob"},
		},
	}
}

// artifact is an artifact of the source in a form.
func artifact(name, from, as string) spec.Artifact {
	return spec.Artifact{Name: name, From: strings.Split(from, "."), As: as}
}

func TestForms(t *testing.T) {
	for _, c := range []struct{ from, as, want string }{
		{"findings", "text", "a.go:3: error: leak of memory (confirmed) [ann]\n  at\n  once\nnote: no place [bob]\n"},
		{"tasks", "text", "verdict: done\nvet: failed (exit 1)\nreview: done\nlate: not run\n"},
		{"tasks.verdict.report", "text", "points:\n  - a\n  - b\nscore: 7.5\nsummary:\n  two\n  lines\nverdict: approve <&>\n"},
		{"tasks.verdict.report.summary", "text", "two\nlines\n"},
		{"tasks.verdict.report.summary", "json", "\"two\\nlines\"\n"},
		{"tasks.verdict.report.points", "json", "[\n  \"a\",\n  \"b\"\n]\n"},
		{"tasks.verdict.report", "json", "{\n  \"points\": [\n    \"a\",\n    \"b\"\n  ],\n  \"score\": 7.5,\n  \"summary\": \"two\\nlines\",\n  \"verdict\": \"approve <&>\"\n}\n"},
		{"tasks.review.report", "text", "ann:\n  note: good\nbob:\n  note: fine\n"},
		{"tasks.review.report.note", "text", "ann: good\nbob: fine\n"},
	} {
		t.Run(c.from+" "+c.as, func(t *testing.T) {
			got, absent := render(result(), artifact("f", c.from, c.as))
			if string(got) != c.want || absent != "" {
				t.Errorf("%q, absent %q\nwant %q", got, absent, c.want)
			}
		})
	}
}

func TestO1_OutputCarriesNoEscapes(t *testing.T) {
	got, _ := render(result(), artifact("f", "tasks.vet.output", "text"))
	if strings.Contains(string(got), "\x1b") || !strings.Contains(string(got), "70000 bytes in all; the rest is in tasks/vet/1/stdout") {
		t.Errorf("%q: want no escape, and where the rest is", got)
	}
}

// TestCleanedOutputIsWhole: what was masked or was for a terminal is missing on
// purpose, and is no rest that could be looked up.
func TestCleanedOutputIsWhole(t *testing.T) {
	for bytes, want := range map[int64]string{20: "red ***", 64 << 10: "red ***", 64<<10 + 1: "red ***\n… 65537 bytes in all; the rest is in out\n"} {
		if got := output(&runner.Output{Head: "red ***", Path: "out", Bytes: bytes}); got != want {
			t.Errorf("%d bytes: %q, want %q", bytes, got, want)
		}
	}
}

// A build that prints an artifact is not commanded by it, and a document hides
// nothing from a reader.
func TestCI8_ArtifactsCarryNoCommands(t *testing.T) {
	r := runner.Result{Tasks: []runner.TaskResult{{
		TaskView: runner.TaskView{Name: "a", State: "done"},
		Report:   map[string]any{"note": "::error::x\n##[group]y\n##vso[task.complete]z \u202e\u009b1m"},
	}}}
	text, _ := render(r, artifact("f", "tasks.a.report.note", "text"))
	if got, want := string(text), ": :error::x\n# #[group]y\n# #vso[task.complete]z \\u{202E}\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	doc, _ := render(r, artifact("f", "tasks.a.report.note", "json"))
	if got := string(doc); !strings.Contains(got, `z \u202e\u009b1m`) || strings.ContainsAny(got, "\u202e\u009b") {
		t.Errorf("%q, want controls as escapes", got)
	}
}

func TestAbsentSourcesAreNamed(t *testing.T) {
	none := result()
	none.Findings = nil
	for from, want := range map[string]string{
		"findings":                   "no task reported findings",
		"tasks.late.report":          "task late has no report: it is not run",
		"tasks.late.output":          "task late has no output: it is not run",
		"tasks.verdict.report.other": "the report of task verdict has no other",
	} {
		out := filepath.Join(t.TempDir(), "out")
		ended := New().Finish(t.Context(), "9.1", none, []spec.Artifact{artifact("f.txt", from, "text")}, out)
		if !ended.OK || len(ended.Files) != 1 || ended.Files[0] != (runner.ArtifactWritten{Name: "f.txt", Absent: runner.Optional(want)}) {
			t.Errorf("%s: %+v, want absent: %s", from, ended, want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: an empty folder was made", from)
		}
	}
	none.Tasks[0].Report = map[string]any{"findings": []any{}}
	if got, absent := render(none, artifact("f", "findings", "text")); string(got) != "no findings\n" {
		t.Errorf("%q, absent %q: a review that found nothing is not absent", got, absent)
	}
}

func TestFinishWritesAndReplaces(t *testing.T) {
	out := filepath.Join(t.TempDir(), "a", "out")
	artifacts := []spec.Artifact{artifact("sub/v.json", "tasks.verdict.report", "json"), artifact("tasks.txt", "tasks", "text")}
	for range 2 { // a finish that is asked again after a crash does the same again
		ended := New().Finish(t.Context(), "9.1", result(), artifacts, out)
		if !ended.OK || ended.Files[0].Path != runner.Optional(filepath.Join(out, "sub", "v.json")) {
			t.Fatalf("%+v", ended)
		}
		// What the next one finds in its way: an old file and a torn draft.
		if err := os.WriteFile(filepath.Join(out, ".tasks.txt.tmp"), []byte("torn"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	os.Remove(filepath.Join(out, ".tasks.txt.tmp"))
	var files []string
	filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
		if !d.IsDir() {
			rel, _ := filepath.Rel(out, path)
			files = append(files, rel)
		}
		return err
	})
	if got := strings.Join(files, " "); got != "sub/v.json tasks.txt" {
		t.Errorf("files = %s", got)
	}
}

// TestF1_ArtifactsStayInTheirFolder: neither a name nor a link leads out.
func TestF1_ArtifactsStayInTheirFolder(t *testing.T) {
	base := t.TempDir()
	out, secret := filepath.Join(base, "out"), filepath.Join(base, "secret")
	for _, err := range []error{
		os.Mkdir(out, 0o755), os.Mkdir(secret, 0o755), os.WriteFile(filepath.Join(base, "kept"), []byte("kept"), 0o600),
		os.Symlink(secret, filepath.Join(out, "dir")), os.Symlink(filepath.Join(base, "kept"), filepath.Join(out, "link.txt")),
		os.Mkdir(filepath.Join(out, "folder.txt"), 0o755),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, ok := range map[string]bool{"../kept": false, "dir/x.txt": false, "folder.txt": false, "link.txt": true, "fine.txt": true} {
		ended := New().Finish(t.Context(), "9.1", result(), []spec.Artifact{artifact(name, "tasks", "text")}, out)
		if ended.OK != ok || ok == (ended.Error != "") {
			t.Errorf("%s: %+v, want ok %v", name, ended, ok)
		}
	}
	if b, _ := os.ReadFile(filepath.Join(base, "kept")); string(b) != "kept" {
		t.Errorf("a link was followed: %q", b)
	}
	if left, _ := os.ReadDir(secret); len(left) > 0 {
		t.Errorf("written outside: %v", left)
	}
	if info, err := os.Lstat(filepath.Join(out, "link.txt")); err != nil || !info.Mode().IsRegular() {
		t.Errorf("the link was not replaced: %v %v", info, err)
	}
}

func TestFinishNamesWhatItCannotWrite(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ended := New().Finish(t.Context(), "9.1", result(), []spec.Artifact{artifact("t.txt", "tasks", "text")}, filepath.Join(file, "out"))
	if ended.OK || !strings.Contains(ended.Error, "t.txt") || ended.Files[0].Absent == "" {
		t.Errorf("%+v, want an error that names the file", ended)
	}
}
