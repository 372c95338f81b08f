package scripted

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

func (k *checker) steps(path string, c Clause, forms string) {
	for i, s := range c.Do {
		at := fmt.Sprintf("%s.do[%d]", path, i)
		verbs := s.verbs()
		switch len(verbs) {
		case 0:
			continue // refused where it was read
		case 1:
		default:
			k.Errorf(at, "bad-step", "a step is one of %s, not %s at once; write one step for each", forms, strings.Join(verbs, " and "))
			continue
		}
		k.step(at, c, s)
		if s.ends() && i+1 < len(c.Do) {
			k.Errorf(fmt.Sprintf("%s.do[%d]", path, i+1), "never-played", "this step is never reached: %s before it ends the turn", verbs[0])
			return
		}
	}
}

func (k *checker) step(path string, c Clause, s Step) {
	switch {
	case s.Send != nil:
		for i, to := range s.Send.To {
			if to != "*" && !slices.Contains(k.members, to) {
				k.Errorf(fmt.Sprintf("%s.send.to[%d]", path, i), "unknown-member", "no member %q%s", to, hint(to, k.members))
			}
		}
	case s.Spend != nil && *s.Spend != "unknown":
		if usd, err := strconv.ParseFloat(*s.Spend, 64); err != nil || !(usd >= 0 && usd <= maxSpend) {
			k.Errorf(path+".spend", "bad-spend", "spend must be an amount in USD such as 0.25, or unknown, not %s", *s.Spend)
		}
	case s.Hang != nil && !*s.Hang, s.Crash != nil && !*s.Crash:
		k.Errorf(path, "bad-step", "false says nothing; write %s: true or leave the step out", s.verbs()[0])
	case s.Report != nil:
		k.report(path+".report", c.On, s.Report)
	}
}

// maxSpend bounds what one step can spend, in USD.
const maxSpend = 1e6

// report checks the report against the schema of the clause's task, else
// against those the players can be asked for: one must fit. Where none is asked
// for, a report can be anything.
func (k *checker) report(path string, on On, report map[string]any) {
	schemas := k.expected
	if on.Mode == "mail" {
		schemas = k.own
	}
	if on.Task != "" {
		schemas = k.tasks[on.Task]
	}
	body, err := json.Marshal(report)
	for _, s := range schemas {
		if _, err = s.Check(body); err == nil {
			return
		}
	}
	if err != nil {
		k.Errorf(path, "report-invalid", "the report breaks its schema: %s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
}
