package spec

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The functions that report a problem and which of their arguments is the code.
var reporters = map[string]int{
	"Errorf": 1, "Warnf": 1, "errorf": 1, "warnf": 1, "errorAtKey": 1, "warnAtKey": 1, "errorAtNeed": 1,
	"fail": 1, "warn": 2, "forbid": 0, "noFile": 1, "report": 2, "bad": 1,
}

var codeForm = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// codesInSource finds every code that the source of the package can report.
func codesInSource(t *testing.T) map[string]bool {
	t.Helper()
	fset := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	found, consts := map[string]bool{}, map[string]string{}
	literal := func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.BasicLit:
			if s, err := strconv.Unquote(e.Value); err == nil && codeForm.MatchString(s) {
				found[s] = true
			}
		case *ast.Ident:
			if s := consts[e.Name]; s != "" {
				found[s] = true
			}
		}
	}
	for pass := range 2 {
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.ValueSpec:
					for i, name := range n.Names {
						if i < len(n.Values) && strings.HasPrefix(name.Name, "code") {
							if lit, ok := n.Values[i].(*ast.BasicLit); ok {
								consts[name.Name], _ = strconv.Unquote(lit.Value)
							}
						}
					}
				case *ast.CallExpr:
					name := ""
					switch fn := n.Fun.(type) {
					case *ast.SelectorExpr:
						name = fn.Sel.Name
					case *ast.Ident:
						name = fn.Name
					}
					if i, ok := reporters[name]; pass == 1 && ok && i < len(n.Args) {
						literal(n.Args[i])
						if name == "fail" && len(n.Args) > 2 {
							literal(n.Args[2])
						}
					}
				case *ast.KeyValueExpr:
					if id, ok := n.Key.(*ast.Ident); pass == 1 && ok && strings.EqualFold(id.Name, "code") {
						literal(n.Value)
					}
				case *ast.AssignStmt:
					if id, ok := n.Lhs[0].(*ast.Ident); pass == 1 && ok && id.Name == "code" {
						literal(n.Rhs[0])
					}
					if len(n.Lhs) > 1 {
						if id, ok := n.Lhs[1].(*ast.Ident); pass == 1 && ok && id.Name == "code" && len(n.Rhs) > 1 {
							literal(n.Rhs[1])
						}
					}
				}
				return true
			})
		}
	}
	return found
}

func TestEveryCodeHasAPage(t *testing.T) {
	found := codesInSource(t)
	if len(found) < 60 {
		t.Fatalf("only %d codes found in the source: %v", len(found), found)
	}
	pages := map[string]Code{}
	for _, c := range Codes() {
		if _, twice := pages[c.Code]; twice {
			t.Errorf("two pages for %s", c.Code)
		}
		pages[c.Code] = c
		if !codeForm.MatchString(c.Code) || len(c.Code) > 24 {
			t.Errorf("%q is no code", c.Code)
		}
		if c.Title == "" || !strings.Contains(c.Text, "right:") && !strings.HasPrefix(c.Code, "condition-") {
			t.Errorf("the page of %s has no title or no right example", c.Code)
		}
		if !found[c.Code] {
			t.Errorf("page %s, but nothing reports that code", c.Code)
		}
	}
	for code := range found {
		if _, ok := pages[code]; !ok {
			t.Errorf("code %s has no page", code)
		}
	}
}
