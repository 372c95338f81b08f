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

// Decoder fills structs from the nodes of one document. It has said everything
// that is wrong when a value is left zero.
type Decoder struct {
	l      *loader
	doc    *document
	depth  int
	behind int  // aliases and merges the present node is behind
	spent  *int // nodes met behind them
	// via is the last alias of a single value that was followed.
	via *yaml.Node
	// absent are the keys that the mapping of a text in a block could have and
	// has not.
	absent map[string]bool
}

// Decoded is implemented by values that can be written in several forms. n is
// never an alias and never empty; path is what messages call the value.
type Decoded interface {
	DecodeSpec(d *Decoder, n *yaml.Node, path string)
}

// Value fills *out from n.
func (d *Decoder) Value(n *yaml.Node, out any, path string) {
	d.value(n, reflect.ValueOf(out).Elem(), no, path)
}

// Errorf refuses node n.
func (d *Decoder) Errorf(n *yaml.Node, code, format string, args ...any) {
	d.add(n, Error, code, fmt.Sprintf(format, args...))
}

// Warnf warns about node n.
func (d *Decoder) Warnf(n *yaml.Node, code, format string, args ...any) {
	d.add(n, Warning, code, fmt.Sprintf(format, args...))
}

func (d *Decoder) add(n *yaml.Node, sev Severity, code, msg string) {
	if d.l.full() {
		return
	}
	p := d.place(n)
	d.l.add(Problem{Pos: p.pos(), Len: p.width(), Severity: sev, Code: code, Msg: msg + p.note()}, d.behind > 0 && p.via == nil)
}

// place is where node n stands, and the alias it was met by.
func (d *Decoder) place(n *yaml.Node) place {
	p := place{doc: d.doc, node: n}
	if d.via != nil && d.via.Alias == n {
		p.via = d.via
	}
	return p
}

// enter counts one node and reports whether it may be walked.
func (d *Decoder) enter(n *yaml.Node) bool {
	if d.depth++; d.depth > maxDepth {
		d.Errorf(n, "too-deep", "more than %d levels of nesting", maxDepth)
		return false
	}
	return d.behind == 0 || d.spend(n)
}

// spend counts one node behind an alias.
func (d *Decoder) spend(n *yaml.Node) bool {
	*d.spent++
	if *d.spent == maxNodes+1 {
		d.Errorf(n, "too-many-values", "more than %d values, counting anchors each time they are used", maxNodes)
	}
	return *d.spent <= maxNodes
}

var (
	durationType = reflect.TypeFor[time.Duration]()
	textType     = reflect.TypeFor[Text]()
	textsType    = reflect.TypeFor[[]Text]()
	laterType    = reflect.TypeFor[later]()
	decodedType  = reflect.TypeFor[Decoded]()
)

// later is the type of a key that this build does not have.
type later struct{}

// value fills v, which f describes, from n.
func (d *Decoder) value(n *yaml.Node, v reflect.Value, f *field, path string) {
	if n.Kind == yaml.AliasNode {
		d.behind++
		defer func(via *yaml.Node) { d.behind--; d.via = via }(d.via)
		if n.Alias.Kind == yaml.ScalarNode {
			d.via = n
		}
		n = n.Alias
	}
	defer func(depth int) { d.depth = depth }(d.depth)
	if !d.enter(n) {
		return
	}
	d.l.places[path] = d.place(n)
	if n.Style&yaml.TaggedStyle != 0 {
		return // inspect has refused it
	}
	if isNull(n) && v.Kind() != reflect.Interface {
		d.empty(n, v, f, path)
		return
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	if f.is("file") && v.Type() != textType && d.fromFile(n, v, path) {
		return
	}
	if c, ok := v.Addr().Interface().(Decoded); ok {
		c.DecodeSpec(d, n, path)
		return
	}
	switch {
	case f.is("named") || f.is("filenamed") || f.is("fielded"):
		d.named(n, v, f, path)
	case v.Type() == textType:
		d.text(n, v.Addr().Interface().(*Text), f, path)
	case v.Kind() == reflect.Struct:
		if d.isMapping(n, v.Type(), path) {
			d.mapping(n, path, nil, v)
		}
	case v.Kind() == reflect.Slice:
		d.list(n, v, f, path)
	case v.Kind() == reflect.Map, v.Kind() == reflect.Interface:
		d.free(n, v, path)
	default:
		d.scalar(n, v, f, path)
	}
}

// empty refuses a key without a value.
func (d *Decoder) empty(n *yaml.Node, v reflect.Value, f *field, path string) {
	if k, ok := d.l.keys[path]; ok && k.doc == d.doc {
		n = k.node
	}
	word := "value"
	if v.Kind() == reflect.Struct && v.Type() != textType && len(d.l.shape(v.Type()).fields) > 0 {
		word = "definition"
	}
	d.Errorf(n, "empty-value", "%s has no %s; write one or leave the key out", whole(path), word)
}

func (d *Decoder) isMapping(n *yaml.Node, t reflect.Type, path string) bool {
	if n.Kind == yaml.MappingNode {
		return true
	}
	remedy := "a mapping"
	switch t.Kind() {
	case reflect.Slice:
		remedy = "a mapping of names"
	case reflect.Struct:
		if keys := d.l.shape(t).keys(); len(keys) > 0 {
			remedy += " with keys such as " + list(keys[:min(3, len(keys))], "and")
		}
	}
	d.Errorf(n, "not-mapping", "%s must be %s%s", whole(path), remedy, oddWords(n.Value))
	return false
}

// mapping fills the fields of one or more structs from n. Fields are decoded in
// the order of the structs, so what is needed first stands first there. A key
// of no struct is refused unless free accepts it.
func (d *Decoder) mapping(n *yaml.Node, path string, free func(string) bool, targets ...reflect.Value) {
	pairs := d.pairs(n)
	byName := make(map[string]*pair, len(pairs))
	for i := range pairs {
		p := &pairs[i]
		if byName[p.key.Value] == nil {
			byName[p.key.Value] = p
		}
	}
	keys := d.keysOf(targets)
	meantKeys, complexKey := map[string]bool{}, false
	for i := range pairs {
		complexKey = complexKey || pairs[i].key.Kind != yaml.ScalarNode
		if p := &pairs[i]; p.key.Kind == yaml.ScalarNode && !slices.Contains(keys, p.key.Value) && (free == nil || !free(p.key.Value)) {
			d.unknownKey(n, pairs[:i+1], path, d.offered(targets))
			meantKeys[Nearest(p.key.Value, keys)] = true
		}
	}
	for _, v := range targets {
		s := d.l.shape(v.Type())
		for i := range s.fields {
			f := &s.fields[i]
			p := byName[f.key]
			if p == nil {
				if !meantKeys[f.key] && !complexKey {
					d.missing(n, v.FieldByIndex(f.index), f, path)
				}
				continue
			}
			if p.val.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
				d.absent = d.absentKeys(byName, targets)
			}
			d.pair(p, v.FieldByIndex(f.index), f, join(path, f.key))
		}
	}
}

