package spec

import "strings"

// condPath is a constant path to a value: members.qa.turns.
type condPath struct {
	name  string // as conditions write it
	steps []string
	typ   condType
	// excused: it stands left of ?? only, where an absent value is nothing.
	excused bool
}

func newCondPath(steps []string, typ condType) condPath {
	return condPath{name: pathName(steps), steps: steps, typ: typ}
}

// pathName writes steps as a condition does.
func pathName(steps []string) string {
	var b strings.Builder
	for i, s := range steps {
		switch {
		case strings.Contains(s, "-") || s[0] >= '0' && s[0] <= '9':
			b.WriteString(`["` + s + `"]`)
		case i > 0:
			b.WriteString("." + s)
		default:
			b.WriteString(s)
		}
	}
	return b.String()
}

// group is what the path reads, as coarse as changes are announced.
func (p *condPath) group() string {
	if p.steps[0] == "run" || len(p.steps) < 2 {
		return p.steps[0]
	}
	return p.steps[0] + "." + p.steps[1]
}

// look finds the value in values, which are maps in maps.
func (p *condPath) look(values map[string]any) (any, bool) {
	last := len(p.steps) - 1
	for _, s := range p.steps[:last] {
		m, ok := values[s].(map[string]any)
		if !ok {
			return nil, false
		}
		values = m
	}
	v, ok := values[p.steps[last]]
	return v, ok && v != nil
}
