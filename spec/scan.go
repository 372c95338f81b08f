package spec

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// maxFile is the largest file that is read, in bytes.
const maxFile = 1 << 20

// maxHidden is the most invisible characters of a file that are looked at.
const maxHidden = 500

// scan refuses the characters that the parser would misread or report without
// a place, and reports whether the rest can be parsed. What only the nodes can
// judge it keeps in doc.
func (l *loader) scan(doc *document) bool {
	src := bytes.TrimPrefix(doc.src, []byte("\ufeff"))
	at, indent, ok := spot{1, 1}, true, true
	forbid := func(code, format string, args ...any) {
		ok = false
		l.fail(doc, at, code, format, args...)
	}
	for len(src) > 0 {
		r, n := utf8.DecodeRune(src)
		switch {
		case r >= 0x80:
			doc.wide = true
		}
		switch {
		case r == utf8.RuneError && n == 1:
			forbid("not-utf8", "not UTF-8 from here on; save the file as UTF-8")
			return false
		case r == '\n':
			at, indent = spot{at.line + 1, 0}, true
		case r == '\r' && len(src) > 1 && src[1] == '\n':
			at.col--
		case r == '\t':
			if indent {
				doc.tabs = append(doc.tabs, at)
			}
		case r == 0x85 || r == 0x2028 || r == 0x2029:
			forbid("control-char", "U+%04X ends a line in YAML and is invisible; remove it", r)
		case unicode.IsControl(r):
			forbid("control-char", "control character U+%04X; remove it", r)
		case invisible(r):
			doc.hidden = append(doc.hidden, hiddenChar{spot: at, r: r})
			if len(doc.hidden) > maxHidden {
				forbid("hidden-char", "more than %d invisible characters in one file; remove them", maxHidden)
				return false
			}
		}
		item := r == '-' && len(src) > 1 && (src[1] == ' ' || src[1] == '\t')
		indent = indent && (r == ' ' || r == '\t' || r == '\n' || item)
		at.col++
		src = src[n:]
	}
	return ok
}

// maxLineBytes is the longest line of a file of YAML, in bytes.
const maxLineBytes = 64 << 10

// longLine is the first line that is too long, 0 for none: the parser takes long
// over them.
func (d *document) longLine() int {
	n := 0
	for line := range bytes.Lines(d.src) {
		if n++; len(line) > maxLineBytes {
			return n
		}
	}
	return 0
}

// maxBrackets is how many brackets may be open before the parser sees any of
// them. It counts those of prose too, and no prose has as many.
const maxBrackets = 1000

// abyss finds the bracket that is open within too many others, wherever they
// stand: the parser takes very long over them.
func (d *document) abyss() (at spot, deep bool) {
	open := 0
	for i, c := range d.src {
		switch c {
		case '[', '{':
			if open++; open > maxBrackets {
				head := bytes.TrimPrefix(d.src[:i], []byte("\ufeff"))
				return spot{1 + bytes.Count(head, []byte("\n")), 1 + utf8.RuneCount(head[bytes.LastIndexByte(head, '\n')+1:])}, true
			}
		case ']', '}':
			open = max(0, open-1)
		}
	}
	return spot{}, false
}

// invisible reports whether r is a character that changes how text looks and
// cannot be seen itself: direction marks and characters of no width.
func invisible(r rune) bool {
	switch {
	case joiner(r), bidi(r),
		r == 0xad, r == 0x180e, r == 0x200b, r >= 0x2060 && r <= 0x2064, r == 0xfeff,
		r >= 0xfff9 && r <= 0xfffb, r >= 0xe0000 && r <= 0xe007f:
		return true
	}
	return false
}

func bidi(r rune) bool {
	return r == 0x61c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// joiner reports whether r joins letters or emoji, which prose needs.
func joiner(r rune) bool { return r == 0x200c || r == 0x200d }

// odd finds a character that looks like a part of the syntax and is none, with
// its place in characters.
func odd(s string) (off int, r rune) {
	for _, r := range s {
		switch {
		case r == 0xa0, r == 0x3000, r >= 0x2000 && r <= 0x200a, r == 0x202f, r == 0x205f,
			r == 0xff1a, r == 0xfe55, r == 0xff0c, r >= 0x2018 && r <= 0x201f, r == 0xff02, r == 0xff07:
			return off, r
		}
		off++
	}
	return -1, 0
}

// oddWords is odd as the end of a message.
func oddWords(s string) string {
	if off, r := odd(s); off >= 0 {
		return "; it holds " + describe(r)
	}
	return ""
}

func describe(r rune) string {
	name := "a character that only looks like one of YAML's"
	switch {
	case unicode.IsSpace(r):
		name = "a space that is none to YAML"
	case r >= 0x2018 && r <= 0x201f, r == 0xff02, r == 0xff07:
		name = "a quote that is none to YAML"
	case r == 0xff1a || r == 0xfe55:
		name = "a colon that is none to YAML"
	}
	return codePoint(r) + ", " + name
}

// judge decides about what the scan kept, now that the nodes are known.
func (l *loader) judge(doc *document) {
	for _, h := range doc.hidden {
		switch {
		case !h.prose:
			l.fail(doc, h.spot, "hidden-char", "invisible character %s; remove it", codePoint(h.r))
		case !joiner(h.r):
			l.warn(doc, h.spot, "hidden-char", "invisible character %s in the text; remove it or write it as an escape in double quotes", codePoint(h.r))
		}
	}
	if len(doc.tabs) == 0 {
		return
	}
	within := map[int]bool{} // lines that continue a scalar
	if doc.root != nil {
		each(doc.root, func(n *yaml.Node) {
			if n.Kind == yaml.ScalarNode && !doc.oneLine(n) {
				last := doc.inside(n, max(0, utf8.RuneCountInString(n.Value)-1))
				for i := n.Line + 1; i <= last.line; i++ {
					within[i] = true
				}
			}
		})
	}
	said := 0
	for _, s := range doc.tabs {
		if s.line != said && !within[s.line] && !blank(doc.line(s.line)) {
			said = s.line
			l.fail(doc, s, "tab", "tab used for indentation; YAML needs spaces")
		}
	}
}

// blank reports whether a line holds nothing but white space and a comment.
func blank(line string) bool {
	for _, r := range line {
		if r == '#' {
			return true
		}
		if r != ' ' && r != '\t' {
			return false
		}
	}
	return true
}

func codePoint(r rune) string { return fmt.Sprintf("U+%04X", r) }
