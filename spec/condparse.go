package spec

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/parser/lexer"
)

// The bounds of a condition.
const (
	condBytes   = 4 << 10
	condNodes   = 200
	condPattern = 256 // characters of the pattern of matches
)

// condText is the source of one condition while it is compiled, with the
// problems found so far.
type condText struct {
	src      []rune
	tokens   []lexer.Token
	problems []condProblem
}

// report adds a problem of n characters at off, unless an earlier one covers
// the place: what follows from a problem is no second one.
func (c *condText) report(off, n int, code, format string, args ...any) {
	off = max(0, min(off, len(c.src)))
	n = max(1, min(n, len(c.src)-off))
	for _, p := range c.problems {
		if off < p.off+p.len && p.off < off+n {
			return
		}
	}
	c.problems = append(c.problems, condProblem{off: off, len: n, code: code, msg: fmt.Sprintf(format, args...)})
}

// at reports a problem on the token at loc.
func (c *condText) at(loc file.Location, code, format string, args ...any) {
	c.report(loc.From, loc.To-loc.From, code, format, args...)
}

// warn is at for something that does not refuse the condition.
func (c *condText) warn(loc file.Location, code, format string, args ...any) {
	before := len(c.problems)
	c.at(loc, code, format, args...)
	for i := range c.problems[before:] {
		c.problems[before+i].warn = true
	}
}

func (c *condText) failed() bool {
	for _, p := range c.problems {
		if !p.warn {
			return true
		}
	}
	return false
}

// parse makes the tree of the condition, or reports why there is none.
func (c *condText) parse(src string, cfg *conf.Config) *parser.Tree {
	if len(src) > condBytes {
		c.report(0, 1, codeTooLong, "the condition has %d bytes, more than %d: split it, or report the answer as a field of its own", len(src), condBytes)
		return nil
	}
	for i, r := range c.src {
		if hiddenRune(r) {
			c.report(i, 1, codeSyntax, "the invisible character U+%04X is not allowed in a condition: delete it", r)
		}
	}
	if c.failed() {
		return nil
	}
	tokens, err := lexer.Lex(file.NewSource(src))
	c.tokens = tokens
	if err != nil {
		c.syntax(err)
		return nil
	}
	c.checkTokens()
	if c.failed() {
		return nil
	}
	tree, err := parser.ParseWithConfig(src, cfg)
	if err != nil {
		c.syntax(err)
		return nil
	}
	return tree
}

// hiddenRune reports whether r is a character no reader can see: a control,
// a line separator, a direction mark or one without width.
func hiddenRune(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\r':
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// refusedOps is what to write instead of the operators that conditions do not
// have. expr has most of them, and the tree no longer shows some.
var refusedOps = map[string]string{
	"=":    "write == to compare",
	"&":    "write and",
	"|":    "write or to choose, and f(x) instead of x | f()",
	";":    "a condition is one expression",
	"?":    "write and, or and not instead of a choice",
	":":    "there are no choices, records or parts of lists",
	"::":   "functions are named without it",
	"?.":   "write . alone: a value that is absent makes the condition unknown",
	"..":   "write the bounds with >= and <=",
	"**":   "powers are not needed here",
	"^":    "powers are not needed here",
	"let":  "a condition has no variables",
	"if":   "write and, or and not instead of a choice",
	"else": "write and, or and not instead of a choice",
	"=>":   "write >=",
	"=<":   "write <=",
}

var plainNumber = regexp.MustCompile(`^(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// checkTokens refuses the first token the tree would hide: comments, which in a
// folded text would swallow its other lines, odd numbers and operators with no
// use.
func (c *condText) checkTokens() {
	end := 0
	for i, t := range c.tokens {
		from := t.From
		if t.Kind == lexer.EOF {
			from = len(c.src)
		}
		if c.noComment(end, from); c.failed() {
			return
		}
		end = t.To
		afterDot := i > 0 && c.tokens[i-1].Is(lexer.Operator, ".")
		switch why := refusedOps[t.Value]; {
		case t.Kind == lexer.Operator && why != "" && !afterDot:
			c.at(t.Location, codeForbidden, "%s is not allowed in a condition: %s", t.Value, why)
		case t.Kind == lexer.Number && c.digitName(t.From):
		case t.Kind == lexer.Number && !plainNumber.MatchString(t.Value):
			c.at(t.Location, codeSyntax, "%s is no plain number: write it like 10 or 0.5", t.Value)
		}
	}
}

// noComment reports what stands between two tokens.
func (c *condText) noComment(from, to int) {
	for i := from; i < min(to, len(c.src)); i++ {
		if !unicode.IsSpace(c.src[i]) {
			c.report(i, to-i, codeSyntax, "a condition cannot hold a comment: write it in the file beside it")
			return
		}
	}
}

// digitNames finds names after a dot that the lexer takes for numbers.
var digitNames = regexp.MustCompile(`[A-Za-z0-9_\]](\.([0-9][A-Za-z0-9_-]*))`)

// digitName reports such a name if one is at off.
func (c *condText) digitName(off int) bool {
	src := string(c.src)
	at := len(string(c.src[:min(max(off, 0), len(c.src))]))
	for _, m := range digitNames.FindAllStringSubmatchIndex(src, -1) {
		if name := src[m[4]:m[5]]; m[2] <= at && at < m[5] && !plainNumber.MatchString(src[m[0]:m[5]]) {
			c.report(len([]rune(src[:m[4]])), len(name), codeSyntax, `a name that begins with a digit is written in brackets: ["%s"]`, name)
			return true
		}
	}
	return false
}

// openQuote is the place of the quote that has no end.
func (c *condText) openQuote() int {
	at, quote := 0, rune(0)
	for i := 0; i < len(c.src); i++ {
		switch r := c.src[i]; {
		case quote == 0 && (r == '"' || r == '\'' || r == '`'):
			at, quote = i, r
		case r == '\\' && quote != '`':
			i++
		case r == quote:
			quote = 0
		}
	}
	return at
}

