package main

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/teamrun/teamrun/spec"
)

// topics are the pages that belong to no verb.
//
//go:embed topics/*.txt
var topics embed.FS

// topicNames are the topics with what they are about, in the order of the list.
var topicNames = []struct{ name, about string }{
	{"exit-codes", "what each exit code means"},
	{"environment", "variables teamrun reads"},
	{"json", "the documents --json prints"},
	{"accessibility", "output for screen readers"},
	{"codes", "all codes of errors and warnings"},
}

func newHelp(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "help [VERB | TOPIC | CODE]",
		Short:   "explain a verb, a topic or the code of a problem",
		Example: "teamrun help up\nteamrun help unknown-key",
		Long:    helpLong(),
		GroupID: groupRest,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				a.print(overview(cmd.Root()) + topicList())
				return nil
			}
			page, ok := helpPage(cmd, args)
			if !ok {
				return usage(cmd, "no help for %q%s", strings.Join(args, " "), didYouMean(similar(cmd, args[0]), ""))
			}
			a.print(page)
			return nil
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var words []string
			for _, name := range pages(cmd) {
				if strings.HasPrefix(name, toComplete) {
					words = append(words, name)
				}
			}
			return words, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

func helpLong() string {
	return "help prints the page of a verb, of a topic, or of the code at the end of an error, as\n[unknown-key]. It needs no network.\n\n" + strings.TrimSpace(topicList())
}

func topicList() string {
	var b strings.Builder
	b.WriteString("\nTopics (teamrun help TOPIC):\n")
	for _, t := range topicNames {
		fmt.Fprintf(&b, "  %-14s %s\n", t.name, t.about)
	}
	return b.String()
}

// helpPage is the page of a verb, a topic or a code.
func helpPage(cmd *cobra.Command, args []string) (string, bool) {
	if verb, rest, err := cmd.Root().Find(args); err == nil && len(rest) == 0 && verb.HasParent() {
		return helpText(verb), true
	}
	if len(args) > 1 {
		return "", false
	}
	if text, err := topics.ReadFile("topics/" + args[0] + ".txt"); err == nil {
		return string(text), true
	}
	if args[0] == "codes" {
		return codeList(), true
	}
	code := strings.Trim(args[0], "[]")
	for _, c := range codes() {
		if c.Code == code {
			return fmt.Sprintf("%s: %s\n\n%s\n", c.Code, c.Title, strings.TrimSpace(c.Text)), true
		}
	}
	return "", false
}

// codes are the codes of problems with a spec, those of its kinds of agents
// among them, and of everything that goes wrong later.
func codes() []spec.Code {
	all := slices.Concat(spec.Codes(), runCodes, roomCodes)
	for _, k := range kinds() {
		all = append(all, k.Codes...)
	}
	return all
}

// codeList is every code on a line of its own.
func codeList() string {
	all := codes()
	slices.SortFunc(all, func(a, b spec.Code) int { return strings.Compare(a.Code, b.Code) })
	var b strings.Builder
	for _, c := range all {
		fmt.Fprintf(&b, "%-22s %s\n", c.Code, c.Title)
	}
	b.WriteString("\nExplain one: teamrun help CODE\n")
	return b.String()
}

// pages are the names help knows.
func pages(cmd *cobra.Command) []string {
	var names []string
	for _, verb := range cmd.Root().Commands() {
		if verb.IsAvailableCommand() {
			names = append(names, verb.Name())
		}
	}
	for _, t := range topicNames {
		names = append(names, t.name)
	}
	for _, c := range codes() {
		names = append(names, c.Code)
	}
	return names
}

// similar are the names help knows that are close to a name it does not.
func similar(cmd *cobra.Command, name string) []string {
	known := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, page := range pages(cmd) {
		known.AddCommand(&cobra.Command{Use: page, Run: func(*cobra.Command, []string) {}})
	}
	return known.SuggestionsFor(name)
}
