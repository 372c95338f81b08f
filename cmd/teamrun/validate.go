package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/teamrun/teamrun/cmd/teamrun/document"
	"github.com/teamrun/teamrun/cmd/teamrun/view"
	"github.com/teamrun/teamrun/spec"
)

func newValidate(a *app) *cobra.Command {
	var strict, asJSON bool
	cmd := &cobra.Command{
		Use:     "validate [SPEC]",
		Short:   "check a team file",
		Example: "teamrun validate\nteamrun validate examples/01-hello --strict",
		Long: `validate checks a team file as up does and starts nothing. All problems are reported in
one pass, each at its place with its code; teamrun help CODE explains one. Exit 0 when
nothing refuses the file, 2 otherwise. Parameters without a value are no problem here.`,
		Args: verbArgs(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.validate(args, strict, asJSON) },
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "warnings are errors")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the problems as JSON (schema teamrun/validate/v1)")
	return cmd
}

func (a *app) validate(args []string, strict, asJSON bool) error {
	c := check(args, spec.LoadOptions{Strict: strict})
	if asJSON {
		if err := a.printJSON(document.NewValidation(c.name, c.team, c.problems)); err != nil {
			return err
		}
	} else {
		a.showProblems(c)
	}
	if c.team == nil {
		return exitCode(exitUsage)
	}
	if !asJSON {
		a.print(fmt.Sprintf("%s: ok (%s, %s)\n", c.name, view.Count(len(c.team.Members), "member"), view.Count(len(c.team.Tasks), "task")))
	}
	return nil
}
