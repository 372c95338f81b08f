package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// The groups of verbs: those of the first day stand first.
const (
	groupFirst = "first"
	groupRest  = "rest"
)

// newRoot is the whole command line.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:                   "teamrun VERB [ARGUMENTS]",
		Version:               version().Version, // gives it --version and -v
		Short:                 "Run a team of coding agents that a checked-in file declares.",
		Args:                  cobra.ArbitraryArgs,
		SilenceErrors:         true,
		SilenceUsage:          true,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownVerb(cmd, args[0])
			}
			a.print(overview(cmd))
			return nil
		},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return a.checkFlags(cmd) },
	}
	root.AddGroup(&cobra.Group{ID: groupFirst}, &cobra.Group{ID: groupRest})
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetIn(a.in)
	root.PersistentFlags().StringVar(&a.color, "color", "auto", "color of the output: `auto`, always or never")
	root.PersistentFlags().StringVar(&a.progress, "progress", "auto", "progress on standard error: `auto`, plain, json or quiet (the live region, tty, is not in this build)")
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { a.print(helpText(cmd)) })
	root.SetHelpCommand(newHelp(a))
	root.SetVersionTemplate(versionLine(version()))
	for _, verb := range []*cobra.Command{newUp(a), newValidate(a), newPs(a), newLogs(a), newResult(a)} {
		verb.GroupID = groupFirst
		root.AddCommand(verb)
	}
	for _, verb := range []*cobra.Command{newResume(a), newWait(a), newDown(a), newRoom(a), newVersion(a), newCompletion(a)} {
		verb.GroupID = groupRest
		root.AddCommand(verb)
	}
	for _, name := range laterVerbs {
		root.AddCommand(newLater(name))
	}
	return root
}

// checkFlags refuses values the shared flags do not have.
func (a *app) checkFlags(cmd *cobra.Command) error {
	if !slices.Contains([]string{"auto", "always", "never"}, a.color) {
		return usage(cmd, "--color %s is not auto, always or never", a.color)
	}
	source := "--progress"
	if env := a.getenv("TEAMRUN_PROGRESS"); env != "" && !cmd.Flags().Changed("progress") {
		a.progress, source = env, "TEAMRUN_PROGRESS"
	}
	switch a.progress {
	case "auto", "plain", "json", "quiet":
		return nil
	case "tty":
		return &failure{exit: exitUsage, code: "not-in-this-build", msg: source + " tty: the live region is not in this build",
			hints: []string{"auto or plain print one line per event"}}
	}
	return usage(cmd, "%s %s is not auto, plain, json or quiet", source, a.progress)
}

// usage is wrong use of a verb.
func usage(cmd *cobra.Command, format string, args ...any) error {
	return &failure{exit: exitUsage, code: "usage", msg: fmt.Sprintf(format, args...),
		usage: fmt.Sprintf("usage: %s\n", cmd.UseLine())}
}

// verbArgs checks the number of arguments of a verb.
func verbArgs(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) > most:
			return usage(cmd, "%s takes no argument %q", cmd.CommandPath(), args[most])
		case len(args) < least:
			return usage(cmd, "%s needs an argument", cmd.CommandPath())
		}
		return nil
	}
}

func unknownVerb(cmd *cobra.Command, name string) error {
	cmd.SuggestionsMinimumDistance = 2
	return &failure{exit: exitUsage, code: "usage",
		msg:   fmt.Sprintf("there is no verb %q%s", cmd.CommandPath()+" "+name, didYouMean(cmd.SuggestionsFor(name), "")),
		hints: []string{strings.Replace(cmd.CommandPath(), "teamrun", "teamrun help", 1) + " lists the verbs"},
		usage: fmt.Sprintf("usage: %s\n", cmd.UseLine())}
}

func didYouMean(names []string, prefix string) string {
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s%s?)", prefix, names[0])
}
