package main

import (
	"strings"

	"github.com/spf13/cobra"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

func newCompletion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "completion SHELL",
		Short:   "print a completion script for a shell",
		Example: "source <(teamrun completion bash)\nteamrun completion fish > ~/.config/fish/completions/teamrun.fish",
		Long: `completion prints a script that completes verbs, flags, and the ids and names of your runs.
SHELL is bash, zsh, fish or powershell.`,
		ValidArgs: shells,
		Args:      verbArgs(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.out, true)
			case "zsh":
				return root.GenZshCompletion(a.out)
			case "fish":
				return root.GenFishCompletion(a.out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.out)
			}
			return usage(cmd, "no completion for %q; one of %s", args[0], strings.Join(shells, ", "))
		},
	}
}
