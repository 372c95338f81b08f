package spec

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the problems of testdata/bad anew; read the difference before you commit it")

// TestBadSpecs loads each file of testdata/bad/*.txtar. The lines that begin
// with "#! " are all problems it has, without the file name, and no part of it.
func TestBadSpecs(t *testing.T) {
	archives, err := filepath.Glob("testdata/bad/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range archive.Files {
			f := &archive.Files[i]
			total++
			t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar")+"/"+f.Name, func(t *testing.T) {
				want, text := splitCase(string(f.Data))
				file := "team.yaml"
				if strings.HasPrefix(strings.TrimSpace(text), "{\"") {
					file = "team.json"
				}
				team, ps := loadText(t, file, text, LoadOptions{})
				got := ""
				for _, p := range ps {
					got += "#! " + strings.TrimPrefix(p.String(), file+":") + "\n"
					if p.Line < 1 || p.Col < 1 {
						t.Errorf("no place: %s", p)
					}
				}
				if len(ps) == 0 {
					t.Error("not refused")
				}
				if bad := strings.Contains(got, ": error: "); bad != (team == nil) {
					t.Errorf("errors: %t, team: %t", bad, team != nil)
				}
				if got != want {
					if *update {
						f.Data = []byte(got + text)
						return
					}
					t.Errorf("got\n%swant\n%sof\n%s", got, want, text)
				}
			})
		}
		if *update {
			if err := os.WriteFile(name, txtar.Format(archive), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if total < 120 {
		t.Errorf("only %d broken specs", total)
	}
}

func splitCase(data string) (want, text string) {
	for line := range strings.Lines(data) {
		if strings.HasPrefix(line, "#! ") {
			want += line
		} else {
			text += line
		}
	}
	return want, text
}

// TestNoGoTypesInMessages: what the user reads never names a type of Go or a
// tag of YAML.
func TestNoGoTypesInMessages(t *testing.T) {
	archives, _ := filepath.Glob("testdata/bad/*.txtar")
	for _, name := range archives {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			for _, leak := range []string{"unmarshal", "!!map", "!!seq", "!!int", "!!bool", "nil", "interface", "spec.", " yaml: ", "%!", "map[", "[]"} {
				if strings.HasPrefix(line, "#! ") && strings.Contains(line, leak) {
					t.Errorf("%s: %q in: %s", name, leak, fmt.Sprint(line))
				}
			}
		}
	}
}