// keysOf is the keys of all targets, in their order.
func (d *Decoder) keysOf(targets []reflect.Value) []string {
	var keys []string
	for _, v := range targets {
		keys = append(keys, d.l.shape(v.Type()).keys()...)
	}
	return keys
}

// offered is the keys of all targets that this build has.
func (d *Decoder) offered(targets []reflect.Value) []string {
	var keys []string
	for _, v := range targets {
		for _, f := range d.l.shape(v.Type()).fields {
			if !f.is("later") {
				keys = append(keys, f.key)
			}
		}
	}
	return keys
}

func (d *Decoder) absentKeys(present map[string]*pair, targets []reflect.Value) map[string]bool {
	absent := map[string]bool{}
	for _, key := range d.keysOf(targets) {
		if present[key] == nil {
			absent[key] = true
		}
	}
	return absent
}

// pair decodes the value of one key.
func (d *Decoder) pair(p *pair, v reflect.Value, f *field, path string) {
	d.behind += p.merged
	defer func() { d.behind -= p.merged }()
	d.l.keys[path] = place{doc: d.doc, node: p.key}
	if f.is("later") {
		d.l.places[path] = place{doc: d.doc, node: resolved(p.val)}
		d.Errorf(p.key, "not-in-this-build", "%s is known and not in this build yet; leave it out", path)
		return
	}
	d.value(p.val, v, f, path)
}

// missing gives a field its default or refuses that it is not there.
func (d *Decoder) missing(n *yaml.Node, v reflect.Value, f *field, path string) {
	switch {
	case f.is("required"):
		if k, ok := d.l.keys[path]; ok && k.doc == d.doc {
			n = k.node
		}
		d.Errorf(n, "missing-key", "%s needs the key %q%s", whole(path), f.key, f.remedy())
	case f.hasDef:
		setDefault(v, f.def)
	}
}

// setDefault writes the default of a tag.
func setDefault(v reflect.Value, def string) {
	switch {
	case v.Type() == durationType:
		x, err := time.ParseDuration(def)
		must(err)
		v.SetInt(int64(x))
	case v.Kind() == reflect.Int:
		x, err := strconv.Atoi(def)
		must(err)
		v.SetInt(int64(x))
	case v.Kind() == reflect.Float64:
		x, err := strconv.ParseFloat(def, 64)
		must(err)
		v.SetFloat(x)
	case v.Kind() == reflect.Bool:
		v.SetBool(def == "true")
	case v.Kind() == reflect.String:
		v.SetString(def)
	}
}

// must guards what a test has shown of every tag.
func must(err error) {
	if err != nil {
		panic("spec: default in a tag: " + err.Error())
	}
}

