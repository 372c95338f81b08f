package spec

import (
	"strings"
	"unicode/utf8"
)

// flowTrouble finds what broke a value in braces or brackets that begins on
// line n: YAML's parser says only that it broke, and not where.
func (d *document) flowTrouble(n int) (at spot, code, msg string) {
	f := &flowScan{}
	for i := n; i <= len(d.lines); i++ {
		if i > n && keyLine.MatchString(d.line(i)) && !strings.HasSuffix(strings.TrimRight(d.line(i-1), " "), ",") {
			return f.unclosed() // the next key of the file
		}
		if off, code, msg := f.line(d.line(i), i == n); msg != "" {
			return spot{i, 1 + utf8.RuneCountInString(d.line(i)[:off])}, code, msg
		}
		f.opened(i, d.line(i))
		if len(f.open) == 0 {
			return spot{}, "", ""
		}
	}
	return f.unclosed()
}

// flowScan reads values between braces and brackets.
type flowScan struct {
	open  []flowOpen
	quote byte // the quote around the present character
	plain bool // within text without quotes
	ended bool // behind a quoted text
}

type flowOpen struct {
	bracket byte
	off     int
	at      spot // zero until its line is read
	colon   bool // a key and its colon were read in this entry
}

const unclosedBracket = "this bracket is not closed"

func (f *flowScan) unclosed() (spot, string, string) {
	return f.open[len(f.open)-1].at, "syntax", unclosedBracket
}

// opened notes the places of the brackets that a line has opened.
func (f *flowScan) opened(n int, line string) {
	for i := range f.open {
		if o := &f.open[i]; o.at.line == 0 {
			o.at = spot{n, 1 + utf8.RuneCountInString(line[:o.off])}
		}
	}
}

// line reads one line and reports the byte at which something is wrong.
func (f *flowScan) line(line string, first bool) (off int, code, msg string) {
	i := 0
	if first {
		head := valueStart.FindString(line)
		if i = len(head); i == len(line) || line[i] != '{' && line[i] != '[' {
			return 0, "", ""
		}
	}
	for ; i < len(line); i++ {
		c := line[i]
		next := byte(' ')
		if i+1 < len(line) {
			next = line[i+1]
		}
		switch {
		case f.quote == '\'' && c == '\'' && next == '\'', f.quote == '"' && c == '\\':
			i++
		case f.quote != 0:
			if c == f.quote {
				f.quote, f.ended = 0, true
			}
		case c == ' ' || c == '\t':
			if next == '#' {
				return 0, "", ""
			}
		case c == '}' || c == ']':
			f.plain, f.ended = false, false
			f.open = f.open[:len(f.open)-1]
			if len(f.open) == 0 {
				return 0, "", ""
			}
		case c == ',':
			f.plain, f.ended = false, false
			f.open[len(f.open)-1].colon = false
		case c == ':' && (strings.IndexByte(" ,]}", next) >= 0 || f.ended):
			o := &f.open[len(f.open)-1]
			if o.colon {
				return i, "quote-it", "':' inside an unquoted value; quote the text"
			}
			o.colon, f.plain, f.ended = true, false, false
		case f.ended:
			return i, "quote-it", "text after a quoted value; wrap the whole value in quotes"
		case f.plain && c == '?':
			return i, "quote-it", "'?' inside unquoted text between brackets; quote the text"
		case f.plain && (c == '{' || c == '['):
			return i, "quote-it", "a bracket inside unquoted text between brackets; quote the text"
		case c == '{' || c == '[':
			f.open = append(f.open, flowOpen{bracket: c, off: i})
		case !f.plain && (c == '"' || c == '\''):
			f.quote = c
		default:
			f.plain = true
		}
	}
	return 0, "", ""
}
