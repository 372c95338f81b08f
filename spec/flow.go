package spec

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// flowTrouble finds what broke a value in braces or brackets that begins on
// line n: YAML's parser says only that it broke, and not where.
func (d *document) flowTrouble(n int) (at spot, code, msg string) {
	f := &flowScan{}
	for i := n; i <= len(d.lines); i++ {
		line := d.line(i)
		if i > n && entryLine.MatchString(line) && !goesOn(d.line(i-1)) {
			if f.quote == 0 && indentOf(line) > indentOf(d.line(f.last().line)) {
				return spot{i, 1 + indentOf(line)}, "syntax", "a ',' is missing at the end of the line above"
			}
			return f.unclosed() // the next entry of what is around
		}
		if off, code, msg := f.line(line, i == n); msg != "" {
			if code == unclosed {
				f.opened(i, line)
				return f.last(), "syntax", msg
			}
			return spot{i, 1 + utf8.RuneCountInString(line[:off])}, code, msg
		}
		f.opened(i, line)
		if len(f.open) == 0 {
			return spot{}, "", ""
		}
	}
	return f.unclosed()
}

// entryLine begins with a key or is an item of a list in block style.
var entryLine = regexp.MustCompile(`^\s*(?:- |["']?[A-Za-z0-9_-]+["']?:(?: |$))`)

// goesOn reports whether a line within brackets is not the last of its entry.
func goesOn(line string) bool {
	line = strings.TrimRight(line, " \t")
	return line == "" || strings.ContainsAny(line[len(line)-1:], ",[{:")
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// flowScan reads values between braces and brackets.
type flowScan struct {
	open  []flowOpen
	quote byte // the quote around the present character
	plain bool // within text without quotes
	ended bool // behind a quoted text
	start int  // byte of the line at which the text began, -1 on an earlier one
}

type flowOpen struct {
	bracket byte
	off     int
	at      spot // zero until its line is read
	colon   bool // a key and its colon were read in this entry
}

// unclosed is the code of a trouble that is shown at the bracket.
const unclosed = "unclosed"

func (f *flowScan) last() spot { return f.open[len(f.open)-1].at }

func (f *flowScan) unclosed() (spot, string, string) {
	return f.last(), "syntax", "this bracket is not closed"
}

// opened notes the places of the brackets that a line has opened.
func (f *flowScan) opened(n int, line string) {
	for i := range f.open {
		if o := &f.open[i]; o.at.line == 0 {
			o.at = spot{n, 1 + utf8.RuneCountInString(line[:o.off])}
		}
	}
	f.start = -1
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
	quoteIt := func(what string) (int, string, string) {
		text := ""
		if f.start >= 0 {
			text = flowText(line[f.start:])
		}
		return i, "quote-it", what + "; " + inQuotes(text, "quote the text")
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
			if o := f.open[len(f.open)-1].bracket; o != c-2 {
				return i, unclosed, fmt.Sprintf("this '%c' is not closed: where its '%c' belongs stands '%c'", o, o+2, c)
			}
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
				return quoteIt("':' inside an unquoted value")
			}
			o.colon, f.plain, f.ended = true, false, false
		case f.ended:
			return quoteIt("text after a quoted value")
		case f.plain && c == '?':
			return quoteIt("'?' inside unquoted text between brackets")
		case f.plain && (c == '{' || c == '['):
			return quoteIt("a bracket inside unquoted text between brackets")
		case len(f.open) > maxDepth:
			return 0, "", ""
		case c == '{' || c == '[':
			f.open = append(f.open, flowOpen{bracket: c, off: i})
		case !f.plain && c == '!':
			text := flowText(line[i:])
			return i, "tag", fmt.Sprintf("%q is read by YAML as a tag; quote it: %s", text, single(text))
		case !f.plain && (c == '"' || c == '\''):
			f.quote, f.start = c, i
		default:
			if !f.plain {
				f.start = i
			}
			f.plain = true
		}
	}
	return 0, "", ""
}

// flowText is the beginning of s up to where a value between brackets was meant
// to end: commas and brackets that belong to brackets of its own are its own.
func flowText(s string) string {
	depth, quote := 0, rune(0)
	for i, r := range s {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"':
			quote = r
		case strings.ContainsRune("([{", r):
			depth++
		case depth > 0 && strings.ContainsRune(")]}", r):
			depth--
		case depth == 0 && strings.ContainsRune(",]}", r):
			return strings.TrimRight(s[:i], " ")
		}
	}
	return strings.TrimRight(s, " ")
}

// single is a text in single quotes, as YAML reads it.
func single(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// inQuotes is the remedy of a text that needs quotes, as it can be copied; other
// where that cannot be said.
func inQuotes(text, other string) string {
	if second := strings.IndexByte(strings.TrimPrefix(text, `"`), '"') + 1; strings.HasPrefix(text, `"`) && strings.HasSuffix(text, `"`) &&
		second > 0 && second+1 < len(text) && text[second+1] != ' ' {
		text = text[1 : len(text)-1] // double quotes around a text that has some
	}
	switch {
	case text == "" || len(text) > 200 || strings.HasPrefix(text, "'"):
		return other
	case strings.Contains(text, `"`):
		return "put it in single quotes: " + single(text)
	case strings.Contains(text, "'"):
		return `quote it: "` + strings.ReplaceAll(text, `\`, `\\`) + `"`
	}
	return "quote it: " + single(text)
}
