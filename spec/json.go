package spec

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// jsonReader makes the nodes that YAML would give from JSON, which YAML itself
// reads wrongly in places.
type jsonReader struct {
	doc  *document
	src  []byte // without a byte order mark
	dec  *json.Decoder
	last int // where the place below was taken
	at   spot
}

// deepest is where reading stops; what is deeper than the language allows is
// refused with its place later.
const deepest = 4 * maxDepth

var errDeep = errors.New("too deep")

func (l *loader) parseJSON(doc *document) bool {
	src := bytes.TrimPrefix(doc.src, []byte("\ufeff"))
	r := &jsonReader{doc: doc, src: src, dec: json.NewDecoder(bytes.NewReader(src)), at: spot{1, 1}}
	r.dec.UseNumber()
	if len(bytes.TrimSpace(src)) == 0 {
		l.fail(doc, spot{1, 1}, "empty", `the file is empty; a team file begins with {"teamrun": "v1"`)
		return false
	}
	root, err := r.value(0)
	if err != nil {
		l.jsonSyntax(doc, r, err)
		return false
	}
	doc.root = root
	if _, err := r.dec.Token(); !errors.Is(err, io.EOF) {
		l.fail(doc, r.next(int(r.dec.InputOffset())), "second-document", "text after the end of the JSON value; one team per file")
	}
	return true
}

func (l *loader) jsonSyntax(doc *document, r *jsonReader, err error) {
	var se *json.SyntaxError
	switch {
	case errors.Is(err, errDeep):
		l.fail(doc, r.place(r.last), "too-deep", "more than %d levels of nesting", maxDepth)
	case errors.As(err, &se) && !strings.Contains(err.Error(), "unexpected end"):
		l.fail(doc, r.place(max(0, int(se.Offset)-1)), "syntax", "JSON cannot be read here: %s", err)
	default:
		l.fail(doc, r.place(len(bytes.TrimRight(r.src, " \t\r\n"))), "syntax", "the file ends inside a value; a quote or bracket is not closed")
	}
	l.judgeHidden(doc)
}

// place is the spot of a byte; it only goes forward, except for errors.
func (r *jsonReader) place(off int) spot {
	off = min(off, len(r.src))
	if off < r.last {
		r.last, r.at = 0, spot{1, 1}
	}
	for r.last < off {
		c, n := utf8.DecodeRune(r.src[r.last:])
		if r.at.col++; c == '\n' {
			r.at = spot{r.at.line + 1, 1}
		}
		r.last += n
	}
	return r.at
}

// next is the spot of the token that begins at or behind a byte.
func (r *jsonReader) next(off int) spot {
	for off < len(r.src) && bytes.IndexByte([]byte(" \t\r\n,:"), r.src[off]) >= 0 {
		off++
	}
	return r.place(off)
}

func (r *jsonReader) value(depth int) (*yaml.Node, error) {
	if depth > deepest {
		return nil, errDeep
	}
	at := r.next(int(r.dec.InputOffset()))
	tok, err := r.dec.Token()
	if err != nil {
		return nil, err
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Line: at.line, Column: at.col}
	switch t := tok.(type) {
	case json.Delim:
		n.Kind, n.Tag, n.Style = yaml.SequenceNode, "!!seq", yaml.FlowStyle
		if t == '{' {
			n.Kind, n.Tag = yaml.MappingNode, "!!map"
		}
		for r.dec.More() {
			kid, err := r.value(depth + 1)
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, kid)
		}
		if _, err := r.dec.Token(); err != nil {
			return nil, err
		}
	case string:
		n.Tag, n.Style, n.Value = "!!str", yaml.DoubleQuotedStyle, t
	case json.Number:
		n.Tag, n.Value = "!!int", t.String()
		if strings.ContainsAny(n.Value, ".eE") {
			n.Tag = "!!float"
		}
	case bool:
		n.Tag, n.Value = "!!bool", map[bool]string{true: "true", false: "false"}[t]
	case nil:
		n.Tag, n.Value = "!!null", "null"
	}
	return n, nil
}
