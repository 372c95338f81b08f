package main

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagError makes the flag library's words ours and suggests the flag meant.
func flagError(cmd *cobra.Command, err error) error {
	if verb := cmd.Flags().Arg(0); verb != "" && cmd.HasSubCommands() {
		return unknownVerb(cmd, verb) // whose flags nobody can know
	}
	var (
		unknown *pflag.NotExistError
		lacks   *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
	)
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return usage(cmd, "%s has no flag -%s", cmd.CommandPath(), unknown.GetSpecifiedName())
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		return usage(cmd, "%s has no flag --%s%s", cmd.CommandPath(), name, didYouMean(similarFlags(cmd, name), "--"))
	case errors.As(err, &lacks):
		return usage(cmd, "%s --%s needs a value", cmd.CommandPath(), lacks.GetFlag().Name)
	case errors.As(err, &invalid):
		return usage(cmd, "%s --%s cannot be %q", cmd.CommandPath(), invalid.GetFlag().Name, invalid.GetValue())
	}
	return usage(cmd, "%s", err)
}

// similarFlags are the flags of a verb whose names are close to one it does not
// have. The suggestions for verbs serve for flags too when each is made a verb.
func similarFlags(cmd *cobra.Command, name string) []string {
	flags := &cobra.Command{SuggestionsMinimumDistance: 2}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			flags.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
		}
	})
	return flags.SuggestionsFor(name)
}
