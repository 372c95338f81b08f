package spec

import (
	"reflect"
	"slices"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/types"
)

// condProblem is one thing wrong with a condition; off and len count characters
// of its source.
type condProblem struct {
	off, len  int
	code, msg string
	warn      bool
}

// compile checks src and makes it a condition. The condition is nil if one of
// the problems is more than a warning.
func (s *scope) compile(src string) (*Cond, []condProblem) {
	text := &condText{src: []rune(src)}
	cfg := condConfig()
	tree := text.parse(src, cfg)
	if tree == nil {
		return nil, text.problems
	}
	c := &condChecker{condText: text, scope: s, paths: map[ast.Node]*condPath{}, atoms: map[*condAtom]*ast.Node{}}
	result := c.check(tree.Node)
	if result.kind != kindBool && result.kind != kindBad {
		c.bad(tree.Node, codeType, "a condition must be true or false, but this is %s: compare it with something", result)
	}
	if !c.failed() && len(c.paths) == 0 {
		c.report(0, len(c.src), codeConstant, "the condition never changes: it names no value of the run")
	}
	if c.failed() {
		return nil, c.sorted()
	}
	if c.contradictions(tree.Node); c.failed() {
		return nil, c.sorted()
	}
	cond := &Cond{src: src, root: c.split(&tree.Node)}
	if err := c.build(tree, cfg); err != nil {
		c.report(0, len(c.src), codeType, "the condition cannot be computed: its types do not fit each other")
		return nil, c.sorted()
	}
	return cond, c.sorted()
}

func (c *condText) sorted() []condProblem {
	slices.SortStableFunc(c.problems, func(a, b condProblem) int { return a.off - b.off })
	return c.problems
}

// condConfig is how expr parses: 200 nodes, and our own functions where its
// answers would be no answers.
func condConfig() *conf.Config {
	cfg := conf.CreateNew()
	expr.MaxNodes(condNodes)(cfg)
	expr.Optimize(false)(cfg)
	for name, f := range ownFuncs {
		expr.Function(name, f)(cfg)
	}
	return cfg
}

// split takes a condition apart at and, or and not. What is left are atoms.
func (c *condChecker) split(place *ast.Node) condNode {
	n := *place
	switch b := n.(type) {
	case *ast.UnaryNode:
		if b.Operator == "not" || b.Operator == "!" {
			return condNode{op: opNot, src: n.String(), kids: []condNode{c.split(&b.Node)}}
		}
	case *ast.BinaryNode:
		op, ok := map[string]condOp{"and": opAnd, "&&": opAnd, "or": opOr, "||": opOr}[b.Operator]
		if !ok {
			break
		}
		out := condNode{op: op, src: n.String()}
		for _, side := range []*ast.Node{&b.Left, &b.Right} {
			if kid := c.split(side); kid.op == op {
				out.kids = append(out.kids, kid.kids...)
			} else {
				out.kids = append(out.kids, kid)
			}
		}
		return out
	}
	return condNode{op: opAtom, src: n.String(), atom: c.atom(place)}
}

// atom notes what the atom at place reads. Its program comes when expr has
// checked the whole.
func (c *condChecker) atom(place *ast.Node) *condAtom {
	a := &condAtom{paths: c.pathsIn(*place, nil)}
	c.atoms[a] = place
	if len(a.paths) == 0 {
		c.warn(span(*place), codeConstant, "%s never changes: it names no value of the run", brief(*place))
	}
	if b, ok := (*place).(*ast.BuiltinNode); ok && b.Name == "any" {
		if p, ok := c.paths[b.Arguments[0]]; ok {
			a.early = p.name
		}
	}
	return a
}

// pathsIn adds the paths in n to paths, each once.
func (c *condChecker) pathsIn(n ast.Node, paths []condPath) []condPath {
	p, ok := c.paths[n]
	if !ok {
		for _, kid := range kids(n) {
			paths = c.pathsIn(*kid, paths)
		}
		return paths
	}
	for i := range paths {
		if paths[i].name == p.name {
			paths[i].excused = paths[i].excused && p.excused
			return paths
		}
	}
	return append(paths, *p)
}

// build lets expr type-check the whole and compiles every atom.
func (c *condChecker) build(tree *parser.Tree, cfg *conf.Config) error {
	env := types.Map{}
	for _, p := range c.paths {
		env[p.name] = p.typ.expr()
	}
	cfg.WithEnv(env)
	cfg.Expect, cfg.ExpectAny = reflect.Bool, true
	c.flatten(&tree.Node)
	if _, err := checker.Check(tree, cfg); err != nil {
		return err
	}
	cfg.Expect = reflect.Invalid // would have every atom cast
	for a, place := range c.atoms {
		prog, err := compiler.Compile(&parser.Tree{Node: *place, Source: tree.Source}, cfg)
		if err != nil {
			return err
		}
		a.prog = prog
	}
	return nil
}

// flatten makes every path one name, so that an absent value is a name
// without a value, and the divisions calls of our own functions.
func (c *condChecker) flatten(place *ast.Node) {
	n := *place
	if p, ok := c.paths[n]; ok {
		*place = placed(&ast.IdentifierNode{Value: p.name}, n)
		return
	}
	for _, kid := range kids(n) {
		c.flatten(kid)
	}
	if b, ok := n.(*ast.BinaryNode); ok && (b.Operator == "/" || b.Operator == "%") {
		callee := placed(&ast.IdentifierNode{Value: b.Operator}, n)
		*place = placed(&ast.CallNode{Callee: callee, Arguments: []ast.Node{b.Left, b.Right}}, n)
	}
}

func placed(n, at ast.Node) ast.Node {
	n.SetLocation(at.Location())
	return n
}
