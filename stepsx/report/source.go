package report

import (
	"fmt"
	"strings"

	"github.com/teamrun/teamrun/runner"
)

// find is the value an artifact comes from, or why there is none.
func find(r runner.Result, from []string) (v any, absent string) {
	switch from[0] {
	case "findings":
		if !reported(r) {
			return nil, "no task reported findings"
		}
		return r.Findings, ""
	case "tasks":
		if len(from) == 1 {
			return r.Tasks, ""
		}
		for _, t := range r.Tasks {
			if t.Name == from[1] {
				return ofTask(t, from[2:])
			}
		}
	}
	return nil, "the result has nothing of that name"
}

// reported reports whether any task reported findings, if only none.
func reported(r runner.Result) bool {
	if len(r.Findings) > 0 {
		return true
	}
	for _, t := range r.Tasks {
		for _, body := range bodies(t) {
			if _, ok := body["findings"].([]any); ok {
				return true
			}
		}
	}
	return false
}

func bodies(t runner.TaskResult) map[string]map[string]any {
	if t.Report != nil {
		return map[string]map[string]any{"": t.Report}
	}
	return t.Reports
}

// ofTask is report, report.F or output of a task. The report of a task with
// several performers is their reports by name.
func ofTask(t runner.TaskResult, what []string) (v any, absent string) {
	switch {
	case len(what) == 1 && what[0] == "output":
		if t.Output == nil {
			return nil, fmt.Sprintf("task %s has no output: it is %s", t.Name, words(t.State))
		}
		return output(t.Output), ""
	case len(what) == 0 || what[0] != "report":
		return nil, "the result has nothing of that name"
	case t.Report == nil && len(t.Reports) == 0:
		return nil, fmt.Sprintf("task %s has no report: it is %s", t.Name, words(t.State))
	case len(what) == 1 && t.Report != nil:
		return t.Report, ""
	case len(what) == 1:
		return t.Reports, ""
	case t.Report != nil:
		if v, ok := t.Report[what[1]]; ok {
			return v, ""
		}
	default:
		by := map[string]any{}
		for member, body := range t.Reports {
			if v, ok := body[what[1]]; ok {
				by[member] = v
			}
		}
		if len(by) > 0 {
			return by, ""
		}
	}
	return nil, fmt.Sprintf("the report of task %s has no %s", t.Name, what[1])
}

// wholeOutput is up to how many bytes a record holds an output whole. What was
// cleaned of it may be shorter or longer than what was printed.
const wholeOutput = 64 << 10

// output is what a record holds of an output: it says when that is not all.
func output(o *runner.Output) string {
	if o.Bytes <= wholeOutput {
		return o.Head
	}
	return fmt.Sprintf("%s\n… %d bytes in all; the rest is in %s\n", o.Head, o.Bytes, o.Path)
}

// words is a state as people read it.
func words(state string) string { return strings.ReplaceAll(state, "_", " ") }
