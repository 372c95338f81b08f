package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/teamrun/teamrun/"

// allowed says which of our packages each may import, besides runner/safe,
// which anyone may. A folder of stepsx stands for all of them.
var allowed = map[string][]string{
	"spec":                 {},
	"runner":               {"spec"},
	"runner/safe":          {},
	"runner/journal":       {"runner"},
	"runner/host":          {"runner", "runner/journal", "spec"},
	"runner/runnertest":    {"runner", "spec"},
	"stepsx/*":             {"runner", "spec"},
	"stepsx":               {"runner", "spec", "stepsx/*"},
	"schemas":              {},
	"cmd/teamrun":          {"spec", "runner", "runner/host", "runner/journal", "stepsx", "schemas", "cmd/teamrun/view", "cmd/teamrun/document"},
	"cmd/teamrun/document": {"spec", "runner", "runner/host"},
	"cmd/teamrun/view":     {"runner", "spec"},
	"examples":             {},
	"docs":                 {},
	"schemas/generate":     {"spec", "runner", "runner/host", "stepsx", "cmd/teamrun/view"},
	"stepsx/agenttest":     {"runner", "spec"},
}

// TestTEST2_Imports: the core imports no adapter, no adapter another; only the
// composition root sees both.
func TestTEST2_Imports(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}: {{join .Imports " "}}`, module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := 0
	for line := range strings.Lines(string(out)) {
		path, imports, _ := strings.Cut(strings.TrimSpace(line), ": ")
		path = strings.TrimPrefix(path, module)
		may, known := allowed[path]
		if !known {
			may, known = allowed[pattern(path)]
		}
		if !known {
			t.Errorf("package %s is not in the list of packages; add it to allowed", path)
			continue
		}
		packages++
		for _, i := range strings.Fields(imports) {
			i, ours := strings.CutPrefix(i, module)
			if ours && i != "runner/safe" && !slices.Contains(may, i) && !slices.Contains(may, pattern(i)) {
				t.Errorf("%s imports %s, which it may not", path, i)
			}
		}
	}
	if packages < 8 {
		t.Errorf("only %d packages were looked at", packages)
	}
}

func pattern(path string) string {
	if dir, _, found := strings.Cut(path, "/"); found && dir == "stepsx" {
		return "stepsx/*"
	}
	return path
}

// TestPureCore: the machine reaches for no file, no net, no clock, no chance and
// starts no goroutine.
func TestPureCore(t *testing.T) {
	files, err := filepath.Glob("../../runner/*.go")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files of the core found: %v", len(files), err)
	}
	banned := []string{"os", "os/exec", "net", "net/http", "sync", "math/rand", "math/rand/v2", "crypto/rand", "io/fs", "path/filepath", "runtime", "syscall", "unsafe"}
	clock := []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick"}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			if slices.Contains(banned, strings.Trim(i.Path.Value, `"`)) {
				t.Errorf("%s imports %s", fset.Position(i.Pos()), i.Path.Value)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				t.Errorf("%s: a goroutine in the core", fset.Position(n.Pos()))
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "time" && slices.Contains(clock, n.Sel.Name) {
					t.Errorf("%s: time.%s in the core", fset.Position(n.Pos()), n.Sel.Name)
				}
			}
			return true
		})
	}
}
