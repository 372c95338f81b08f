package spec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// parse makes the nodes of a file and reports whether they can be walked.
func (l *loader) parse(doc *document) bool {
	if !l.scan(doc) {
		return false
	}
	var ok bool
	if path.Ext(doc.file) == ".json" {
		ok = l.parseJSON(doc)
	} else {
		ok = l.parseYAML(doc)
	}
	return ok && l.inspect(doc)
}

func (l *loader) parseYAML(doc *document) bool {
	if n := doc.longLine(); n > 0 {
		l.fail(doc, spot{n, 1}, "long-line", "line %d is longer than %d KiB; break the text into lines below a |, or put it into a file: {file: PATH}", n, maxLineBytes>>10)
		return false
	}
	if s, deep := doc.abyss(); deep {
		l.fail(doc, s, "too-deep", "more than %d levels of nesting", maxDepth)
		return false
	}
	dec := yaml.NewDecoder(bytes.NewReader(doc.src))
	var first, second yaml.Node
	err := dec.Decode(&first)
	switch {
	case errors.Is(err, io.EOF), err == nil && isNull(first.Content[0]):
		l.fail(doc, spot{1, 1}, "empty", "the file is empty; a team file begins with teamrun: v1")
		return false
	case err != nil:
		l.syntax(doc, err)
		return false
	}
	if err := dec.Decode(&second); !errors.Is(err, io.EOF) {
		l.fail(doc, secondDocument(doc, resolved(first.Content[0]).Line), "second-document", "a second document starts here; one team per file")
	}
	doc.root = first.Content[0]
	return true
}

// secondDocument is the place of the first --- below the line where the first
// document begins.
func secondDocument(doc *document, after int) spot {
	doc.line(1)
	for n := after + 1; n <= len(doc.lines); n++ {
		if line := doc.line(n); line == "---" || strings.HasPrefix(line, "--- ") {
			return spot{n, 1}
		}
	}
	return spot{max(1, len(doc.lines)), 1}
}

var parserPlace = regexp.MustCompile(`^yaml: (?:line \d+: )?`)

// parserWords is what the parser says, without the place, which is often wrong
// or missing.
func parserWords(err error) string { return parserPlace.ReplaceAllString(err.Error(), "") }

var unknownAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)

