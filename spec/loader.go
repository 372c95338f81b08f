package spec

import (
	"cmp"
	"fmt"
	"os"
	"reflect"
	"slices"

	"gopkg.in/yaml.v3"
)

// loader is the state of one Load.
type loader struct {
	opts     LoadOptions
	root     *os.Root // the folder of the spec; nil when there is none
	shown    string   // that folder as a user would type it
	files    []File
	read     int // bytes of all files
	problems []Problem
	whole    map[Problem]bool // those of problems
	spots    map[spotted]bool // where they are

	places map[string]place // where a value stands, by its path
	keys   map[string]place // where its key stands
	shapes map[reflect.Type]*shape

	params []Param
	used   map[string]bool // params that a text or condition names

	cut        map[string]bool // paths of texts that a comma in braces has cut
	misspelled bool            // a key at the top is not known
}

// place is a node of a document.
type place struct {
	doc  *document
	node *yaml.Node
	via  *yaml.Node // the alias that stands for the node, where it is a single value
}

// here is the node that stands at the place.
func (p place) here() *yaml.Node {
	if p.via != nil {
		return p.via
	}
	return p.node
}

func (p place) pos() Pos { return Pos{p.doc.file, p.here().Line, p.here().Column} }

func (p place) width() int { return p.doc.width(p.here()) }

// note says where the value of an alias is written, as the end of a message.
func (p place) note() string {
	if p.via == nil {
		return ""
	}
	return fmt.Sprintf(" (the value is that of &%s, at %d:%d)", p.via.Value, p.node.Line, p.node.Column)
}

type spotted struct {
	Pos
	code string
}

func newLoader(o LoadOptions) *loader {
	return &loader{
		opts:   o,
		places: map[string]place{},
		keys:   map[string]place{},
		shapes: map[reflect.Type]*shape{},
		used:   map[string]bool{},
		cut:    map[string]bool{},
		whole:  map[Problem]bool{},
		spots:  map[spotted]bool{},
	}
}

// maxProblems is the most problems of one pass that are kept.
const maxProblems = 500

func (l *loader) full() bool { return len(l.problems) >= maxProblems }

// add keeps a problem, each once. One that was met by way of an alias (behind) is
// kept once at its place, however often the anchor is used.
func (l *loader) add(p Problem, behind bool) {
	if l.full() {
		return
	}
	p.Len, p.Msg = max(p.Len, 1), cutTo(p.Msg, 400)
	at := spotted{p.Pos, p.Code}
	if l.whole[p] || behind && l.spots[at] {
		return
	}
	l.whole[p], l.spots[at] = true, true
	l.problems = append(l.problems, p)
}

// fail adds an error at a spot of a document.
func (l *loader) fail(doc *document, s spot, code, format string, args ...any) {
	l.add(Problem{Pos: Pos{doc.file, s.line, s.col}, Severity: Error, Code: code, Msg: fmt.Sprintf(format, args...)}, false)
}

// warn adds a warning at a spot of a document.
func (l *loader) warn(doc *document, s spot, code, format string, args ...any) {
	l.add(Problem{Pos: Pos{doc.file, s.line, s.col}, Severity: Warning, Code: code, Msg: fmt.Sprintf(format, args...)}, false)
}

// errorf adds an error at the value of path, or at the nearest value around it.
func (l *loader) errorf(path, code, format string, args ...any) {
	l.addAt(l.valueAt(path), Error, code, fmt.Sprintf(format, args...))
}

// errorAtKey adds an error at the key of path.
func (l *loader) errorAtKey(path, code, format string, args ...any) {
	l.addAt(l.keyAt(path), Error, code, fmt.Sprintf(format, args...))
}

// warnf adds a warning at the value of path.
func (l *loader) warnf(path, code, format string, args ...any) {
	l.addAt(l.valueAt(path), Warning, code, fmt.Sprintf(format, args...))
}

// warnAtKey adds a warning at the key of path.
func (l *loader) warnAtKey(path, code, format string, args ...any) {
	l.addAt(l.keyAt(path), Warning, code, fmt.Sprintf(format, args...))
}

func (l *loader) addAt(p place, sev Severity, code, msg string) {
	if l.full() {
		return
	}
	l.add(Problem{Pos: p.pos(), Len: p.width(), Severity: sev, Code: code, Msg: msg + p.note()}, false)
}

// has reports whether path was written.
func (l *loader) has(path string) bool {
	_, ok := l.places[path]
	return ok
}

func (l *loader) valueAt(path string) place {
	for {
		if p, ok := l.places[path]; ok {
			return p
		}
		path = parent(path)
	}
}

func (l *loader) keyAt(path string) place {
	for {
		if p, ok := l.keys[path]; ok {
			return p
		}
		if p, ok := l.places[path]; ok {
			return p
		}
		path = parent(path)
	}
}

// parent is the path around a path: "a.b[1].c" lies in "a.b[1]", that in "a.b".
func parent(path string) string {
	for i := len(path) - 1; i > 0; i-- {
		if path[i] == '.' || path[i] == '[' {
			return path[:i]
		}
	}
	return ""
}

// isMapping reports whether path was written as a mapping.
func (l *loader) isMapping(path string) bool {
	p, ok := l.places[path]
	return ok && p.node.Kind == yaml.MappingNode
}

// shape is the shape of struct t, read once.
func (l *loader) shape(t reflect.Type) *shape {
	s := l.shapes[t]
	if s == nil {
		s = shapeOf(t)
		l.shapes[t] = s
	}
	return s
}

func (l *loader) failed() bool {
	return slices.ContainsFunc(l.problems, func(p Problem) bool { return p.Severity == Error })
}

// sorted is all problems in the order of their places.
func (l *loader) sorted() []Problem {
	slices.SortStableFunc(l.problems, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(l.rank(a.File), l.rank(b.File)), cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col),
		)
	})
	if l.opts.Strict {
		for i := range l.problems {
			l.problems[i].Severity = Error
		}
	}
	return l.problems
}

// rank puts the spec first, then the files it names, then what is no file.
func (l *loader) rank(file string) int {
	for i := range l.files {
		if l.show(l.files[i].Path) == file {
			return i
		}
	}
	return len(l.files)
}
