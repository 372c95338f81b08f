package spec

import (
	"regexp"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
)

// condChecker walks a parsed condition once: only the nodes it knows are
// allowed, every name must exist, and the types must fit. The problems speak
// of what the user wrote; expr's own checker comes second.
type condChecker struct {
	*condText
	scope *scope
	item  []condType              // of the predicates around, the inner one last
	paths map[ast.Node]*condPath  // the nodes that are constant paths
	atoms map[*condAtom]*ast.Node // where each atom stands in the tree
}

// check is the type of n, kindBad when a problem was reported.
func (c *condChecker) check(n ast.Node) condType {
	switch n := n.(type) {
	case *ast.BoolNode:
		return typeBool
	case *ast.StringNode:
		return condType{kind: kindText, values: []string{n.Value}}
	case *ast.IntegerNode:
		return typeWhole
	case *ast.FloatNode:
		return typeNumber
	case *ast.IdentifierNode:
		return c.path(n)
	case *ast.MemberNode:
		return c.member(n)
	case *ast.PointerNode:
		return c.pointer(n)
	case *ast.UnaryNode:
		return c.unary(n)
	case *ast.BinaryNode:
		return c.binary(n)
	case *ast.ArrayNode:
		return c.array(n)
	case *ast.BuiltinNode:
		return c.call(n, n.Name, n.Arguments)
	case *ast.CallNode:
		if id, ok := n.Callee.(*ast.IdentifierNode); ok {
			return c.call(n, id.Value, n.Arguments)
		}
		return c.bad(n, codeForbidden, "a value cannot be called: functions are written like len(x)")
	case *ast.NilNode:
		return c.bad(n, codeForbidden, "nil cannot be written: a value that is absent makes the condition unknown, and x ?? y gives y while x is absent")
	case *ast.SliceNode:
		return c.bad(n, codeForbidden, "lists have no parts here: use first, last or filter")
	case *ast.MapNode:
		return c.bad(n, codeForbidden, "a condition cannot make a record: compare the fields one by one")
	case *ast.BytesNode:
		return c.bad(n, codeForbidden, "bytes cannot be written: use plain quotes")
	}
	return c.bad(n, codeForbidden, "this is not allowed in a condition")
}

func (c *condChecker) bad(n ast.Node, code, format string, args ...any) condType {
	for i, a := range args {
		if part, ok := a.(ast.Node); ok {
			args[i] = brief(part)
		}
	}
	c.at(span(n), code, format, args...)
	return condType{}
}

// brief is n as written, cut to what fits a message.
func brief(n ast.Node) string {
	if r := []rune(n.String()); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return n.String()
}

// span is the place of n: of a chain of fields all of it, else its token.
func span(n ast.Node) file.Location {
	loc := n.Location()
	if m, ok := n.(*ast.MemberNode); ok {
		loc.From, loc.To = span(m.Node).From, max(loc.To, m.Property.Location().To)
	}
	return loc
}

// pointer is the item of the innermost predicate.
func (c *condChecker) pointer(n *ast.PointerNode) condType {
	switch {
	case n.Name != "":
		return c.bad(n, codeForbidden, "#%s is not allowed in a condition: only # and its fields are", n.Name)
	case len(c.item) == 0:
		return c.bad(n, codeSyntax, "# stands for the item of a list and is allowed only in a predicate, like any(findings, .confirmed)")
	}
	return c.item[len(c.item)-1]
}

// member is a constant path, a field of an item or an item of a list.
func (c *condChecker) member(n *ast.MemberNode) condType {
	if rooted(n) {
		return c.path(n)
	}
	if rooted(n.Node) && c.isBranch(n.Node) {
		return c.bad(n.Property, codeName, `a name must be written out, like members["qa"]: a condition reads the same values all through the run`)
	}
	base := c.check(n.Node)
	switch base.kind {
	case kindBad:
		return base
	case kindRecord:
		name, ok := n.Property.(*ast.StringNode)
		if !ok {
			return c.bad(n.Property, codeName, "a field must be written out, like .severity")
		}
		t, ok := base.fields[name.Value]
		if !ok {
			return c.bad(n.Property, codeName, "no field %q%s", name.Value, meant(name.Value, base.order))
		}
		return t
	case kindList:
		if _, ok := n.Property.(*ast.IntegerNode); ok {
			return *base.item
		}
		return c.bad(n.Property, codeName, "an item of a list is taken by a written number, or by first, last or filter")
	}
	return c.bad(n.Property, codeName, "%s has no fields, it is %s", n.Node, base)
}

