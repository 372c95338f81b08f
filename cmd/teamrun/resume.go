package main

import "github.com/spf13/cobra"

func newResume(a *app) *cobra.Command {
	var asJSON, attended bool
	cmd := &cobra.Command{
		Use:     "resume [RUN]",
		Short:   "go on with an interrupted run",
		Example: "teamrun resume\nteamrun resume 7f3k2mqa",
		Long: `resume takes an interrupted run over and works until it ends, as up does: nothing that
was recorded is lost or done twice. Of a run that has ended it prints the result. The
exit code is the run's.`,
		Args:              verbArgs(0, 1),
		ValidArgsFunction: a.completeRun,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("attended") {
				attended = a.attended()
			}
			return a.resume(cmd, args, attended, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON (schema teamrun/result/v1)")
	cmd.Flags().BoolVar(&attended, "attended", false, "somebody can be asked")
	_ = cmd.Flags().MarkHidden("attended") // of up -d, which knows what its background process cannot
	return cmd
}

func (a *app) resume(cmd *cobra.Command, args []string, attended, asJSON bool) error {
	f, err := a.find(args, "resume")
	if err != nil {
		return err
	}
	if ended, err := f.Result(kinds()); err != nil || ended != nil {
		if err != nil {
			return err
		}
		return a.finish(f, *ended, asJSON)
	}
	team, err := a.frozen(f)
	if err != nil {
		return err
	}
	result, err := a.conduct(cmd.Context(), f, team, attended, false)
	if err != nil {
		return err
	}
	return a.finish(f, result, asJSON)
}
