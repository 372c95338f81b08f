package spec

import (
	"bytes"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// locate finds where the parser gave up: the line on which the refused value or
// entry begins, and the end of the shortest beginning of the file from there on
// that is refused with the same words.
//
// Only cuts in front of a line of block style say anything about what comes
// before them: a cut within brackets or quotes is refused like a mistake there.
//
// Where the search would take too long, it is the line the parser names.
func (d *document) locate(err error) (first int, at spot) {
	words := parserWords(err)
	first, at = d.search(words)
	if d.parsed <= maxParsed {
		return first, at
	}
	first = 1
	if m := parserLine.FindStringSubmatch(err.Error()); m != nil {
		first, _ = strconv.Atoi(m[1])
	}
	first = min(max(1, first), len(d.lines))
	return first, spot{first, 1}
}

var parserLine = regexp.MustCompile(`^yaml: line (\d+):`)

// maxParsed is how many bytes are parsed to find one place.
const maxParsed = 1 << 19

func (d *document) search(words string) (first int, at spot) {
	first = d.broken(1, len(d.lines)+1)
	from := d.offset(first)
	n := from + sort.Search(len(d.src)-from, func(n int) bool {
		err := d.refusal(from + n)
		return err != nil && parserWords(err) == words
	})
	head := bytes.TrimPrefix(d.src[:max(min(n, len(d.src))-1, 0)], []byte("\ufeff"))
	for len(head) > 0 && !utf8.Valid(head) {
		head = head[:len(head)-1] // the search ended inside a character
	}
	return first, spot{1 + bytes.Count(head, []byte("\n")), 1 + utf8.RuneCount(head[bytes.LastIndexByte(head, '\n')+1:])}
}

// refusal is what the parser says of the first n bytes; nothing once too many were
// parsed.
func (d *document) refusal(n int) error {
	if d.parsed+n > maxParsed {
		d.parsed = maxParsed + 1
		return nil
	}
	d.parsed += n
	var x yaml.Node
	return yaml.Unmarshal(d.src[:n], &x)
}

// broken is the line on which what is wrong in the lines [first, end) begins,
// of which first is known to be reached by the parser. It goes down the
// indentation: of the least indented lines the last that is reached, then the
// lines below that one.
func (d *document) broken(first, end int) int {
	for {
		least := -1
		for n := first + 1; n < end; n++ {
			if in, ok := d.begins(n); ok && (least < 0 || in < least) {
				least = in
			}
		}
		if least < 0 {
			return first
		}
		var cuts []int
		for n := first + 1; n < end; n++ {
			if in, ok := d.begins(n); ok && in == least {
				cuts = append(cuts, n)
			}
		}
		reached := sort.Search(len(cuts), func(i int) bool { return d.refusal(d.offset(cuts[i])) != nil })
		if reached < len(cuts) {
			end = cuts[reached]
		}
		if reached > 0 {
			first = cuts[reached-1]
		}
	}
}

// begins is the indentation of a line that can begin something: it is neither
// empty, a comment nor the end of brackets.
func (d *document) begins(n int) (indent int, ok bool) {
	line := d.line(n)
	text := strings.TrimLeft(line, " \t")
	return len(line) - len(text), text != "" && !strings.ContainsAny(text[:1], "#]}")
}

// offset is the byte of the file at which line n begins.
func (d *document) offset(n int) int {
	if d.begin == nil {
		d.begin = []int{0}
		for i, c := range d.src {
			if c == '\n' {
				d.begin = append(d.begin, i+1)
			}
		}
	}
	if n > len(d.begin) {
		return len(d.src)
	}
	return d.begin[n-1]
}
