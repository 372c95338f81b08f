package spec

import "strings"

// argv refuses what would let a parameter decide which program runs or with which
// options: what a parameter holds is data. path is that of the list.
func (d *Decoder) argv(words []Text, path string, sound bool) {
	options := true // before --
	for i, word := range words {
		at, text, param := d.l.item(path, i), word.String(), ""
		if len(word.Parts) > 0 {
			param = word.Parts[0].Param
		}
		switch {
		case i == 0 && word.expands():
			d.l.errorf(at, "param-program", "a param may not name the program; write its name")
		case i == 0 && strings.Contains(text, "\n"):
			d.l.errorf(at, "program-text", "the first word is the program, and this is a text of several lines; a script is run by [sh, -c, {file: path}]")
		case i == 0 && sound && strings.TrimSpace(text) == "" && !d.l.failedAt(at):
			d.l.errorf(at, "empty-value", "the program has no name")
		case param != "" && options && strings.HasPrefix(text, "-") && d.l.param(param).fits(word.Parts[0].Text) == "":
			d.l.errorf(at, "param-option", "params.%s begins with - and would be an option of the program; put -- before it", param)
		case text == "--" && !word.expands():
			options = false
		}
	}
}

func (t Text) expands() bool {
	for _, p := range t.Parts {
		if p.Param != "" {
			return true
		}
	}
	return false
}
