package spec

import "gopkg.in/yaml.v3"

// pair is one key of a mapping; merged is 1 when it came by a <<.
type pair struct {
	key, val *yaml.Node
	merged   int
}

// pairs is the keys of mapping n, those of << behind its own. A key of the
// mapping itself wins over a merged one, an earlier merge over a later; lists
// are replaced, never joined.
func (d *Decoder) pairs(n *yaml.Node) []pair {
	own := make([]pair, 0, len(n.Content)/2)
	seen := make(map[string]bool, len(n.Content)/2)
	var merges []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, val := n.Content[i], n.Content[i+1]
		switch {
		case key.Kind == yaml.ScalarNode && key.ShortTag() == "!!merge":
			merges = append(merges, val)
		case key.Kind == yaml.ScalarNode && seen[key.Value]:
			// inspect has refused the second one
		default:
			seen[key.Value] = true
			own = append(own, pair{key: key, val: val})
		}
	}
	for _, m := range merges {
		d.merge(m, seen, &own)
	}
	return own
}

func (d *Decoder) merge(m *yaml.Node, seen map[string]bool, out *[]pair) {
	m = resolved(m)
	sources := []*yaml.Node{m}
	if m.Kind == yaml.SequenceNode {
		sources = m.Content
	}
	for _, s := range sources {
		if s = resolved(s); s.Kind != yaml.MappingNode {
			continue
		}
		if !d.spend(s) {
			return
		}
		for _, p := range d.pairs(s) {
			if !d.spend(p.key) {
				return
			}
			if !seen[p.key.Value] {
				seen[p.key.Value] = true
				*out = append(*out, pair{p.key, p.val, 1})
			}
		}
	}
}
