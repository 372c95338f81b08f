package spec

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// prose looks at how a text of the file is written: what YAML cut off, what it
// swallowed, and which invisible characters prose may hold.
func (d *Decoder) prose(n *yaml.Node, path string) {
	if len(d.doc.hidden) > 0 && strings.ContainsFunc(n.Value, invisible) {
		first, last := spot{n.Line, n.Column}, d.doc.inside(n, utf8.RuneCountInString(n.Value))
		for i := range d.doc.hidden {
			if h := &d.doc.hidden[i]; !h.before(first) && h.before(last) {
				h.prose = true
			}
		}
	}
	switch {
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		d.swallowed(n, path)
	case n.Style == 0 && n.LineComment != "":
		d.cut(n, path)
	}
}

// before reports whether s stands in front of t.
func (s spot) before(t spot) bool { return s.line < t.line || s.line == t.line && s.col < t.col }

// cut warns about a plain text that a # ended. A comment that is set off by two
// spaces and a space behind its # is meant as one.
func (d *Decoder) cut(n *yaml.Node, path string) {
	end := d.doc.inside(n, max(0, utf8.RuneCountInString(n.Value)-1))
	rest := d.doc.from(end)
	hash := strings.Index(rest, " #") + 1
	if hash == 0 {
		return
	}
	behind := rest[hash+1:]
	if strings.HasSuffix(rest[:hash], "  ") && (behind == "" || behind[0] == ' ') {
		return
	}
	at := spot{end.line, end.col + utf8.RuneCountInString(rest[:hash])}
	d.l.warn(d.doc, at, "cut-by-comment", "%s ends at '#' (%q); quote it or use |, or put two spaces before a comment", path, short(n.Value))
}

var keyLine = regexp.MustCompile(`^([a-z_]+):(?: +(\S.*))?$`)

// swallowed warns about a key that stands in the last lines of a block at the
// indentation of its text, where a key of the same mapping was meant.
func (d *Decoder) swallowed(n *yaml.Node, path string) {
	indent, last := d.doc.block(n)
	for i := last; i > n.Line; i-- {
		line := d.doc.line(i)
		if len(line) <= indent || line[indent] == ' ' {
			continue // empty, or below a key
		}
		m := keyLine.FindStringSubmatch(line[indent:])
		if m == nil {
			return
		}
		below := d.doc.line(i + 1)
		more := i < last && len(below) > indent && below[indent] == ' '
		if d.absent[m[1]] && (m[2] == "" && more || m[2] != "" && looksLikeValue(m[2])) {
			d.l.warn(d.doc, spot{i, indent + 1}, "swallowed-key", "%q is part of the text of %s here; indent it less to make it a key, or quote the text", m[1]+":", path)
		}
	}
}

// block is the indentation of the text of a block scalar and its last line.
func (d *document) block(n *yaml.Node) (indent, last int) {
	d.line(1)
	last = n.Line
	for i := n.Line + 1; i <= len(d.lines); i++ {
		line := d.line(i)
		if strings.TrimSpace(line) == "" {
			continue
		}
		lead := len(line) - len(strings.TrimLeft(line, " "))
		if last == n.Line {
			indent = lead
		}
		if lead < indent || lead == 0 {
			break
		}
		last = i
	}
	return indent, last
}

// looksLikeValue tells the value of a key from the rest of a sentence.
func looksLikeValue(s string) bool {
	return strings.ContainsAny(s[:1], `[{"'`) || !strings.Contains(s, " ")
}
