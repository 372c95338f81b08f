package spec

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

var (
	wholeForm    = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)
	numberForm   = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)
	durationForm = regexp.MustCompile(`^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`)
	almostForm   = regexp.MustCompile(`^([0-9.]+) *([A-Za-z]+)$`)
)

// scalar fills a single value. The text of the file decides, never what YAML
// makes of it.
func (d *Decoder) scalar(n *yaml.Node, v reflect.Value, f *field, path string) {
	if n.Kind != yaml.ScalarNode {
		d.Errorf(n, "not-single", "%s must be %s, not %s", whole(path), wanted(v, f), collection(n))
		return
	}
	switch {
	case v.Type() == durationType:
		v.SetInt(int64(d.duration(n, path)))
	case v.Kind() == reflect.String:
		d.word(n, v, f, path)
	case v.Kind() == reflect.Bool:
		if n.Style != 0 || n.Value != "true" && n.Value != "false" {
			d.Errorf(n, "not-bool", "%s must be true or false, not %s", path, quoted(n))
		}
		v.SetBool(n.Value == "true")
	case v.Kind() == reflect.Int:
		v.SetInt(int64(d.whole(n, f, path)))
	case v.Kind() == reflect.Float64:
		x, err := strconv.ParseFloat(n.Value, 64)
		switch {
		case n.Style != 0 || !numberForm.MatchString(n.Value) || err != nil:
			d.Errorf(n, "not-number", "%s must be a number such as 2.50, not %s", path, quoted(n))
		case f.min != "" && x < 0:
			d.Errorf(n, "out-of-range", "%s must be at least %s, not %s", path, f.min, n.Value)
		}
		v.SetFloat(x)
	default:
		panic(fmt.Sprintf("spec: no form for a %s at %s", v.Type(), path))
	}
}

// word fills a text that is not prose.
func (d *Decoder) word(n *yaml.Node, v reflect.Value, f *field, path string) {
	if !f.is("verbatim") && len(f.values) == 0 && n.ShortTag() != "!!str" {
		if strings.HasSuffix(path, ".when") {
			d.Errorf(n, "not-text", "%s is a condition and must be text; quote the condition: '%s'", path, n.Value)
		} else {
			d.Errorf(n, "not-text", "%s must be text; quote it: %q", path, n.Value)
		}
		return
	}
	v.SetString(n.Value)
	if len(f.values) == 0 || slices.Contains(f.values, n.Value) {
		return
	}
	if slices.Contains(f.later, n.Value) {
		d.Errorf(n, "not-in-this-build", "%s: %s is known and not in this build yet", path, n.Value)
	} else {
		d.Errorf(n, "unknown-value", "%s must be %s, not %q%s%s", path, list(f.values, "or"), n.Value, didYouMean(n.Value, f.values), oddWords(n.Value))
	}
	v.SetString("")
}

func (d *Decoder) whole(n *yaml.Node, f *field, path string) int {
	x, err := strconv.Atoi(n.Value)
	if n.Style != 0 || !wholeForm.MatchString(n.Value) || err != nil {
		remedy := ""
		bare := strings.TrimLeft(strings.ReplaceAll(n.Value, "_", ""), "+0")
		if _, err := strconv.Atoi(bare); err == nil && wholeForm.MatchString(bare) {
			remedy = "; write " + bare
		}
		d.Errorf(n, "not-whole", "%s must be a whole number, not %s%s", path, quoted(n), remedy)
		return 0
	}
	if f.min != "" {
		least, err := strconv.Atoi(f.min)
		must(err)
		if x < least {
			d.Errorf(n, "out-of-range", "%s must be at least %d, not %d", path, least, x)
		}
	}
	return x
}

// duration refuses everything that is not clearly a time above zero.
func (d *Decoder) duration(n *yaml.Node, path string) time.Duration {
	text := n.Value
	x, err := time.ParseDuration(text)
	switch {
	case durationForm.MatchString(text) && err == nil && x > 0:
		return x
	case durationForm.MatchString(text) && err == nil:
		d.Errorf(n, "not-duration", "%s must be longer than nothing; leave it out for the default", path)
	case durationForm.MatchString(text):
		d.Errorf(n, "not-duration", "%s: %s is too long", path, text)
	case text == "0":
		d.Errorf(n, "duration-unit", "%s: 0 has no unit and must be longer than nothing; write 30s or leave it out", path)
	case wholeForm.MatchString(text) && text[0] != '-':
		d.Errorf(n, "duration-unit", "%s: %s has no unit; write %ss or %sm", path, text, text, text)
	case strings.HasPrefix(text, "-"):
		d.Errorf(n, "not-duration", "%s: %s is negative; write %s", path, text, strings.TrimLeft(text, "-"))
	default:
		d.Errorf(n, "not-duration", "%s: %s is no duration%s", path, quoted(n), durationRemedy(text))
	}
	return 0
}

// durationRemedy turns units of other tools into ours.
func durationRemedy(text string) string {
	if m := almostForm.FindStringSubmatch(text); m != nil && numberForm.MatchString(m[1]) {
		unit := strings.ToLower(m[2])
		for _, u := range []struct{ begin, unit string }{{"milli", "ms"}, {"ms", "ms"}, {"mi", "m"}, {"m", "m"}, {"s", "s"}, {"h", "h"}} {
			if strings.HasPrefix(unit, u.begin) {
				return "; write " + m[1] + u.unit
			}
		}
		if days, err := strconv.Atoi(m[1]); err == nil && strings.HasPrefix(unit, "d") {
			return fmt.Sprintf("; write %dh", 24*days)
		}
	}
	return "; write a number with ms, s, m or h, such as 90s or 1h30m"
}

// quoted is a value as it was written.
func quoted(n *yaml.Node) string {
	if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		return strconv.Quote(n.Value) + " in quotes"
	}
	if strings.ContainsAny(n.Value, " \n\t") || len(n.Value) > 40 {
		return "the text " + strconv.Quote(short(n.Value))
	}
	return n.Value
}

func short(s string) string { return cutTo(s, 40) }

// cutTo is a text of at most n characters.
func cutTo(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

func collection(n *yaml.Node) string {
	if n.Kind == yaml.SequenceNode {
		return "a list"
	}
	return "a mapping"
}

func wanted(v reflect.Value, f *field) string {
	switch {
	case len(f.values) > 0:
		return list(f.values, "or")
	case v.Type() == durationType:
		return "a duration such as 90s"
	case v.Kind() == reflect.Bool:
		return "true or false"
	case v.Kind() == reflect.Int:
		return "a whole number"
	case v.Kind() == reflect.Float64:
		return "a number"
	}
	return "text"
}