// rooted reports whether n is a name or a chain of fields that begins with one.
func rooted(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		return true
	case *ast.MemberNode:
		_, isName := n.Property.(*ast.StringNode)
		return isName && rooted(n.Node)
	}
	return false
}

func (c *condChecker) unary(n *ast.UnaryNode) condType {
	t := c.check(n.Node)
	switch n.Operator {
	case "not", "!":
		if t.kind != kindBool && t.kind != kindBad {
			return c.bad(n, codeType, "%s needs true or false, but %s is %s", n.Operator, n.Node, t)
		}
		return t
	}
	if t.kind != kindNumber && t.kind != kindBad {
		return c.bad(n, codeType, "%s needs a number, but %s is %s", n.Operator, n.Node, t)
	}
	return t
}

func (c *condChecker) binary(n *ast.BinaryNode) condType {
	if n.Operator == "&&" && c.src[n.Location().From] != '&' {
		// a < b < c, which expr reads as a < b && b < c and shares b
		return c.bad(n, codeForbidden, "comparisons cannot be chained: write a < b and b < c")
	}
	if t, done := c.notFirst(n); done {
		return t
	}
	if n.Operator == "??" {
		return c.orElse(n)
	}
	l, r := c.check(n.Left), c.check(n.Right)
	if l.kind == kindBad || r.kind == kindBad {
		return condType{}
	}
	switch n.Operator {
	case "and", "&&", "or", "||":
		return c.need(n, l, r, kindBool, typeBool)
	case "==", "!=":
		return c.equal(n, l, r)
	case "<", "<=", ">", ">=":
		if l.kind == kindText && r.kind == kindText {
			return typeBool
		}
		if l.kind != r.kind {
			return c.mixed(n, l, r)
		}
		return c.need(n, l, r, kindNumber, typeBool)
	case "+", "-", "*":
		if n.Operator == "+" && (l.kind == kindText || r.kind == kindText) {
			return c.bad(n, codeForbidden, "texts cannot be joined in a condition: compare them one by one")
		}
		return c.need(n, l, r, kindNumber, condType{kind: kindNumber, whole: l.whole && r.whole})
	case "/":
		return c.need(n, l, r, kindNumber, typeNumber)
	case "%":
		if l.kind == kindNumber && r.kind == kindNumber && !(l.whole && r.whole) {
			return c.bad(n, codeType, "%% needs whole numbers, and a number of a report or param may have a fraction")
		}
		return c.need(n, l, r, kindNumber, typeWhole)
	case "in":
		return c.in(n, l, r)
	case "contains", "startsWith", "endsWith":
		if l.kind == kindList {
			return c.bad(n, codeType, "%s is about texts: write x in %s to look into a list", n.Operator, n.Left)
		}
		return c.need(n, l, r, kindText, typeBool)
	case "matches":
		return c.matches(n, l, r)
	}
	return c.bad(n, codeForbidden, "%s is not allowed in a condition", n.Operator)
}

// notFirst catches not x == y, which means (not x) == y.
func (c *condChecker) notFirst(n *ast.BinaryNode) (condType, bool) {
	u, ok := n.Left.(*ast.UnaryNode)
	if !ok || u.Operator != "not" && u.Operator != "!" || slices.Contains([]string{"and", "&&", "or", "||"}, n.Operator) {
		return condType{}, false
	}
	if t := c.check(u.Node); t.kind == kindBool {
		return condType{}, false
	}
	return c.bad(u, codeType, "%s binds to %s alone: write not (%s %s %s)", u.Operator, u.Node, u.Node, n.Operator, n.Right), true
}

// need is the type result when both sides are of the kind.
func (c *condChecker) need(n *ast.BinaryNode, l, r condType, kind condKind, result condType) condType {
	for _, side := range []struct {
		node ast.Node
		typ  condType
	}{{n.Left, l}, {n.Right, r}} {
		if side.typ.kind != kind {
			return c.bad(side.node, codeType, "%s needs %s, but %s is %s", n.Operator, condType{kind: kind}, side.node, side.typ)
		}
	}
	return result
}

// mixed reports that the sides of a comparison are of different kinds, at the
// written value if one side is one.
func (c *condChecker) mixed(n *ast.BinaryNode, l, r condType) condType {
	at := ast.Node(n)
	for _, side := range []ast.Node{n.Left, n.Right} {
		if literal(side) {
			at = side
		}
	}
	return c.bad(at, codeType, "%s is %s and %s is %s: they cannot be compared", n.Left, l, n.Right, r)
}

func literal(n ast.Node) bool {
	switch n.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return true
	}
	return false
}

