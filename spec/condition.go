package spec

import (
	"slices"
	"unicode/utf8"
)

// resolveStops compiles the conditions of stop.
func (r *resolver) resolveStops() {
	sc := newScope(r.team)
	for i, raw := range r.raw.Stop {
		path := index("stop", i)
		at := join(path, "when")
		s := Stop{Pos: r.valueAt(path).pos(), Outcome: raw.Outcome, Reason: raw.Reason.String(), Then: raw.Then}
		s.When = r.condition(sc, raw.When, at)
		if s.Reason == "" {
			s.Reason = raw.When
		}
		r.team.Stops = append(r.team.Stops, s)
	}
}

// condition compiles the condition at path and puts its problems into the file.
func (l *loader) condition(sc *scope, src, path string) *Cond {
	p, ok := l.places[path]
	if !ok || l.cut[path] || l.failedAt(path) {
		return nil
	}
	at := p.inside
	off := 0
	for _, r := range src {
		if invisible(r) {
			if s := at(off); !slices.ContainsFunc(p.doc.hidden, func(h hiddenChar) bool { return h.spot == s }) {
				l.fail(p.doc, s, "hidden-char", "invisible character %s in %s; remove it", codePoint(r), path)
			}
			return nil
		}
		off++
	}
	if off, r := odd(src); off >= 0 && !insideQuotes(src, off) {
		l.fail(p.doc, at(off), "odd-char", "%s, in %s", describe(r), path)
		return nil
	}
	cond, problems := sc.compile(src)
	for _, c := range problems {
		s := at(c.off)
		sev := Error
		if c.warn {
			sev = Warning
		}
		l.add(Problem{Pos: Pos{p.doc.file, s.line, s.col}, Len: c.len, Severity: sev, Code: c.code, Msg: c.msg + " (in " + path + ")" + p.note()}, false)
	}
	return cond
}

func (l *loader) failedAt(path string) bool {
	pos := l.places[path].pos()
	for _, e := range l.problems {
		if e.Severity == Error && e.Pos == pos {
			return true
		}
	}
	return false
}

// insideQuotes reports whether character off of a condition is in a text.
func insideQuotes(src string, off int) bool {
	var open rune
	i := 0
	for _, r := range src {
		if i == off {
			return open != 0
		}
		switch {
		case open == 0 && (r == '"' || r == '\'' || r == '`'):
			open = r
		case r == open:
			open = 0
		}
		i++
	}
	return utf8.RuneCountInString(src) > off && open != 0
}
