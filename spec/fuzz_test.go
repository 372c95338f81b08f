package spec

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
)

// FuzzLoad: any file is answered in time, and every problem has its place in it.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(hello), false)
	archives, err := filepath.Glob("testdata/bad/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			_, text := splitCase(string(file.Data))
			f.Add([]byte(text), strings.HasPrefix(text, "{\""))
		}
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte, isJSON bool) {
		name := "team.yaml"
		if isJSON {
			name = "team.json"
		}
		write(t, filepath.Join(dir, name), string(data))
		start := time.Now()
		team, ps := Load(filepath.Join(dir, name), LoadOptions{Kinds: fakeKinds()})
		if d := time.Since(start); d > 5*time.Second {
			t.Fatalf("took %s", d)
		}
		if team == nil && len(ps) == 0 {
			t.Fatal("neither a team nor a problem")
		}
		lines := bytes.Split(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("\n"))
		for _, p := range ps {
			if p.Line == 0 && p.Code == "unreadable" {
				continue
			}
			if p.Line < 1 || p.Line > len(lines) || p.Col < 1 || p.Col > utf8.RuneCount(lines[p.Line-1])+2 {
				t.Errorf("%s lies outside the file", p)
			}
		}
		Print(io.Discard, ps, func(string) []byte { return data }, false)
	})
}

// bigSpec is a spec of n members, each with a task, needs and a condition.
func bigSpec(n int) string {
	var b strings.Builder
	b.WriteString("teamrun: v1\nparams: {base: {type: ref, default: main}}\nagents: {a: {kind: able, env: [KEY]}}\n")
	b.WriteString("schemas: {verdict: {ok: {type: bool}, note: {type: text}}}\ndefaults: {agent: a, writes: none, turn_timeout: 10m}\nmembers:\n")
	for i := range n {
		fmt.Fprintf(&b, "  m%d: {role: You are number %d., stall_after: 2m}\n", i, i)
	}
	b.WriteString("tasks:\n")
	for i := range n {
		fmt.Fprintf(&b, "  t%d:\n    for: m%d\n    report: verdict\n    brief: |\n      Review `git diff ${params.base}`\n      with care.\n", i, i)
		if i > 0 {
			fmt.Fprintf(&b, "    needs: {t%d: finished}\n", i-1)
		}
	}
	b.WriteString("stop:\n")
	for i := range 10 {
		fmt.Fprintf(&b, "  - {when: tasks.t%d.failed and members.m%d.turns > %d, outcome: failure}\n", i, i, i)
	}
	fmt.Fprintf(&b, "  - {when: tasks.t%d.done and tasks.t0.report.ok, outcome: success}\n", n-1)
	return b.String()
}

func benchmarkValidate(b *testing.B, n int) {
	file := filepath.Join(b.TempDir(), "team.yaml")
	write(b, file, bigSpec(n))
	kinds := fakeKinds()
	for b.Loop() {
		if team, ps := Load(file, LoadOptions{Kinds: kinds}); team == nil || len(ps) > 0 {
			b.Fatal(ps)
		}
	}
}

// The bars are 20 ms for 10 members and 150 ms for 1,000.
func BenchmarkValidate10(b *testing.B)   { benchmarkValidate(b, 10) }
func BenchmarkValidate1000(b *testing.B) { benchmarkValidate(b, 1000) }

// TestBracketsOfProseAreNoDepth: what a text holds is not counted as long as any
// text could hold it, and neither is what is closed again.
func TestBracketsOfProseAreNoDepth(t *testing.T) {
	good(t, "teamrun: v1\nmembers:\n  m:\n    agent: fake\n    role: |\n"+strings.Repeat("      - [ ] look at [[it]] {}\n", 2000)+
		"      "+strings.Repeat("[", maxBrackets-1)+"\n    brief: x\n")
}

// TestY1Y2_HostileFilesAreRefusedSoon: bombs, depth and size. Soon is a bound on
// what is parsed a second time to find the place.
func TestY1Y2_HostileFilesAreRefusedSoon(t *testing.T) {
	lists := "a: &a [" + strings.Repeat("x,", 9) + "x]\n"
	for i := range 9 {
		c, prev := string(rune('b'+i)), string(rune('a'+i))
		lists += "x-" + c + ": &" + c + " [" + strings.Repeat("*"+prev+",", 9) + "*" + prev + "]\n"
	}
	merges := "x-0: &m0 {a: 1}\n"
	for i := range 9 {
		merges += fmt.Sprintf("x-%d: &m%d {<<: [%s*m%d]}\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*m%d, ", i), 9), i)
	}
	for name, text := range map[string]string{
		"nine levels of lists":  "teamrun: v1\nx-" + lists + "tasks: {t: {run: *j}}\n",
		"nine levels of merges": "teamrun: v1\n" + merges + "tasks: {<<: *m9}\n",
		"a million brackets":    strings.Repeat("[\n", 1<<19-1),
		"a million braces":      strings.Repeat("{a:\n", 1<<18-1),
		"one long scalar":       "teamrun: v1\nname: " + strings.Repeat("x", 1<<20-100) + "\n",
		"a long key":            strings.Repeat("k", 1<<19) + ": 1\n",
		"a late mistake":        "teamrun: v1\n" + strings.Repeat("a: b\n", 150000) + "x: [\n",
		"many keys":             "teamrun: v1\nmembers: {" + strings.Repeat("a: , ", 100000) + "}\n",
		"many bad members":      "teamrun: v1\nmembers:\n" + strings.Repeat("  a b: {}\n", 50000),
		"many tabs":             "teamrun: v1\nmembers: {\n" + strings.Repeat("\ta,\n", 100000) + "}\n",
		"many hidden":           "teamrun: v1\nname: \"" + strings.Repeat("\u200b", 100000) + "\"\n",
	} {
		t.Run(name, func(t *testing.T) {
			team, ps := loadText(t, "team.yaml", text, LoadOptions{})
			if team != nil || len(ps) == 0 {
				t.Error("not refused")
			}
			doc := &document{file: "team.yaml", src: []byte(text)}
			newLoader(LoadOptions{}).parse(doc)
			if deep := strings.HasPrefix(name, "a million"); doc.parsed > maxParsed+1 || deep && doc.parsed > 0 {
				t.Errorf("%d bytes were parsed to find the place of what is wrong", doc.parsed)
			}
		})
	}
}