// unknownKey refuses the last of pairs.
func (d *Decoder) unknownKey(n *yaml.Node, pairs []pair, path string, keys []string) {
	p := pairs[len(pairs)-1]
	if d.l.full() {
		return
	}
	d.behind += p.merged
	defer func() { d.behind -= p.merged }()
	key := p.key.Value
	// In braces a comma ends a text, and what follows looks like a key without a
	// value.
	bare := n.Style&yaml.FlowStyle != 0 && isBare(p)
	if bare && (strings.Contains(key, " ") || Nearest(key, keys) == "" && behindText(pairs)) {
		remedy := "quote the text"
		if len(pairs) > 1 {
			before := pairs[len(pairs)-2]
			if isBare(before) {
				return // has been refused, with all that follows it
			}
			d.l.cut[join(path, before.key.Value)] = true
			remedy = d.cutText(n, before.val, p.key)
		}
		d.Errorf(p.key, "quote-it", "',' inside an unquoted value cuts the text off before %q; %s", key, remedy)
		return
	}
	if path == "" {
		d.l.misspelled = true
	}
	d.Errorf(p.key, "unknown-key", "unknown key %q in %s%s%s", key, whole(path), meant(key, keys), oddWords(key))
}

// cutText is how to quote the text that begins with the value val and goes on
// with what YAML took for keys without values, the first of them key.
func (d *Decoder) cutText(n, val, key *yaml.Node) string {
	last, behind := key, false
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		behind = behind || k == key
		if behind && (!isNull(v) || v.Value != "") {
			break
		}
		if behind {
			last = k
		}
	}
	if val.Line != last.Line || val.Style != 0 || last.Style != 0 {
		return "quote the text"
	}
	rest := d.doc.from(spot{val.Line, val.Column})
	size := len(rest) - len(d.doc.from(spot{last.Line, last.Column})) + len(last.Value)
	return inQuotes(rest[:min(size, len(rest))], "quote the text")
}

// isBare reports whether a key has not even a colon.
func isBare(p pair) bool { return isNull(p.val) && p.val.Value == "" }

// behindText reports whether the last of pairs comes after a text without quotes,
// with nothing but bare keys between.
func behindText(pairs []pair) bool {
	for _, p := range slices.Backward(pairs[:len(pairs)-1]) {
		if !isBare(p) {
			return p.val.Kind == yaml.ScalarNode && p.val.Style == 0
		}
	}
	return false
}

var isWord = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// named fills a slice of structs from a mapping of names, in the order of the
// file.
func (d *Decoder) named(n *yaml.Node, v reflect.Value, f *field, path string) {
	if !d.isMapping(n, v.Type(), path) {
		return
	}
	pairs := d.pairs(n)
	name := d.l.shape(v.Type().Elem()).name
	v.Set(reflect.MakeSlice(v.Type(), 0, len(pairs)))
	seen := map[string]string{} // by the name in lower case
	for i := range pairs {
		p := &pairs[i]
		if p.key.Kind != yaml.ScalarNode {
			continue
		}
		key := p.key.Value
		d.behind += p.merged
		ok := f.is("filenamed") || d.nameOK(p.key, path, !f.is("fielded"))
		if ok {
			fold := strings.ToLower(key)
			if other, twice := seen[fold]; twice {
				if other != key {
					d.Errorf(p.key, "name-clash", "%q and %q in %s differ only in case; give one another name", other, key, path)
				}
				ok = false
			}
			seen[fold] = key
		}
		d.behind -= p.merged
		elem := reflect.New(v.Type().Elem()).Elem()
		elem.FieldByIndex(name).SetString(key)
		if ok {
			v.Set(reflect.Append(v, elem))
			elem = v.Index(v.Len() - 1)
		}
		d.pair(p, elem, no, join(path, key))
	}
}

// list fills a slice. A single word stands for a list of it.
func (d *Decoder) list(n *yaml.Node, v reflect.Value, f *field, path string) {
	if before := len(d.l.problems); f.is("argv") {
		defer func() { d.argv(v.Interface().([]Text), path, len(d.l.problems) == before) }()
	}
	item := *f
	item.opts = map[string]bool{"verbatim": f.is("argv") || f.is("verbatim"), "file": f.is("argv")}
	if n.Kind != yaml.SequenceNode {
		words := v.Type().Elem().Kind() == reflect.String || v.Type() == textsType
		switch {
		case n.Kind != yaml.ScalarNode || !words:
			remedy := ""
			if n.Kind == yaml.ScalarNode && n.Style == 0 && isWord.MatchString(n.Value) {
				remedy = "; write [" + n.Value + "]"
			}
			d.Errorf(n, "not-list", "%s must be a list%s%s", whole(path), remedy, oddWords(n.Value))
			return
		case f.is("argv") && strings.ContainsAny(n.Value, " \t\n"):
			d.Errorf(n, "not-list", "%s is a list of words, never a shell line; write [%s]", path, strings.Join(strings.Fields(n.Value), ", "))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		d.value(n, v.Index(0), &item, path)
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
	for i, c := range n.Content {
		d.value(c, v.Index(i), &item, path+"["+strconv.Itoa(i)+"]")
	}
	if len(n.Content) == 0 && (f.is("argv") || f.is("required")) {
		d.Errorf(n, "empty-value", "%s is an empty list", path)
	}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
