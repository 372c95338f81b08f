package main

import "github.com/spf13/cobra"

// laterVerbs are the verbs that are known and not in this build.
var laterVerbs = []string{"plan", "why", "attach", "send", "pause", "unpause", "doctor", "init", "prune", "mcp", "shim", "dev"}

// newLater is a verb that only says that it is not here yet, whatever its
// arguments. No list shows it.
func newLater(name string) *cobra.Command {
	return &cobra.Command{
		Use:                name,
		Hidden:             true,
		Example:            "teamrun help",
		Long:               name + " is known and not in this build yet.",
		DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			return &failure{exit: exitUsage, code: "not-in-this-build", msg: "teamrun " + name + " is known and not in this build yet",
				hints: []string{"teamrun help lists the verbs of this build"}}
		},
	}
}
