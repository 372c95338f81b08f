package spec

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestSyntaxIsFoundBehindGoodLines: what stands before a mistake changes only
// its line.
func TestSyntaxIsFoundBehindGoodLines(t *testing.T) {
	place := regexp.MustCompile(`(\d+):(\d+)`)
	archives, err := filepath.Glob("testdata/bad/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	codes := []string{"syntax", "quote-it", "tag", "tab"}
	tried := 0
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			want, text := splitCase(string(f.Data))
			if !strings.HasPrefix(text, "teamrun: v1\n") || !slices.ContainsFunc(codes, func(c string) bool { return strings.Contains(want, "["+c+"]") }) {
				continue
			}
			tried++
			for lines, before := range map[int]string{
				1: "x-ok: {a: [b, c]}\n",
				2: "x-ok: {a: [b, c]}\nx-q: 'quoted'\n",
				6: "x-ok:\n  - {a: [b,\n    c]}\nx-q: \"it's\n  quoted\"\nx-p: [d]\n",
			} {
				t.Run(f.Name+"/"+strconv.Itoa(lines), func(t *testing.T) {
					_, ps := loadText(t, "team.yaml", before+text, LoadOptions{})
					var got string
					for _, p := range ps {
						got += "#! " + strings.TrimPrefix(p.String(), "team.yaml:") + "\n"
					}
					moved := place.ReplaceAllStringFunc(want, func(at string) string {
						line, col, _ := strings.Cut(at, ":")
						n, _ := strconv.Atoi(line)
						return fmt.Sprintf("%d:%s", n+lines, col)
					})
					if got != moved {
						t.Errorf("got\n%swant\n%sof\n%s", got, moved, before+text)
					}
				})
			}
		}
	}
	if tried < 40 {
		t.Errorf("only %d files with a broken syntax", tried)
	}
}
