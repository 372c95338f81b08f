package view

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/teamrun/teamrun/runner"
)

// enders are what ends a run besides stops and limits.
var enders = map[string]string{
	"all_tasks": "all tasks", "stuck": "nothing could run any more", "down": "down",
}

// writeWhy says what ended the run: the stop that was taken with the values it
// read; for every outcome but success also the other stops and what they lacked.
func writeWhy(b *strings.Builder, r runner.Result) {
	w := r.Why
	switch {
	case w.Stop != nil:
		for _, stop := range w.Stops {
			if stop.Index == *w.Stop {
				writeStop(b, "ended by", stop)
			}
		}
	case w.Limit != "":
		fmt.Fprintf(b, "  %-9s limit %s\n", "ended by", w.Limit)
	case w.By != "":
		fmt.Fprintf(b, "  %-9s %s\n", "ended by", enders[w.By])
	}
	if r.Outcome != "success" {
		for _, stop := range w.Stops {
			if w.Stop == nil || stop.Index != *w.Stop {
				writeStop(b, "not", stop)
			}
		}
	}
	b.WriteByte('\n')
}

// writeStop is one stop with its condition, and below it what its operands were.
func writeStop(b *strings.Builder, label string, stop runner.WhyStop) {
	fmt.Fprintf(b, "  %-9s stop[%d] %s  %s = %s\n", label, stop.Index, stop.Outcome, oneLine(stop.When, 200), stop.Truth)
	indent := strings.Repeat(" ", len("  ended by  stop[0] "))
	if stop.Error != "" {
		fmt.Fprintf(b, "%s%s\n", indent, oneLine(string(stop.Error), 200))
	}
	if len(stop.Operands) == 1 && stop.Operands[0].Path == stop.When && stop.Operands[0].State == "present" {
		return // the condition is its operand, and its value has been said
	}
	for _, o := range stop.Operands {
		fmt.Fprintf(b, "%s%s = %s\n", indent, oneLine(o.Path, 80), operand(o))
	}
}

// operand is the value of one operand, or why it has none.
func operand(o runner.WhyOperand) string {
	switch o.State {
	case "absent":
		return "unknown (not there yet)"
	case "never":
		return "error (can no longer come to exist)"
	}
	if list, ok := o.Value.([]any); ok {
		return Count(len(list), "item")
	}
	text, err := json.Marshal(o.Value)
	if err != nil {
		return "?"
	}
	return oneLine(string(text), 60)
}
