package spec

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

const (
	maxPrinted = 20  // problems that are shown
	maxLine    = 100 // characters of a source line that are shown
)

// Print writes problems for a person: each on a line that is complete alone,
// then its source line with a caret, and a last line that sums up. read gives
// the text of a file, nil when there is none.
func Print(w io.Writer, ps []Problem, read func(file string) []byte, color bool) {
	p := &printer{w: w, read: read, color: color, lines: map[string][]string{}}
	for _, problem := range ps[:min(len(ps), maxPrinted)] {
		p.problem(problem)
	}
	if more := len(ps) - maxPrinted; more > 0 {
		fmt.Fprintf(w, "… and %d more (--json shows all)\n", more)
	}
	if len(ps) > 0 {
		p.summary(ps)
	}
}

type printer struct {
	w     io.Writer
	read  func(string) []byte
	color bool
	lines map[string][]string
}

func (p *printer) paint(style, s string) string {
	if !p.color {
		return s
	}
	return "\x1b[" + style + "m" + s + "\x1b[0m"
}

func (p *printer) problem(x Problem) {
	style := "1;31"
	if x.Severity == Warning {
		style = "1;33"
	}
	at := escape(x.Pos.String())
	fmt.Fprintf(p.w, "%s: %s: %s %s\n", p.paint("1", at), p.paint(style, string(x.Severity)), escape(x.Msg), p.paint("2", "["+x.Code+"]"))
	line, ok := p.line(x.Pos)
	if !ok {
		return
	}
	text, off, n := excerpt(line, x.Col-1, x.Len)
	fmt.Fprintf(p.w, "%5d | %s\n", x.Line, text)
	fmt.Fprintf(p.w, "      | %s%s\n", strings.Repeat(" ", off), p.paint(style, "^"+strings.Repeat("~", n-1)))
}

// line is the source line of a place.
func (p *printer) line(at Pos) (string, bool) {
	if at.Line == 0 {
		return "", false
	}
	lines, ok := p.lines[at.File]
	if !ok {
		src := bytes.ToValidUTF8(bytes.TrimPrefix(p.read(at.File), []byte("\ufeff")), []byte("\ufffd"))
		lines = strings.Split(string(src), "\n")
		p.lines[at.File] = lines
	}
	if at.Line > len(lines) {
		return "", false
	}
	line := strings.TrimSuffix(lines[at.Line-1], "\r")
	return line, line != ""
}

// excerpt is a line made safe and cut around n characters at off, with where
// these are then.
func excerpt(line string, off, n int) (text string, at, length int) {
	runes := []rune(line)
	off = min(off, len(runes))
	end := min(off+max(n, 1), max(len(runes), off+1))
	var head, mark, tail string
	head = escape(string(runes[:off]))
	mark = escape(string(runes[off:min(end, len(runes))]))
	tail = escape(string(runes[min(end, len(runes)):]))
	h, m, t := []rune(head), []rune(mark), []rune(tail)
	if len(h)+len(m)+len(t) > maxLine {
		if len(m) > maxLine/2 {
			m = append(slices.Clone(m[:maxLine/2]), '…')
			t = nil
		}
		before := min(len(h), max(maxLine/2, maxLine-len(m)-len(t)))
		before = min(before, maxLine-len(m))
		if before < len(h) {
			h = append([]rune{'…'}, h[len(h)-before+1:]...)
		}
		if room := maxLine - len(h) - len(m); room < len(t) {
			t = append(slices.Clone(t[:max(0, room-1)]), '…')
		}
	}
	return string(h) + string(m) + string(t), len(h), max(1, len(m))
}

// escape makes control and invisible characters visible; a tab is a space.
func escape(s string) string {
	if !strings.ContainsFunc(s, hostile) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\t':
			b.WriteByte(' ')
		case hostile(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func hostile(r rune) bool {
	return unicode.IsControl(r) || r == 0x2028 || r == 0x2029 || invisible(r) && !joiner(r)
}

func (p *printer) summary(ps []Problem) {
	var errors, warnings int
	var files []string
	code := ps[0].Code
	for i := len(ps) - 1; i >= 0; i-- {
		if ps[i].Severity == Error {
			errors++
			code = ps[i].Code
		} else {
			warnings++
		}
		file := ps[i].File
		if strings.HasPrefix(file, "--set ") {
			file = "--set" // of the command line, whichever param
		}
		if !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	var counts []string
	if errors > 0 {
		counts = append(counts, count(errors, "error"))
	}
	if warnings > 0 {
		counts = append(counts, count(warnings, "warning"))
	}
	where := files[0]
	if len(files) > 1 {
		where = count(len(files), "file")
	}
	nothing := ""
	if errors > 0 {
		nothing = "; nothing was started"
	}
	fmt.Fprintf(p.w, "%s in %s%s. Explain one: teamrun help %s\n", strings.Join(counts, " and "), escape(where), nothing, code)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