// syntax reports an error of expr's parser in our words.
func (c *condText) syntax(err error) {
	off, msg := 0, err.Error()
	var fe *file.Error
	if errors.As(err, &fe) {
		off, msg = fe.From, fe.Message
	}
	n := 1
	for _, t := range c.tokens {
		if t.From == off {
			n = t.To - t.From
		}
	}
	word := string(c.src[min(max(off, 0), len(c.src)):min(max(off+n, 0), len(c.src))])
	switch {
	case strings.Contains(msg, "maximum allowed nodes"):
		c.report(0, 1, codeTooLong, "the condition has more than %d parts: split it, or report the answer as a field of its own", condNodes)
	case strings.Contains(msg, "cannot be mixed"):
		c.report(off, n, codeSyntax, "?? needs parentheses beside %s: write (a ?? b) %s c", word, word)
	case strings.Contains(msg, "bad number"):
		if !c.digitName(off) {
			c.report(off, 1, codeSyntax, "this is neither a number nor a name: write numbers like 10 or 0.5")
		}
	case strings.Contains(msg, "literal not terminated"):
		c.report(c.openQuote(), 1, codeSyntax, "the text in quotes has no end: add the closing quote")
	case strings.Contains(msg, "unclosed comment"):
		c.report(off, 1, codeSyntax, "a condition cannot hold a comment: write it in the file beside it")
	case strings.Contains(msg, "escape"):
		c.report(off, 1, codeSyntax, `the text in quotes has a \ with no meaning: write \\ for a backslash`)
	case strings.Contains(msg, "unrecognized character"):
		c.report(off, 1, codeSyntax, "%q is not allowed in a condition", word)
	case strings.TrimSpace(string(c.src)) == "":
		c.report(0, 1, codeSyntax, "the condition is empty: write one that is true or false")
	case strings.Contains(msg, "literal"):
		c.at(c.numberBefore(off), codeSyntax, "the number is too large")
	case off >= len(c.src) || strings.Contains(msg, "unexpected end") || strings.Contains(msg, "token EOF"):
		c.report(len(c.src)-1, 1, codeSyntax, "the condition ends too early: something is missing after this")
	case word == "#" || word == "." || strings.Contains(msg, "pointer accessor"):
		c.report(off, n, codeSyntax, "%s stands for the item of a list and is allowed only in a predicate, like any(findings, .confirmed)", word)
	case strings.Contains(msg, "at least"):
		c.report(off, n, codeSyntax, "this needs a list and a predicate, like any(findings, .confirmed)")
	case strings.Contains(msg, "expected name"):
		c.report(off, n, codeSyntax, `a name must follow the dot, or write ["name"]`)
	default:
		c.report(off, n, codeSyntax, "%s is not expected here", word)
	}
}

// numberBefore is the place of the last number before off.
func (c *condText) numberBefore(off int) file.Location {
	var loc file.Location
	for _, t := range c.tokens {
		if t.Kind == lexer.Number && t.From < off {
			loc = t.Location
		}
	}
	return loc
}

// kids are the places of the parts of n, for the nodes that conditions have.
func kids(n ast.Node) []*ast.Node {
	switch n := n.(type) {
	case *ast.UnaryNode:
		return []*ast.Node{&n.Node}
	case *ast.BinaryNode:
		return []*ast.Node{&n.Left, &n.Right}
	case *ast.MemberNode:
		return []*ast.Node{&n.Node, &n.Property}
	case *ast.PredicateNode:
		return []*ast.Node{&n.Node}
	case *ast.BuiltinNode:
		return places(n.Arguments)
	case *ast.CallNode:
		return places(n.Arguments)
	case *ast.ArrayNode:
		return places(n.Nodes)
	}
	return nil
}

func places(nodes []ast.Node) []*ast.Node {
	out := make([]*ast.Node, len(nodes))
	for i := range nodes {
		out[i] = &nodes[i]
	}
	return out
}
