package spec

import (
	"reflect"
	"strconv"

	"gopkg.in/yaml.v3"
)

// free fills v with data that no struct describes: map[string]any, []any,
// string, int, float64, bool and nil.
func (d *Decoder) free(n *yaml.Node, v reflect.Value, path string) {
	if v.Kind() == reflect.Map && !d.isMapping(n, v.Type(), path) {
		return
	}
	if x := d.data(n, path); x != nil {
		v.Set(reflect.ValueOf(x))
	}
}

func (d *Decoder) data(n *yaml.Node, path string) any {
	switch n.Kind {
	case yaml.MappingNode:
		m := map[string]any{}
		for _, p := range d.pairs(n) {
			if p.key.Kind != yaml.ScalarNode {
				continue
			}
			var x any
			d.pair(&p, reflect.ValueOf(&x).Elem(), no, join(path, p.key.Value))
			m[p.key.Value] = x
		}
		return m
	case yaml.SequenceNode:
		s := make([]any, len(n.Content))
		for i, c := range n.Content {
			d.value(c, reflect.ValueOf(&s[i]).Elem(), no, path+"["+strconv.Itoa(i)+"]")
		}
		return s
	}
	return d.plain(n, path)
}

func (d *Decoder) plain(n *yaml.Node, path string) any {
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		if n.Value == "true" || n.Value == "false" {
			return n.Value == "true"
		}
		d.Errorf(n, "not-bool", "%s: write true or false, or quote the text %q", path, n.Value)
	case "!!int", "!!float":
		if x, err := strconv.Atoi(n.Value); err == nil && wholeForm.MatchString(n.Value) {
			return x
		}
		if x, err := strconv.ParseFloat(n.Value, 64); err == nil && numberForm.MatchString(n.Value) {
			return x
		}
		d.Errorf(n, "not-number", "%s: %s is no plain number; write it in decimal or quote the text", path, n.Value)
	}
	return n.Value
}
