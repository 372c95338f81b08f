package spec

import (
	"fmt"
	"reflect"
	"strings"
)

// shape is what the tags of a struct say: the keys of a mapping, in the order
// in which they are decoded.
//
// The tags of a field:
//
//	team:"key,option,…"  the key and its options
//	help:"…"             one sentence for the reference page and editors
//	default:"…"          the value of a missing key, as it would be written
//	values:"a b c"       the words a text may be
//	later:"d e"          words the language knows and this build does not
//	min:"1"              the smallest whole number
//	like:"…"             a value of a required key, for who left it out
//	words:"…"            what the value can be, where its type does not say it
//
// The options:
//
//	required   the key must be there
//	named      the value is a mapping of names to the structs of the slice
//	filenamed  the same with file names
//	fielded    the same with names that need not be free of reserved words
//	name       the field takes the name of a named struct (the key is empty)
//	argv       the value is a list of words, never a shell line; a word may be {file: path}
//	file       the value may be {file: path}
//	verbatim   any single value is taken as it is written
//	later      the language knows the key and this build does not
type shape struct {
	fields []field
	names  []string // the keys of the fields
	name   []int    // index of the field that takes the name, or nil
}

type field struct {
	key    string
	index  []int
	typ    reflect.Type
	help   string
	def    string
	hasDef bool
	values []string
	later  []string
	min    string
	like   string
	words  string
	opts   map[string]bool
}

// no is the field of a value that has no tag of its own.
var no = &field{}

func (f *field) is(option string) bool { return f.opts[option] }

// remedy is what to write where the required key is missing.
func (f *field) remedy() string {
	switch {
	case f.like != "":
		return "; write " + f.key + ": " + f.like
	case len(f.values) > 3:
		return "; write " + f.key + ": " + f.values[0] + ", or another word for it"
	case len(f.values) > 0:
		return "; write " + f.key + ": " + list(f.values, "or")
	}
	return ""
}

func (s *shape) find(key string) *field {
	for i := range s.fields {
		if s.fields[i].key == key {
			return &s.fields[i]
		}
	}
	return nil
}

func (s *shape) keys() []string { return s.names }

// shapeOf reads the tags of struct t; embedded structs lend their fields.
func shapeOf(t reflect.Type) *shape {
	s := &shape{}
	for i := range t.NumField() {
		sf := t.Field(i)
		if sf.Anonymous && sf.Tag.Get("team") == "" && sf.Type.Kind() == reflect.Struct {
			inner := shapeOf(sf.Type)
			for _, f := range inner.fields {
				f.index = append([]int{i}, f.index...)
				s.add(f)
			}
			if inner.name != nil {
				s.name = append([]int{i}, inner.name...)
			}
			continue
		}
		tag, ok := sf.Tag.Lookup("team")
		if !ok || tag == "-" {
			continue
		}
		words := strings.Split(tag, ",")
		f := field{
			key:    words[0],
			index:  []int{i},
			typ:    sf.Type,
			help:   sf.Tag.Get("help"),
			values: strings.Fields(sf.Tag.Get("values")),
			later:  strings.Fields(sf.Tag.Get("later")),
			min:    sf.Tag.Get("min"),
			like:   sf.Tag.Get("like"),
			words:  sf.Tag.Get("words"),
			opts:   map[string]bool{},
		}
		f.def, f.hasDef = sf.Tag.Lookup("default")
		for _, w := range words[1:] {
			if !strings.Contains(" required named filenamed fielded name argv file verbatim later ", " "+w+" ") {
				panic(fmt.Sprintf("spec: option %q of %s.%s is not known", w, t, sf.Name))
			}
			f.opts[w] = true
		}
		if f.is("name") {
			s.name = f.index
			continue
		}
		s.add(f)
	}
	return s
}

func (s *shape) add(f field) {
	s.fields = append(s.fields, f)
	s.names = append(s.names, f.key)
}
