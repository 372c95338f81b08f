package spec

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// document is one YAML or JSON file.
type document struct {
	file string // as problems name it
	src  []byte
	root *yaml.Node

	lines  []string // made when first asked for
	begin  []int    // the bytes at which lines begin, made when first asked for
	wide   bool     // there are characters of more than one byte
	parsed int      // bytes that were parsed to find the place of a mistake

	// What the scan found and only the nodes can judge: characters that prose
	// may hold and nothing else, and tabs in front of a line.
	hidden []hiddenChar
	tabs   []spot

	starts []int // the lines on which nodes begin, made when first asked for
}

// hiddenChar is an invisible character of the file.
type hiddenChar struct {
	spot
	r     rune
	prose bool // it turned out to be in prose
}

// spot is a place in a document, both from 1, the column in characters.
type spot struct{ line, col int }

// line is the text of line n without its end, "" when there is none.
func (d *document) line(n int) string {
	if d.lines == nil {
		src := bytes.TrimPrefix(d.src, []byte("\ufeff"))
		d.lines = strings.Split(strings.ReplaceAll(string(src), "\r\n", "\n"), "\n")
	}
	if n < 1 || n > len(d.lines) {
		return ""
	}
	return d.lines[n-1]
}

// inside is the place of character off of the value of scalar n. Only the lines
// up to the next node are looked at, which keeps it quick in a long file.
func (d *document) inside(n *yaml.Node, off int) spot {
	d.line(1)
	if d.starts == nil && d.root != nil {
		each(d.root, func(n *yaml.Node) { d.starts = append(d.starts, n.Line) })
		slices.Sort(d.starts)
	}
	end := len(d.lines)
	if i, _ := slices.BinarySearch(d.starts, n.Line+1); i < len(d.starts) {
		end = d.starts[i]
	}
	here := *n
	here.Line = 1
	part := strings.Join(d.lines[min(n.Line-1, len(d.lines)):min(max(end, n.Line), len(d.lines))], "\n")
	line, col := inside([]byte(part), &here, off)
	return spot{n.Line - 1 + line, col}
}

// from is the part of a line that begins at a spot.
func (d *document) from(s spot) string {
	line := d.line(s.line)
	if !d.wide {
		return line[min(s.col-1, len(line)):]
	}
	for range s.col - 1 {
		_, n := utf8.DecodeRuneInString(line)
		line = line[n:]
	}
	return line
}

// width is the number of characters of node n on its first line.
func (d *document) width(n *yaml.Node) int {
	w := 1
	switch {
	case n.Kind == yaml.AliasNode:
		w = utf8.RuneCountInString(n.Value) + 1
	case n.Kind != yaml.ScalarNode || n.Anchor != "" || n.Style&(yaml.LiteralStyle|yaml.FoldedStyle|yaml.TaggedStyle) != 0:
	case n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		w = utf8.RuneCountInString(n.Value) + 2
	default:
		w = utf8.RuneCountInString(n.Value)
	}
	rest := utf8.RuneCountInString(strings.TrimRight(d.from(spot{n.Line, n.Column}), " \t"))
	return max(1, min(w, rest))
}

// oneLine reports whether it is plain that scalar n ends on its first line.
func (d *document) oneLine(n *yaml.Node) bool {
	rest := d.from(spot{n.Line, n.Column})
	switch n.Style &^ yaml.TaggedStyle {
	case yaml.LiteralStyle, yaml.FoldedStyle:
		return false
	case yaml.DoubleQuotedStyle:
		return strings.HasPrefix(rest, `"`+n.Value+`"`)
	case yaml.SingleQuotedStyle:
		return strings.HasPrefix(rest, "'"+n.Value+"'")
	}
	return strings.HasPrefix(rest, n.Value)
}

// each calls f for every node of the tree below n, aliases not followed.
func each(n *yaml.Node, f func(*yaml.Node)) {
	f(n)
	for _, c := range n.Content {
		each(c, f)
	}
}

// resolved is the node an alias stands for, else the node itself.
func resolved(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }
