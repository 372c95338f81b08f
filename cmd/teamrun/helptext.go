package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// overview is what teamrun prints alone: short enough for any terminal.
func overview(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("teamrun runs a team of coding agents that a checked-in file declares.\n\n")
	b.WriteString("Usage: teamrun VERB [ARGUMENTS]\n\n")
	for _, group := range []string{groupFirst, groupRest} {
		for _, verb := range root.Commands() {
			if verb.GroupID == group && verb.IsAvailableCommand() {
				fmt.Fprintf(&b, "  %-11s %s\n", verb.Name(), verb.Short)
			}
		}
		b.WriteByte('\n')
	}
	b.WriteString("SPEC: a file, or a folder with team.yaml. RUN: an id, its start, or a team name.\n")
	b.WriteString("Try: teamrun up examples/01-hello     Exit codes: teamrun help exit-codes\n")
	return b.String()
}

// helpText is the help of one verb: examples first, as they answer most
// questions.
func helpText(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return overview(cmd)
	}
	cmd.InitDefaultHelpFlag() // else it only shows in --help and not in teamrun help VERB
	var b strings.Builder
	b.WriteString("Examples:\n")
	for _, line := range strings.Split(cmd.Example, "\n") {
		b.WriteString("  " + line + "\n")
	}
	fmt.Fprintf(&b, "\nUsage: %s\n\n", cmd.UseLine())
	text := cmd.Long
	if text == "" {
		text = cmd.Short
	}
	b.WriteString(strings.TrimSpace(text) + "\n")
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\nVerbs:\n")
		for _, verb := range cmd.Commands() {
			if verb.IsAvailableCommand() {
				fmt.Fprintf(&b, "  %-10s %s\n", verb.Name(), verb.Short)
			}
		}
	}
	if flags := cmd.LocalNonPersistentFlags().FlagUsages(); flags != "" {
		b.WriteString("\nFlags:\n" + flags)
	}
	if flags := cmd.InheritedFlags().FlagUsages(); flags != "" {
		b.WriteString("\nFlags of every verb:\n" + flags)
	}
	return b.String()
}
