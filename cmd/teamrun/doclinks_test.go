package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var linkForm = regexp.MustCompile(`\[([^\]]+)\]\(([^)\s]+)\)`)

// TestDocsLinks: every relative link leads to a file, and one to a heading to a
// heading; a link whose text is the name of a test leads to that test.
func TestDocsLinks(t *testing.T) {
	for _, page := range docPages(t) {
		for _, link := range linkForm.FindAllStringSubmatch(prose(readPage(t, page)), -1) {
			text, target := link[1], link[2]
			if strings.Contains(target, "://") {
				continue
			}
			file, heading, _ := strings.Cut(target, "#")
			path := filepath.Join(repo, filepath.Dir(page), file)
			if file == "" {
				path = filepath.Join(repo, page)
			}
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: %s leads nowhere", page, link[0])
				continue
			}
			if heading != "" && !hasHeading(t, path, heading) {
				t.Errorf("%s: %s has no heading #%s", page, file, heading)
			}
			if strings.HasPrefix(text, "Test") && !holdsTest(t, path, text) {
				t.Errorf("%s: there is no %s in %s", page, text, file)
			}
		}
	}
}

// prose is a page without its blocks.
func prose(page string) string {
	var b strings.Builder
	open := false
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "```") {
			open = !open
		} else if !open {
			b.WriteString(line)
		}
	}
	return b.String()
}

var notInAnchors = regexp.MustCompile("[^a-z0-9 _-]")

func hasHeading(t *testing.T, path, anchor string) bool {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(prose(string(text))) {
		title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		if !ok || !strings.HasPrefix(line, "#") {
			continue
		}
		title = notInAnchors.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
		if strings.ReplaceAll(title, " ", "-") == anchor {
			return true
		}
	}
	return false
}

func holdsTest(t *testing.T, path, name string) bool {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`(?m)^func ` + regexp.QuoteMeta(name) + `\(`).Match(text)
}

// TestDocsGuarantees: every promise names what proves it.
func TestDocsGuarantees(t *testing.T) {
	promises := 0
	for _, item := range strings.Split(readPage(t, "docs/guarantees.md"), "\n- **")[1:] {
		item, _, _ = strings.Cut(item, "\n#")
		if promises++; !strings.Contains(item, "](../") {
			t.Errorf("no test is named for: %s", item)
		}
	}
	if promises < 30 {
		t.Errorf("only %d promises found", promises)
	}
}

// TestReadmeIsShort, and its first commands are those the fresh clone of .ci/run
// is tested with.
func TestReadmeIsShort(t *testing.T) {
	readme, ci := readPage(t, "README.md"), readPage(t, ".ci/run")
	if n := strings.Count(readme, "\n"); n > 200 {
		t.Errorf("README.md has %d lines, more than 200", n)
	}
	for _, command := range []string{"go run ./cmd/teamrun up examples/01-hello", "go test ./...", "go install ./cmd/teamrun"} {
		if !strings.Contains(readme, "\n"+command+"\n") {
			t.Errorf("README.md does not say %s", command)
		}
		if !strings.Contains(ci, command+"\n") {
			t.Errorf(".ci/run does not run %s", command)
		}
	}
}
