package spec

import (
	"reflect"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// fileRef is the long form of a text or of a struct that a file may hold.
type fileRef struct {
	File string `team:"file,required" like:"the path of a file" help:"path of a file, relative to the team file and inside its folder"`
}

// text fills prose or an argument and finds the parameters in it.
func (d *Decoder) text(n *yaml.Node, t *Text, f *field, path string) {
	at := d.place(n)
	t.Pos = at.pos()
	switch {
	case n.Kind == yaml.MappingNode && len(n.Content) > 0 && n.Style&yaml.FlowStyle != 0 && n.Column == n.Content[0].Column:
		d.Errorf(n, "quote-it", "':' inside an unquoted value; quote the text") // a pair in brackets, without braces
		return
	case n.Kind == yaml.MappingNode && f.is("file"):
		d.textFile(n, t, path)
		return
	case n.Kind != yaml.ScalarNode:
		d.Errorf(n, "not-single", "%s must be text, not %s", path, collection(n))
		return
	case f.is("verbatim") && strings.ContainsRune(n.Value, 0):
		d.Errorf(n, "control-char", "%s holds U+0000, which no argument of a program can; remove it", path)
		return
	case !f.is("verbatim") && n.ShortTag() != "!!str":
		d.Errorf(n, "not-text", "%s must be text; quote it: %q", path, n.Value)
		return
	}
	if !f.is("verbatim") {
		d.prose(n, path)
	}
	d.expand(n.Value, t, path, at.inside, at.note())
}

func (d *Decoder) textFile(n *yaml.Node, t *Text, path string) {
	var ref fileRef
	d.mapping(n, path, nil, reflect.ValueOf(&ref).Elem())
	doc := d.open(ref.File, join(path, "file"))
	if doc == nil {
		return
	}
	if !d.l.scan(doc) {
		return
	}
	doc.tabs = nil
	for i := range doc.hidden {
		doc.hidden[i].prose = true
	}
	d.l.judge(doc)
	t.Pos = Pos{doc.file, 1, 1}
	sub := *d
	sub.doc = doc
	text := strings.ReplaceAll(strings.TrimPrefix(string(doc.src), "\ufeff"), "\r\n", "\n")
	sub.expand(text, t, path, func(off int) spot {
		head := []rune(text)[:off]
		s := spot{1, 1}
		for _, r := range head {
			if s.col++; r == '\n' {
				s = spot{s.line + 1, 1}
			}
		}
		return s
	}, "")
}

// inside is the place of character off of a text; of an alias that of the alias.
func (p place) inside(off int) spot {
	if p.via != nil {
		return spot{p.via.Line, p.via.Column}
	}
	return p.doc.inside(p.node, off)
}

// expand splits s at its ${params.x}; at is the place of a character of s, and note
// the end of what is said about it.
func (d *Decoder) expand(s string, t *Text, path string, at func(off int) spot, note string) {
	var lit strings.Builder
	flush := func() {
		if lit.Len() > 0 {
			t.Parts = append(t.Parts, TextPart{Text: lit.String()})
			lit.Reset()
		}
	}
	for i := 0; i < len(s); {
		rest := s[i:]
		switch {
		case strings.HasPrefix(rest, "$$"):
			lit.WriteByte('$')
			i += 2
		case strings.HasPrefix(rest, "${"):
			end := strings.IndexByte(rest, '}')
			if d.l.full() {
				return
			}
			name, found := strings.CutPrefix(rest[2:max(2, end)], "params.")
			if end < 0 || !found || name == "" {
				d.l.fail(d.doc, at(utf8.RuneCountInString(s[:i])), "bad-expansion", "${ in %s begins a parameter: ${params.NAME}; write $${ for the two characters%s", path, note)
				lit.WriteString("${")
				i += 2
				continue
			}
			if p := d.l.param(name); p != nil {
				flush()
				t.Parts = append(t.Parts, TextPart{Text: p.Value, Param: name, Untrusted: p.Untrusted})
			} else {
				d.l.fail(d.doc, at(utf8.RuneCountInString(s[:i])+len("${params.")), "unknown-param", "no param %q in %s%s%s", name, path, meant(name, d.l.paramNames()), note)
			}
			i += end + 1
		default:
			next := strings.IndexByte(rest[1:], '$') + 1
			if next == 0 {
				next = len(rest)
			}
			lit.WriteString(rest[:next])
			i += next
		}
	}
	flush()
}