func (c *condChecker) equal(n *ast.BinaryNode, l, r condType) condType {
	switch {
	case l.kind != r.kind:
		return c.mixed(n, l, r)
	case l.kind == kindList:
		return c.bad(n, codeType, "lists cannot be compared: use len, all or any")
	case l.kind == kindRecord:
		return c.bad(n, codeType, "records cannot be compared: compare their fields")
	}
	c.possible(n.Left, r, n.Right)
	c.possible(n.Right, l, n.Left)
	return typeBool
}

// possible reports a written text that what it is compared with can never be.
func (c *condChecker) possible(text ast.Node, t condType, other ast.Node) {
	s, ok := text.(*ast.StringNode)
	if !ok || t.values == nil || literal(other) || slices.Contains(t.values, s.Value) {
		return
	}
	c.bad(s, codeNever, "%s can never be %q%s", other, s.Value, meant(s.Value, t.values))
}

func (c *condChecker) in(n *ast.BinaryNode, l, r condType) condType {
	switch {
	case r.kind == kindText && l.kind == kindText:
		return c.bad(n, codeType, "in looks into a list: write %s contains %s to look into a text", n.Right, n.Left)
	case r.kind != kindList:
		return c.bad(n, codeType, "in needs a list on its right, but %s is %s", n.Right, r)
	case l.kind == kindList || l.kind == kindRecord:
		return c.bad(n, codeType, "%s is %s and cannot be looked for in a list", n.Left, l)
	case r.item.kind != kindBad && r.item.kind != l.kind:
		return c.bad(n, codeType, "%s is %s, but every item of %s is %s", n.Left, l, n.Right, r.item)
	}
	if list, ok := n.Right.(*ast.ArrayNode); ok {
		for _, item := range list.Nodes {
			c.possible(item, l, n.Left)
		}
	} else {
		c.possible(n.Left, *r.item, n.Right)
	}
	return typeBool
}

func (c *condChecker) matches(n *ast.BinaryNode, l, r condType) condType {
	pattern, ok := n.Right.(*ast.StringNode)
	switch {
	case l.kind != kindText:
		return c.bad(n, codeType, "matches needs text, but %s is %s", n.Left, l)
	case !ok:
		return c.bad(n.Right, codeForbidden, "the pattern of matches must be written out in quotes")
	case len([]rune(pattern.Value)) > condPattern:
		return c.bad(n.Right, codeTooLong, "the pattern has more than %d characters", condPattern)
	}
	if _, err := regexp.Compile(pattern.Value); err != nil {
		why := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		return c.bad(n.Right, codeSyntax, "the pattern is no regular expression (RE2): %s", why)
	}
	return typeBool
}

// orElse is x ?? y: y while x is absent.
func (c *condChecker) orElse(n *ast.BinaryNode) condType {
	l, r := c.check(n.Left), c.check(n.Right)
	if l.kind == kindBad || r.kind == kindBad {
		return condType{}
	}
	if !c.excuse(n.Left) {
		return c.bad(n, codeType, "left of ?? stands the one value that may be absent, like tasks.qa.report.verdict ?? \"none\"")
	}
	if l.kind != r.kind || l.kind == kindRecord {
		return c.mixed(n, l, r)
	}
	t := condType{kind: l.kind, whole: l.whole && r.whole, item: l.item}
	if l.values != nil && r.values != nil {
		t.values = append(slices.Clone(l.values), r.values...)
	}
	return t
}

// excuse marks the paths of n as ones that may be absent: n is a path, or a ??
// that ends with one. It is false if n is neither.
func (c *condChecker) excuse(n ast.Node) bool {
	if b, ok := n.(*ast.BinaryNode); ok && b.Operator == "??" {
		return c.excuse(b.Right)
	}
	p, ok := c.paths[n]
	if ok {
		p.excused = true
	}
	return ok
}

func (c *condChecker) array(n *ast.ArrayNode) condType {
	item := condType{}
	for _, k := range n.Nodes {
		t := c.check(k)
		switch {
		case t.kind == kindBad:
			return t
		case t.kind == kindList || t.kind == kindRecord:
			return c.bad(k, codeType, "a written list holds texts, numbers or true and false, but %s is %s", k, t)
		case item.kind != kindBad && item.kind != t.kind:
			return c.bad(k, codeType, "a list holds one kind of value, but %s is %s and the one before is %s", k, t, item)
		}
		t.values, t.whole = nil, t.whole && (item.kind == kindBad || item.whole)
		item = t
	}
	return typeList(item)
}
