package spec

import (
	"math"

	"github.com/expr-lang/expr/ast"
)

// contradictions finds comparisons joined by and that exclude each other: bounds no
// number fits, or two texts for one value. Where the whole condition can never be
// true for that, it is refused.
func (c *condChecker) contradictions(n ast.Node) {
	var found []condClash
	say := c.warn
	if c.never(n, &found) {
		say = c.at
	}
	for _, f := range found {
		say(f.at.Location(), codeNever, "nothing fits all that is asked of %s here: this is never true", f.path)
	}
}

// condClash is a comparison that excludes those before it.
type condClash struct {
	at   ast.Node
	path string
}

// never reports whether n is false for ever, and adds the clashes in it.
func (c *condChecker) never(n ast.Node, found *[]condClash) bool {
	if b, ok := n.(*ast.BinaryNode); ok && (b.Operator == "or" || b.Operator == "||") {
		left, right := c.never(b.Left, found), c.never(b.Right, found)
		return left && right
	}
	parts := conjuncts(n)
	facts, never := map[string]*condFacts{}, false
	for _, part := range parts {
		if len(parts) > 1 {
			never = c.never(part, found) || never
			continue
		}
		for _, kid := range kids(part) {
			c.never(*kid, found)
		}
	}
	for _, part := range parts {
		b, p, op, value := c.comparison(part)
		if p == nil {
			continue
		}
		f := facts[p.name]
		if f == nil {
			f = newCondFacts(p.typ)
			facts[p.name] = f
		}
		if f.possible && !f.learn(op, value) {
			*found, never = append(*found, condClash{b, p.name}), true
		}
	}
	return never
}

// conjuncts is what n joins by and, or n itself.
func conjuncts(n ast.Node) []ast.Node {
	if b, ok := n.(*ast.BinaryNode); ok && (b.Operator == "and" || b.Operator == "&&") {
		return append(conjuncts(b.Left), conjuncts(b.Right)...)
	}
	return []ast.Node{n}
}

// swapped is each comparison read from its right side.
var swapped = map[string]string{"==": "==", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// comparison is n as a path compared with a written value; p is nil if n is
// something else.
func (c *condChecker) comparison(n ast.Node) (b *ast.BinaryNode, p *condPath, op string, value ast.Node) {
	b, ok := n.(*ast.BinaryNode)
	if !ok || swapped[b.Operator] == "" {
		return nil, nil, "", nil
	}
	if p := c.paths[b.Left]; p != nil && literal(b.Right) {
		return b, p, b.Operator, b.Right
	}
	if p := c.paths[b.Right]; p != nil && literal(b.Left) {
		return b, p, swapped[b.Operator], b.Left
	}
	return nil, nil, "", nil
}

// condFacts is what is asked of one value.
type condFacts struct {
	low, high         float64
	lowOpen, highOpen bool // the bound itself is excluded
	text              *string
	possible          bool
}

// newCondFacts begins with what the type says: whole numbers count something.
func newCondFacts(t condType) *condFacts {
	f := &condFacts{low: math.Inf(-1), high: math.Inf(1), possible: true}
	if t.whole {
		f.low = 0
	}
	return f
}

// learn adds one comparison and reports whether anything fits all of them.
func (f *condFacts) learn(op string, value ast.Node) bool {
	switch v := value.(type) {
	case *ast.IntegerNode:
		f.bound(op, float64(v.Value))
	case *ast.FloatNode:
		f.bound(op, v.Value)
	case *ast.StringNode:
		if op == "==" {
			f.possible = f.text == nil || *f.text == v.Value
			f.text = &v.Value
		}
	}
	return f.possible
}

func (f *condFacts) bound(op string, v float64) {
	if op != "<" && op != "<=" && (v > f.low || v == f.low && op == ">") {
		f.low, f.lowOpen = v, op == ">"
	}
	if op != ">" && op != ">=" && (v < f.high || v == f.high && op == "<") {
		f.high, f.highOpen = v, op == "<"
	}
	f.possible = f.low < f.high || f.low == f.high && !f.lowOpen && !f.highOpen
}
