package spec

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// rawParam is params.P as written.
type rawParam struct {
	Name      string    `team:",name"`
	Type      ParamType `team:"type" default:"text" values:"text number bool ref path enum" help:"what a value may be; ref is a git revision, path starts in the work folder"`
	Default   *string   `team:"default,verbatim" help:"the value of a run that gives none"`
	Required  bool      `team:"required" default:"false" help:"every run must give a value"`
	Untrusted bool      `team:"untrusted" default:"false" help:"the value comes from outside; prompts fence it as data"`
	Help      string    `team:"help" help:"what the parameter is for"`
	Values    []string  `team:"values,verbatim" help:"the values of an enum"`
}

// rawParams is decoded before everything else, because texts hold the values.
type rawParams struct{ List []rawParam }

var paramsField = &field{key: "params", opts: map[string]bool{"named": true}}

// DecodeSpec implements Decoded.
func (r *rawParams) DecodeSpec(d *Decoder, n *yaml.Node, path string) {
	d.named(n, reflect.ValueOf(&r.List).Elem(), paramsField, path)
	for i := range r.List {
		d.l.params = append(d.l.params, d.l.resolveParam(&r.List[i], join(path, r.List[i].Name)))
	}
}

func (rawParams) specSchema(s *schemaMaker) object {
	return s.named(s.of(reflect.TypeFor[rawParam](), no), nameForm.String())
}

func (l *loader) resolveParam(r *rawParam, path string) Param {
	p := Param{
		Name: r.Name, Type: r.Type, Default: r.Default, Required: r.Required,
		Untrusted: r.Untrusted, Help: r.Help, Values: r.Values,
	}
	at := join(path, "default")
	switch {
	case !l.isMapping(path):
		// has been refused
	case p.Type == ParamEnum && len(p.Values) == 0:
		l.errorAtKey(path, "missing-key", "%s is an enum and needs the key \"values\"", path)
	case p.Type != ParamEnum && len(p.Values) > 0:
		l.errorAtKey(join(path, "values"), "wrong-key", "%s: only an enum has values; write type: enum", path)
	case p.Required && p.Default != nil:
		l.errorAtKey(at, "wrong-key", "%s is required and has a default; keep one of the two", path)
	case p.Default != nil:
		quotes := l.places[at].node.Style != 0 && (p.Type == ParamNumber || p.Type == ParamBool)
		if why := p.fits(*p.Default); why != "" || quotes {
			l.errorf(at, "bad-param", "the default of %s %s", path, orElse(why, "must not be in quotes"))
		}
	case !p.Required && p.Type != ParamText:
		l.errorAtKey(path, "missing-key", "%s needs a default, or required: true", path)
	}
	if p.Default != nil {
		p.Value, p.Given = *p.Default, true
	} else if !p.Required {
		p.Given = true
	}
	if v, ok := l.opts.Set[p.Name]; ok {
		if why := p.fits(v); why != "" {
			l.add(Problem{Pos: Pos{File: "--set " + p.Name}, Severity: Error, Code: "bad-param", Msg: fmt.Sprintf("the value of %s %s", path, why)}, false)
		}
		p.Value, p.Given = v, true
	}
	if !p.Given && l.opts.NeedParams {
		l.errorAtKey(path, "param-required", "%s is required; give it: --set %s=VALUE", path, p.Name)
	}
	return p
}

// fits is "" when v is a value of the parameter, else what is wrong.
func (p *Param) fits(v string) string {
	if strings.ContainsRune(v, 0) {
		return "must not hold U+0000, which no argument of a program can"
	}
	bad := ""
	switch p.Type {
	case ParamNumber:
		if !numberForm.MatchString(v) {
			bad = "must be a number"
		}
	case ParamBool:
		if v != "true" && v != "false" {
			bad = "must be true or false"
		}
	case ParamEnum:
		if !slices.Contains(p.Values, v) {
			bad = "must be " + list(p.Values, "or")
		}
	case ParamRef:
		if v == "" || v[0] == '-' || strings.Contains(v, "..") || strings.ContainsFunc(v, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
			bad = "must be a git revision"
		}
	case ParamPath:
		if v == "" || v[0] == '-' {
			bad = "must be a path and not begin with \"-\""
		}
	}
	if bad == "" {
		return ""
	}
	return fmt.Sprintf("%s, not %q", bad, short(v))
}

// unknownSets refuses values for parameters that are not declared.
func (l *loader) unknownSets() {
	for _, name := range slices.Sorted(maps.Keys(l.opts.Set)) {
		if !slices.ContainsFunc(l.params, func(p Param) bool { return p.Name == name }) {
			l.add(Problem{
				Pos: Pos{File: "--set " + name}, Severity: Error, Code: "unknown-param",
				Msg: fmt.Sprintf("no param %q in the team file%s", name, meant(name, l.paramNames())),
			}, false)
		}
	}
}

// param finds a declared parameter and notes that something names it.
func (l *loader) param(name string) *Param {
	for i := range l.params {
		if l.params[i].Name == name {
			l.used[name] = true
			return &l.params[i]
		}
	}
	return nil
}

func (l *loader) paramNames() []string {
	var names []string
	for _, p := range l.params {
		names = append(names, p.Name)
	}
	return names
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
