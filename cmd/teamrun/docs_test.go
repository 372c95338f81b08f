package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/teamrun/teamrun/spec"
)

// The documentation is tested as it stands. What the first line of a block says
// about it:
//
//	```yaml                  a team file (it begins with teamrun:) that loads, or
//	                         anything else that is YAML
//	```yaml file=NAME        the same, and the block is written to NAME for the
//	                         console blocks below it
//	```yaml file=NAME broken the same, but it must not load
//	```yaml from=PATH        lines of that file of the repository, cut where # … stands
//	```sh file=NAME          written to NAME, executable
//	```console               played, see docsession_test.go
//	<!-- setup: COMMAND -->  a command no reader needs to see
//
// TEAMRUN_UPDATE=1 writes the real output into the console blocks and the tables
// of keys into docs/language.md.

// repo is the top of the repository.
const repo = "../.."

// docPages are all pages of documentation, by their path in the repository.
func docPages(t *testing.T) []string {
	t.Helper()
	found := []string{"README.md"}
	for _, pattern := range []string{"docs/*.md", "examples/*.md", "examples/*/*.md", ".github/*.md"} {
		files, err := filepath.Glob(filepath.Join(repo, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			rel, err := filepath.Rel(repo, f)
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, filepath.ToSlash(rel))
		}
	}
	if len(found) < 9 {
		t.Fatalf("only %d pages found: %s", len(found), found)
	}
	return found
}

func readPage(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repo, page))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// block is a fenced block of a page, or a setup comment.
type block struct {
	line int      // of its first line, from 1
	info []string // the words of its first line; setup for a comment
	text string
}

var (
	fenceForm = regexp.MustCompile("^```(.*)$")
	setupForm = regexp.MustCompile(`^<!-- setup: (.*) -->$`)
)

func blocks(t *testing.T, page, text string) []block {
	t.Helper()
	var all []block
	var open *block
	for i, line := range strings.Split(text, "\n") {
		fence := fenceForm.FindStringSubmatch(line)
		setup := setupForm.FindStringSubmatch(line)
		switch {
		case open != nil && line == "```":
			all = append(all, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		case fence != nil && fence[1] == "":
			t.Errorf("%s:%d: the block does not say what it is", page, i+1)
			open = &block{line: i + 1, info: []string{""}}
		case fence != nil:
			open = &block{line: i + 1, info: strings.Fields(fence[1])}
		case setup != nil:
			all = append(all, block{line: i + 1, info: []string{"setup"}, text: setup[1]})
		}
	}
	if open != nil {
		t.Errorf("%s:%d: the block has no end", page, open.line)
	}
	return all
}

// file is the name the block is to be written to, "" for none.
func (b block) file() string { return b.word("file=") }

// word is what stands behind a key in the first line of the block, "" for none.
func (b block) word(key string) string {
	for _, word := range b.info[1:] {
		if value, ok := strings.CutPrefix(word, key); ok {
			return value
		}
	}
	return ""
}

// TestDocsQuotes: what a page shows as part of a file is part of it.
func TestDocsQuotes(t *testing.T) {
	quotes := 0
	for _, page := range docPages(t) {
		for _, b := range blocks(t, page, readPage(t, page)) {
			source := b.word("from=")
			if source == "" {
				continue
			}
			quotes++
			rest := readPage(t, source)
			for part := range strings.SplitSeq(b.text, "# …\n") {
				_, after, found := strings.Cut(rest, part)
				if !found {
					t.Errorf("%s:%d: this is not in %s, or not in this order:\n%s", page, b.line, source, part)
				}
				rest = after
			}
		}
	}
	if quotes == 0 {
		t.Error("no page quotes a file")
	}
}

// TestDocs plays every page: its files, its commands, its output.
func TestDocs(t *testing.T) {
	for _, page := range docPages(t) {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			text := readPage(t, page)
			s := newDocSession(t)
			for _, b := range blocks(t, page, text) {
				at := fmt.Sprintf("%s:%d", page, b.line)
				if name := b.file(); name != "" {
					s.write(t, name, b.text)
				}
				switch b.info[0] {
				case "yaml":
					checkYAML(t, at, s, b)
				case "setup":
					s.setup(t, at, b.text)
				case "console":
					text = s.play(t, at, b, text)
				}
			}
			if updating && text != readPage(t, page) {
				if err := os.WriteFile(filepath.Join(repo, page), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

var updating = os.Getenv("TEAMRUN_UPDATE") != ""

func checkYAML(t *testing.T, at string, s *docSession, b block) {
	t.Helper()
	if !regexp.MustCompile(`(?m)^teamrun:`).MatchString(b.text) {
		var any yaml.Node
		if err := yaml.Unmarshal([]byte(b.text), &any); err != nil {
			t.Errorf("%s: not YAML: %v", at, err)
		}
		return
	}
	path := filepath.Join(s.dir, b.file())
	if b.file() == "" {
		path = filepath.Join(t.TempDir(), "team.yaml")
		if err := os.WriteFile(path, []byte(b.text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, problems := spec.Load(path, spec.LoadOptions{Kinds: kinds()})
	broken := slices.ContainsFunc(problems, func(p spec.Problem) bool { return p.Severity == spec.Error })
	switch wanted := slices.Contains(b.info, "broken"); {
	case wanted && !broken:
		t.Errorf("%s: the broken team file loads", at)
	case !wanted && len(problems) > 0:
		t.Errorf("%s: the team file does not load cleanly: %s", at, problems[0])
	}
}

// The tables of keys in the language reference come from the program itself.
const (
	tablesBegin = "<!-- keys: made by TEAMRUN_UPDATE=1 go test ./cmd/teamrun -run TestDocsKeyTables -->\n"
	tablesEnd   = "<!-- end of keys -->\n"
)

// TestDocsKeyTables: the tables of keys are those of this build.
func TestDocsKeyTables(t *testing.T) {
	const page = "docs/language.md"
	before, rest, found := strings.Cut(readPage(t, page), tablesBegin)
	have, after, ended := strings.Cut(rest, tablesEnd)
	if !found || !ended {
		t.Fatalf("%s has no place for the tables of keys", page)
	}
	_, tables, _ := strings.Cut(string(spec.Reference(kinds())), "\n") // without its title
	want := strings.ReplaceAll(tables, "\n## ", "\n### ")
	if have == want {
		return
	}
	if !updating {
		t.Fatalf("the tables of keys in %s are old; TEAMRUN_UPDATE=1 go test ./cmd/teamrun -run TestDocsKeyTables makes them anew", page)
	}
	if err := os.WriteFile(filepath.Join(repo, page), []byte(before+tablesBegin+want+tablesEnd+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
