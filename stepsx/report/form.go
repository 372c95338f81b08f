package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/safe"
)

// The schemas an artifact in JSON names where it is not a report.
const (
	FindingsSchema = "teamrun/findings/v1"
	TasksSchema    = "teamrun/tasks/v1"
)

// Findings is the artifact {from: findings, as: json}.
type Findings struct {
	Schema   string               `json:"schema"`
	Findings []runner.FindingView `json:"findings"`
}

// Tasks is the artifact {from: tasks, as: json}.
type Tasks struct {
	Schema string              `json:"schema"`
	Tasks  []runner.TaskResult `json:"tasks"`
}

// asJSON is the value as an indented document, the same for the same value.
func asJSON(v any) (data []byte, absent string) {
	switch x := v.(type) {
	case []runner.FindingView:
		v = Findings{FindingsSchema, x}
	case []runner.TaskResult:
		v = Tasks{TasksSchema, x}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, "it cannot be written as JSON: " + err.Error()
	}
	return []byte(safe.JSON(b.String())), ""
}

// asText is the value as people read it, ending with a line break.
func asText(v any) string {
	var b strings.Builder
	switch x := v.(type) {
	case []runner.FindingView:
		for _, f := range x {
			writeFinding(&b, f)
		}
		if len(x) == 0 {
			b.WriteString("no findings\n")
		}
	case []runner.TaskResult:
		for _, t := range x {
			writeTask(&b, t)
		}
	case map[string]map[string]any: // reports by member
		for _, member := range slices.Sorted(maps.Keys(x)) {
			fmt.Fprintf(&b, "%s:\n%s", member, indent(asText(x[member])))
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(x)) {
			writeField(&b, key, x[key])
		}
	case []any:
		for _, item := range x {
			b.WriteString("- " + strings.TrimPrefix(indent(asText(item)), "  "))
		}
	case string:
		b.WriteString(x)
		if !strings.HasSuffix(x, "\n") {
			b.WriteByte('\n')
		}
	default:
		data, _ := json.Marshal(x)
		fmt.Fprintf(&b, "%s\n", data)
	}
	return b.String()
}

// writeField writes a value beside its name, or below it when it takes more
// than a line.
func writeField(b *strings.Builder, name string, v any) {
	text := asText(v)
	if _, list := v.([]any); list || strings.Count(text, "\n") > 1 {
		fmt.Fprintf(b, "%s:\n%s", name, indent(text))
		return
	}
	fmt.Fprintf(b, "%s: %s", name, text)
}

func writeFinding(b *strings.Builder, f runner.FindingView) {
	place := f.File
	if f.Line > 0 {
		place += fmt.Sprintf(":%d", f.Line)
	}
	if place != "" {
		place += ": "
	}
	confirmed := ""
	if f.Confirmed {
		confirmed = " (confirmed)"
	}
	fmt.Fprintf(b, "%s%s: %s%s [%s]\n", place, f.Severity, safe.Line(f.Title, 500), confirmed, f.Member)
	if f.Detail != "" {
		b.WriteString(indent(asText(f.Detail)))
	}
}

func writeTask(b *strings.Builder, t runner.TaskResult) {
	fmt.Fprintf(b, "%s: %s", t.Name, words(t.State))
	if t.Reason != "" {
		fmt.Fprintf(b, " (%s)", safe.Line(string(t.Reason), 500))
	}
	b.WriteByte('\n')
}

func indent(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if strings.TrimSpace(line) != "" {
			lines[i] = "  " + line
		}
	}
	return strings.Join(lines, "")
}