// syntax explains what the parser refused, in words of the person who wrote it.
func (l *loader) syntax(doc *document, err error) {
	words := parserWords(err)
	doc.line(1)
	first, at := doc.locate(err)
	for _, t := range doc.tabs {
		if t.line == at.line && !blank(doc.line(t.line)) {
			l.fail(doc, t, "tab", "tab used for indentation; YAML needs spaces")
			l.judgeHidden(doc)
			return
		}
	}
	code, msg := "syntax", ""
	line, here := doc.line(at.line), doc.from(at)
	value, col := valueOn(line)
	start := spot{at.line, col}
	var trouble spot
	var troubleCode, troubled string
	if flowWords(words) {
		trouble, troubleCode, troubled = doc.flowTrouble(first)
	}
	switch {
	case unknownAnchor.MatchString(words):
		name := unknownAnchor.FindStringSubmatch(words)[1]
		at = spot{at.line, 1 + utf8.RuneCountInString(line[:max(0, strings.Index(line, "*"+name))])}
		msg = fmt.Sprintf("*%s refers to an anchor that is not defined above; if it is text, quote it: '*%s'", name, name)
	case troubled != "":
		at, code, msg = trouble, troubleCode, troubled
	case strings.HasPrefix(words, "mapping values are not allowed"):
		code, msg = "quote-it", "':' inside an unquoted value; quote the text, or check the indentation of this line"
	case strings.HasPrefix(value, `"`) || strings.HasPrefix(value, "'"):
		switch {
		case strings.Contains(words, "quoted scalar") || strings.Contains(words, "end of stream"):
			msg = "this quote is not closed"
		case strings.Contains(words, "escape") || strings.Contains(words, "hexdecimal"):
			msg = `an escape that YAML does not know; in double quotes write \\ for a backslash, or use single quotes`
		case at.col > col:
			code, msg = "quote-it", "text after a quoted value; "+inQuotes(value, "wrap the whole value in quotes")
		}
	case strings.Contains(words, "end of stream"):
		msg = "the file ends inside a value; a quote or bracket is not closed"
	case strings.HasPrefix(value, "!"):
		at, code = start, "tag"
		msg = fmt.Sprintf("%q is read by YAML as a tag; quote it: %s", value, single(value))
	case opensBlock(line):
		at, msg = start, blockIndent
	case here != "" && strings.ContainsRune("*&!@`%", rune(here[0])):
		code, msg = "quote-it", fmt.Sprintf("a value that starts with %q is not plain text in YAML; quote it", here[:1])
	case value != "" && strings.ContainsRune("*&@`%", rune(value[0])):
		at, code = start, "quote-it"
		msg = fmt.Sprintf("a value that starts with %q is not plain text in YAML; quote it", value[:1])
	case strings.Contains(words, "',' or '}'") || strings.Contains(words, "',' or ']'"):
		msg = "a ',' or a closing bracket is missing before this; text with brackets, quotes or '?' in it must be quoted"
	case strings.Contains(words, "max depth"):
		code, msg = "too-deep", "more than 64 levels of nesting"
	case strings.Contains(words, "did not find expected key") && value != "" && (value[0] == '[' || value[0] == '{'):
		at, code, msg = start, "quote-it", "text after a closing bracket; quote the whole value"
	case strings.Contains(words, "did not find expected key"), strings.Contains(words, "'-' indicator"):
		msg = "a key or list item is expected here; check the indentation of this line"
	case strings.Contains(words, "could not find expected ':'") && opensBlock(doc.line(at.line-1)):
		_, col := valueOn(doc.line(at.line - 1))
		at, msg = spot{at.line - 1, col}, blockIndent
	case strings.Contains(words, "could not find expected ':'"):
		if off, _ := odd(line); off >= 0 {
			at.col = off + 1
		}
		msg = "':' is missing after a key; a mapping has lines of the form key: value"
	case strings.Contains(words, "block sequence entries"):
		msg = "a list item cannot start here; put it on a line of its own"
	case strings.Contains(words, "cannot start any token"):
		code, msg = "quote-it", "this character cannot start a value in YAML; quote it"
	}
	if msg == "" {
		msg = "YAML cannot be read here: " + words
	}
	l.fail(doc, at, code, "%s%s", msg, oddWords(line))
	l.judgeHidden(doc)
}

const blockIndent = "the lines of this block must be indented more than its key"

// opensBlock reports whether the value of a line is a block below it.
func opensBlock(line string) bool {
	value, _ := valueOn(line)
	return value != "" && strings.ContainsRune("|>", rune(value[0]))
}

// flowWords reports whether the parser may have stumbled over what stands
// between brackets.
func flowWords(words string) bool {
	for _, w := range []string{"',' or '}'", "',' or ']'", "mapping values", "end of stream", "a tag", "quoted scalar"} {
		if strings.Contains(words, w) {
			return true
		}
	}
	return false
}

// judgeHidden refuses the hidden characters of a file that has no nodes.
func (l *loader) judgeHidden(doc *document) {
	tabs := doc.tabs
	doc.tabs = nil
	l.judge(doc)
	doc.tabs = tabs
}

var valueStart = regexp.MustCompile(`^\s*(?:- +)*(?:[^\s:'"#{\[][^\s:'"#]*:\s+)?(?:- +)*`)

// valueOn is the value a line of block style has, with its column.
func valueOn(line string) (value string, col int) {
	head := valueStart.FindString(line)
	return strings.TrimRight(line[len(head):], " "), 1 + utf8.RuneCountInString(head)
}
