package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/teamrun/teamrun/spec"
)

// Check implements spec.Checked. What a parameter holds is data: it never names
// the program and is never an option of it.
func (s *Settings) Check(c *spec.Check) {
	s.checkOutput(c)
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

// checkOutput warns where the output can never be the report that is expected.
func (s *Settings) checkOutput(c *spec.Check) {
	t := c.Team()
	for _, m := range t.Members {
		if m.Agent.Name != c.Agent || m.Agent.Via != spec.ViaExit {
			continue
		}
		expected := []*spec.Schema{m.Report}
		for _, task := range t.Tasks {
			if slices.Contains(task.For, m.Name) {
				expected = append(expected, task.Report)
			}
		}
		for _, schema := range expected {
			if schema != nil && !takes(s.Output, schema) {
				c.Warnf("output", "output-form", "%s", wrongForm(s.Output))
				return
			}
		}
	}
}

// wrongForm says why output of a mode is no report, and what to do.
func wrongForm(mode string) string {
	const tool = "report by teamrun room report with via: tool"
	fills := map[string]string{
		"text": "one field of type text", "lines": "one field {list: text}", "findings": "the schema findings",
	}
	return fmt.Sprintf("output: %s fills only %s; use output: json, or %s", mode, fills[mode], tool)
}

func expands(t spec.Text) bool {
	for _, p := range t.Parts {
		if p.Param != "" {
			return true
		}
	}
	return false
}
