package view

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/teamrun/teamrun/runner"
)

// How much of what went wrong the summary shows by itself.
const (
	lastLines   = 8
	headBytes   = 64 << 10 // of an output that is in the result
	allFindings = 10
)

// writeOutputs shows the end of what each failed process of a run task printed,
// and where all of it is.
func writeOutputs(b *strings.Builder, r runner.Result, folder string) {
	for _, t := range r.Tasks {
		if t.State != "failed" || t.Output == nil || t.Output.Bytes == 0 {
			continue
		}
		fmt.Fprintf(b, "  %s printed, in %s\n", t.Name, oneLine(filepath.Join(folder, t.Output.Path), 200))
		lines := strings.Split(strings.TrimRight(t.Output.Head, "\n"), "\n")
		if n := len(lines) - lastLines; n > 0 && t.Output.Bytes <= headBytes {
			fmt.Fprintf(b, "    (%s before)\n", Count(n, "line"))
			lines = lines[n:]
		} else if n > 0 {
			lines = append(lines[:lastLines], "(and more)")
		}
		for _, line := range lines {
			fmt.Fprintf(b, "    %s\n", oneLine(line, 200))
		}
		b.WriteByte('\n')
	}
}

// writeFindings lists the findings, the errors first, as far as they fit.
func writeFindings(b *strings.Builder, findings []runner.FindingView) {
	rank := func(severity string) int { return slices.Index([]string{"error", "warning", "note"}, severity) }
	sorted := slices.Clone(findings)
	slices.SortStableFunc(sorted, func(x, y runner.FindingView) int { return cmp.Compare(rank(x.Severity), rank(y.Severity)) })
	for i, f := range sorted {
		if i == allFindings {
			fmt.Fprintf(b, "    and %d more in the result\n", len(sorted)-i)
			return
		}
		place := oneLine(f.File, 100)
		if place != "" && f.Line > 0 {
			place += ":" + strconv.Itoa(f.Line)
		}
		if place != "" {
			place += ": "
		}
		fmt.Fprintf(b, "    %s%s: %s  (%s)\n", place, f.Severity, oneLine(f.Title, 120), f.Member)
	}
}
