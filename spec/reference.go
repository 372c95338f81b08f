package spec

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Reference is the page of every noun and key, in Markdown.
func Reference(kinds []Kind) []byte {
	r := &reference{}
	r.page.WriteString("# Every key of a team file\n\nMade from the program itself. `P`, `A`, `M` and so on stand for names of your own.\n")
	r.section("", reflect.TypeFor[rawTeam]())
	for _, k := range kinds {
		if k.New != nil {
			r.kind = k.Name
			r.section("agents.A", reflect.TypeOf(k.New()).Elem())
		}
	}
	r.page.WriteString("\nKeys that begin with `x-` are free at the top.\n")
	return r.page.Bytes()
}

type reference struct {
	page bytes.Buffer
	open []reflect.Type
	kind string // the kind whose keys are described
}

// section is the table of the struct at path, followed by those of the structs
// in it.
func (r *reference) section(path string, t reflect.Type) {
	fields := shapeOf(t).fields
	if len(fields) == 0 || slices.Contains(r.open, t) {
		return
	}
	r.open = append(r.open, t)
	defer func() { r.open = r.open[:len(r.open)-1] }()
	title := "`" + path + "`"
	switch {
	case path == "":
		title = "The top"
	case r.kind != "":
		title += " of kind `" + r.kind + "`"
	}
	fmt.Fprintf(&r.page, "\n## %s\n\n| key | value | default | meaning |\n|---|---|---|---|\n", title)
	for _, f := range fields {
		def := ""
		switch {
		case f.is("required"):
			def = "required"
		case f.hasDef:
			def = "`" + orElse(f.def, `""`) + "`"
		}
		help := sentence(f.help)
		if f.is("later") {
			help = "*Not in this build.* " + help
		} else if len(f.later) > 0 {
			help += " Not in this build: " + codeWords(f.later) + "."
		}
		fmt.Fprintf(&r.page, "| `%s` | %s | %s | %s |\n", f.key, valueWords(f.typ, &f), def, help)
	}
	for _, f := range fields {
		r.below(join(path, f.key), &f)
	}
}

// below writes the section of the structs that are the value of the key at path.
func (r *reference) below(path string, f *field) {
	t := f.typ
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t {
	case textType, laterType:
		return
	case reflect.TypeFor[rawParams]():
		path, t = path+".P", reflect.TypeFor[rawParam]()
	case reflect.TypeFor[[]rawSchema]():
		path, t = path+".S.F", reflect.TypeFor[rawField]()
	}
	if t.Kind() == reflect.Slice {
		t = t.Elem()
		if f.is("named") || f.is("filenamed") {
			path += "." + strings.ToUpper(f.key[:1])
			if f.is("filenamed") {
				path = f.key + ".FILE"
			}
		} else {
			path += "[]"
		}
	}
	if t.Kind() == reflect.Struct && t != textType {
		r.section(path, t)
	}
}

// valueWords says in words what a value can be.
func valueWords(t reflect.Type, f *field) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	orFile := ""
	if f.is("file") {
		orFile = " or `{file: path}`"
	}
	switch {
	case f.words != "":
		return f.words
	case t == laterType:
		return ""
	case t == reflect.TypeFor[Approval]():
		return "`ask` `never` or `{allow: [pattern]}`"
	case t == reflect.TypeFor[Writes]():
		return "`none` `all` or a list of globs"
	case t == reflect.TypeFor[rawReport]():
		return "name of a schema, or fields"
	case t == reflect.TypeFor[rawNeeds]():
		return "list or mapping"
	case len(f.values) > 0 && t.Kind() == reflect.Slice:
		return "one or a list of " + codeWords(f.values)
	case len(f.values) > 0:
		return codeWords(f.values)
	case t == durationType:
		return "duration"
	case t == textType || t.Kind() == reflect.String:
		return "text" + orFile
	case t.Kind() == reflect.Bool:
		return "`true` or `false`"
	case t.Kind() == reflect.Int:
		return "whole number"
	case t.Kind() == reflect.Float64:
		return "number"
	case f.is("named"), t == reflect.TypeFor[rawParams]():
		return "named"
	case f.is("filenamed"):
		return "named by files"
	case f.is("argv"):
		return "list of texts or `{file: path}`"
	case t == textsType || t == reflect.TypeFor[[]string]():
		return "text or list of texts"
	case t == reflect.TypeFor[[]int]():
		return "list of whole numbers"
	case t.Kind() == reflect.Slice:
		return "list"
	case t.Kind() == reflect.Struct && !reflect.PointerTo(t).Implements(decodedType):
		return "mapping" + orFile
	case t.Kind() == reflect.Struct && len(shapeOf(t).fields) > 0:
		return "mapping or a word" + orFile
	}
	return "any data" + orFile
}

func codeWords(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = "`" + w + "`"
	}
	return strings.Join(out, " ")
}

// sentence gives a help text its capital and its full stop.
func sentence(help string) string {
	if help == "" {
		return ""
	}
	first, n := utf8.DecodeRuneInString(help)
	return string(unicode.ToUpper(first)) + help[n:] + "."
}
