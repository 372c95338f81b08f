package spec

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"
)

// The bounds of a document. A node met by way of an alias counts each time.
const (
	maxDepth   = 64
	maxAliases = 100
	maxNodes   = 10000
)

// inspector looks once at every node as it is written, aliases not followed,
// and refuses what no noun may hold.
type inspector struct {
	l       *loader
	doc     *document
	path    []string
	flow    int                 // braces and brackets around the present node
	open    map[*yaml.Node]bool // anchored nodes around the present one
	aliases int
	fatal   bool
}

// inspect reports whether the nodes can be walked without danger.
func (l *loader) inspect(doc *document) bool {
	i := &inspector{l: l, doc: doc, open: map[*yaml.Node]bool{}}
	i.node(doc.root, 0)
	if !i.fatal {
		i.bombs()
	}
	return !i.fatal
}

func (i *inspector) fail(n *yaml.Node, code, format string, args ...any) {
	if i.l.full() {
		return
	}
	i.l.addAt(place{doc: i.doc, node: n}, Error, code, fmt.Sprintf(format, args...))
}

func (i *inspector) node(n *yaml.Node, depth int) {
	switch {
	case i.fatal:
		return
	case depth > maxDepth:
		i.fatal = true
		i.fail(n, "too-deep", "more than %d levels of nesting", maxDepth)
		return
	case n.Kind == yaml.AliasNode:
		i.alias(n)
		return
	}
	if n.Style&yaml.TaggedStyle != 0 {
		i.tag(n)
	}
	if n.Anchor != "" {
		i.open[n] = true
		defer delete(i.open, n)
	}
	if n.Style&yaml.FlowStyle != 0 {
		i.flow++
		defer func() { i.flow-- }()
	}
	if n.Kind == yaml.MappingNode {
		i.mapping(n, depth)
		return
	}
	for k, c := range n.Content {
		i.path = append(i.path, fmt.Sprintf("[%d]", k))
		i.node(c, depth+1)
		i.path = i.path[:len(i.path)-1]
	}
}

func (i *inspector) alias(n *yaml.Node) {
	i.aliases++
	switch {
	case i.open[n.Alias]:
		i.fatal = true
		i.fail(n, "alias-cycle", "*%s stands inside its own anchor", n.Value)
	case i.aliases > maxAliases:
		i.fatal = true
		i.fail(n, "too-many-aliases", "more than %d aliases in one file", maxAliases)
	}
}

// bombs counts what the free keys at the top would be with all aliases written out:
// nobody walks them, and other programs read the file too.
func (i *inspector) bombs() {
	if i.doc.root.Kind != yaml.MappingNode {
		return
	}
	sizes, all := map[*yaml.Node]int{}, 0
	for k := 0; k+1 < len(i.doc.root.Content); k += 2 {
		key, val := i.doc.root.Content[k], i.doc.root.Content[k+1]
		if !strings.HasPrefix(key.Value, "x-") {
			continue
		}
		each(val, func(n *yaml.Node) {
			if n.Kind == yaml.AliasNode {
				all = min(all+size(n.Alias, sizes), maxNodes+1)
			}
		})
		if all > maxNodes {
			i.fatal = true
			i.fail(key, "too-many-values", "more than %d values, counting anchors each time they are used", maxNodes)
			return
		}
	}
}

// size is the number of nodes of n with all aliases written out, but never much more
// than maxNodes.
func size(n *yaml.Node, known map[*yaml.Node]int) int {
	n = resolved(n)
	if s, ok := known[n]; ok {
		return s
	}
	s := 1
	for _, c := range n.Content {
		s = min(s+size(c, known), maxNodes+1)
	}
	known[n] = s
	return s
}

// tag refuses a tag; most are conditions or text that begin with "!".
func (i *inspector) tag(n *yaml.Node) {
	if n.Kind != yaml.ScalarNode {
		i.fail(n, "tag", "the tag %s has no meaning in a team file; remove it", n.Tag)
		return
	}
	what := "the text"
	if len(i.path) > 0 && i.path[len(i.path)-1] == "when" {
		what = "the condition"
	}
	text := strings.TrimRight(n.Tag+" "+n.Value, " ")
	if i.flow > 0 {
		text = flowText(i.doc.from(spot{n.Line, n.Column})) // to YAML a comma is a part of a tag
	}
	i.fail(n, "tag", "%q is read by YAML as a tag; quote %s: %s", text, what, single(text))
}

func (i *inspector) mapping(n *yaml.Node, depth int) {
	seen := map[string]*yaml.Node{}
	var merge *yaml.Node
	for k := 0; k+1 < len(n.Content); k += 2 {
		key, val := n.Content[k], n.Content[k+1]
		name := key.Value
		switch {
		case key.Kind != yaml.ScalarNode:
			i.fail(key, "bad-key", "a key must be a word; braces or brackets in text must be quoted")
			i.node(val, depth+1)
			continue
		case key.Style&yaml.TaggedStyle != 0:
			i.tag(key)
		case key.ShortTag() == "!!merge":
			if merge != nil {
				i.fail(key, "two-merges", "only one << in a mapping; write <<: [*a, *b]")
			}
			merge = key
			i.merge(val)
		case seen[name] != nil:
			first := seen[name]
			i.fail(key, "duplicate-key", "%q is already in %s, at %d:%d", name, i.where(), first.Line, first.Column)
		default:
			seen[name] = key
		}
		i.path = append(i.path, name)
		i.node(val, depth+1)
		i.path = i.path[:len(i.path)-1]
	}
}

// merge refuses a << of anything but mappings.
func (i *inspector) merge(val *yaml.Node) {
	sources := []*yaml.Node{val}
	if val.Kind == yaml.SequenceNode {
		sources = val.Content
	}
	for _, s := range sources {
		if resolved(s).Kind != yaml.MappingNode {
			i.fail(s, "bad-merge", "<< takes a mapping or a list of mappings: <<: *a")
		}
	}
}

func (i *inspector) where() string {
	return whole(strings.ReplaceAll(strings.Join(i.path, "."), ".[", "["))
}

// whole is a path as messages name it.
func whole(path string) string {
	if path == "" {
		return "the team file"
	}
	return path
}
