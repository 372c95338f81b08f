package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
)

// path resolves a name or a chain of names, which has to end at a value.
func (c *condChecker) path(n ast.Node) condType {
	names := chain(n)
	at := c.scope.root
	var steps []string
	for _, name := range names {
		word := nameOf(name)
		kid, ok := at.kids[word]
		if len(steps) == 0 && (!ok || kid.refused != "") {
			if whole := c.completed(names); whole != "" {
				return c.bad(n, codeName, "unknown name %q (did you mean %q?)", pathOf(names), whole)
			}
		}
		if !ok {
			return c.unknown(name, at, steps)
		}
		steps = append(steps, word)
		switch {
		case kid.refused != "":
			return c.bad(name, codeField, "%s cannot be read: %s", pathName(steps), kid.refused)
		case kid.typ == nil:
			at = kid
			continue
		}
		if rest := names[len(steps):]; len(rest) > 0 {
			if kind := kid.typ.kind; (kind == kindList || kind == kindText) && slices.Contains([]string{"length", "len", "size", "count"}, nameOf(rest[0])) {
				return c.bad(rest[0], codeName, "%s has no %s; write len(%s)", pathName(steps), nameOf(rest[0]), pathName(steps))
			}
			return c.bad(rest[0], codeName, "%s has no fields, it is %s", pathName(steps), *kid.typ)
		}
		p := newCondPath(steps, *kid.typ)
		c.paths[n] = &p
		return *kid.typ
	}
	return c.bad(names[len(names)-1], codeName, "%s is no value: name one %s of it%s", pathName(steps), at.noun, listed(at.order))
}

// completed is the path that names were probably meant to be, where their first
// step was left out or is a field of the item of a predicate; "" for none.
func (c *condChecker) completed(names []ast.Node) string {
	first := nameOf(names[0])
	if len(c.item) > 0 {
		if _, ok := c.item[len(c.item)-1].fields[first]; ok {
			return "." + pathOf(names)
		}
	}
	for _, noun := range []string{"tasks", "members", "params"} {
		of := c.scope.root.kids[noun]
		if first == "task" && noun == "tasks" && len(names) > 1 && of.kids[nameOf(names[1])] != nil {
			return pathName(append([]string{noun}, steps(names[1:])...))
		}
		if kid := of.kids[first]; kid != nil && (len(names) == 1 || kid.kids[nameOf(names[1])] != nil) {
			return pathName(append([]string{noun}, steps(names)...))
		}
	}
	return ""
}

func steps(names []ast.Node) []string {
	var words []string
	for _, n := range names {
		words = append(words, nameOf(n))
	}
	return words
}

func pathOf(names []ast.Node) string { return pathName(steps(names)) }

// isBranch reports whether n is a path that needs more names to be a value.
func (c *condChecker) isBranch(n ast.Node) bool {
	at := c.scope.root
	for _, name := range chain(n) {
		if at = at.kids[nameOf(name)]; at == nil {
			return false
		}
	}
	return at.kids != nil
}

// chain is the nodes of the names of a path in their order.
func chain(n ast.Node) []ast.Node {
	if m, ok := n.(*ast.MemberNode); ok {
		return append(chain(m.Node), m.Property)
	}
	return []ast.Node{n}
}

func nameOf(n ast.Node) string {
	if s, ok := n.(*ast.StringNode); ok {
		return s.Value
	}
	return n.(*ast.IdentifierNode).Value
}

// unknown reports a name that is not among the kids of at.
func (c *condChecker) unknown(n ast.Node, at *scopeNode, steps []string) condType {
	word, loc := nameOf(n), n.Location()
	if len(steps) == 0 {
		if word == "$env" {
			return c.bad(n, codeForbidden, "$env is not allowed in a condition: name the value itself")
		}
		if _, isFunc := condFuncs[word]; isFunc {
			return c.bad(n, codeName, "%s is a function: write %s(…)", word, word)
		}
		return c.bad(n, codeName, "unknown name %q%s", word, meant(word, at.order))
	}
	if whole := c.hyphenated(loc.From); whole != word {
		hint := whole
		if _, ok := at.kids[whole]; !ok {
			hint = closest(whole, at.names())
		}
		if hint != "" {
			c.report(loc.From, len(whole), codeName, `a name with a hyphen is written in brackets: %s["%s"]`, pathName(steps), hint)
			return condType{}
		}
	}
	in := ""
	if len(steps) > 1 {
		in = " in " + pathName(steps)
	}
	return c.bad(n, codeName, "no %s %q%s%s", at.noun, word, in, meant(word, at.order))
}

// hyphenated is the word at off together with what hyphens join to it, which
// the parser took for a subtraction.
func (c *condText) hyphenated(off int) string {
	end := off
	for end < len(c.src) && strings.ContainsRune("-_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", c.src[end]) {
		end++
	}
	return strings.TrimRight(string(c.src[off:end]), "-")
}

// meant is what a wrong word was probably meant to be, else what there is.
func meant(word string, names []string) string {
	if best := closest(word, names); best != "" {
		return fmt.Sprintf(" (did you mean %q?)", best)
	}
	return listed(names)
}

func listed(names []string) string {
	switch {
	case len(names) == 0:
		return " (there is none)"
	case len(names) > 12:
		names = append(slices.Clone(names[:12]), "…")
	}
	return " (" + strings.Join(names, ", ") + ")"
}
