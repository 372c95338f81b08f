package spec

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// inside is the place in the file src of the off-th character of the value of
// the scalar n. Line and col count from 1, col in characters. An off past the
// end of the value is the place after its last character. White space that came
// from a line break is at the end of the line it came from.
func inside(src []byte, n *yaml.Node, off int) (line, col int) {
	w := writtenAt(src, n)
	if w == nil {
		return n.Line, n.Column
	}
	for i, r := range []rune(n.Value) {
		w.settle(r)
		if i == off {
			break
		}
		w.take(r)
	}
	return w.place(n.Line)
}

// written is a scalar as it stands in the file and a place in it. The text
// begins with the line of the scalar; every line ends with \n alone.
type written struct {
	text   []rune
	i      int
	double bool // in double quotes, where \ means something
	single bool
}

// writtenAt is n at its first character, or nil if n is not in src.
func writtenAt(src []byte, n *yaml.Node) *written {
	text := strings.TrimPrefix(string(src), "\ufeff")
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	lines := strings.SplitAfter(text, "\n")
	if n.Line < 1 || n.Line > len(lines) || n.Column < 1 {
		return nil
	}
	w := &written{
		text:   []rune(strings.Join(lines[n.Line-1:], "")),
		i:      n.Column - 1,
		double: n.Style&yaml.DoubleQuotedStyle != 0,
		single: n.Style&yaml.SingleQuotedStyle != 0,
	}
	for w.is('&') || w.is('!') {
		w.skipProperty()
	}
	switch {
	case w.double || w.single:
		w.i++
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		w.skipLine()
	}
	return w
}

func (w *written) is(r rune) bool { return w.i < len(w.text) && w.text[w.i] == r }

// skipProperty skips an anchor or a tag and what may stand before the value.
func (w *written) skipProperty() {
	for w.i < len(w.text) && !isBlank(w.text[w.i]) {
		w.i++
	}
	w.skipBlank()
	for w.is('#') {
		w.skipLine()
		w.skipBlank()
	}
}

func (w *written) skipLine() {
	for w.i < len(w.text) && !w.is('\n') {
		w.i++
	}
	w.i++
}

func (w *written) skipBlank() {
	for w.i < len(w.text) && isBlank(w.text[w.i]) {
		w.i++
	}
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }

// settle skips what stands before r in the file and not in the value: line
// breaks with their indentation, also those escaped in double quotes.
func (w *written) settle(r rune) {
	for {
		if !isBlank(r) {
			w.skipBlank()
		}
		if !w.double || !w.is('\\') || w.i+1 >= len(w.text) || w.text[w.i+1] != '\n' {
			return
		}
		w.i++
		w.skipBlank()
	}
}

// take goes past r, which settle has found.
func (w *written) take(r rune) {
	switch {
	case w.i >= len(w.text):
	case w.double && w.is('\\'):
		w.i += w.escape()
	case w.single && r == '\'':
		w.i += 2
	case isBlank(r) && (r == '\n' || !w.is(r)):
		// made from a line break, which the next character skips
	default:
		w.i++
	}
}

// escape is the length of the escape at w.
func (w *written) escape() int {
	if w.i+1 >= len(w.text) {
		return 1
	}
	switch w.text[w.i+1] {
	case 'x':
		return 4
	case 'u':
		if w.surrogates() {
			return 12
		}
		return 6
	case 'U':
		return 10
	}
	return 2
}

// surrogates reports whether two escapes make one character, as in JSON.
func (w *written) surrogates() bool {
	if w.i+12 > len(w.text) {
		return false
	}
	high, low := strings.ToLower(string(w.text[w.i+2:w.i+4])), string(w.text[w.i+6:w.i+8])
	return high >= "d8" && high <= "db" && low == `\u`
}

// place is the line and column of w in the file.
func (w *written) place(first int) (line, col int) {
	line, col = first, 1
	for _, r := range w.text[:min(w.i, len(w.text))] {
		if col++; r == '\n' {
			line, col = line+1, 1
		}
	}
	return line, col
}
