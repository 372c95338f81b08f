package command

import (
	"fmt"
	"strings"

	"github.com/teamrun/teamrun/spec"
)

// Check implements spec.Checked. What a parameter holds is data: it never names
// the program and is never an option of it.
func (s *Settings) Check(c *spec.Check) {
	options := true // before --
	for i, word := range s.Run {
		path := fmt.Sprintf("run[%d]", i)
		param := ""
		if len(word.Parts) > 0 {
			param = word.Parts[0].Param
		}
		switch text := word.String(); {
		case i == 0 && strings.TrimSpace(text) == "":
			c.Errorf(path, "empty-value", "the program has no name")
		case i == 0 && expands(word):
			c.Errorf(path, "param-program", "a param may not name the program; write its name")
		case param != "" && options && strings.HasPrefix(text, "-"):
			c.Errorf(path, "param-option", "params.%s begins with - and would be an option of the program; put -- before it", param)
		case text == "--" && !expands(word):
			options = false
		}
	}
}

func expands(t spec.Text) bool {
	for _, p := range t.Parts {
		if p.Param != "" {
			return true
		}
	}
	return false
}
