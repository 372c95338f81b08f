package command

import (
	"fmt"
	"slices"

	"github.com/teamrun/teamrun/spec"
)

// Check implements spec.Checked: it warns where the output can never be the report
// that is expected.
func (s *Settings) Check(c *spec.Check) {
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
