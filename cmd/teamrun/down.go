package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/host"
)

func newDown(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "down [RUN]",
		Short:   "end a run for good",
		Example: "teamrun down\nteamrun down 7f3k2mqa",
		Long: `down ends a run with outcome cancelled: sessions are stopped, artifacts are written, the
result is printed. A live run is asked and waited for; an interrupted one is taken over.
It cannot be resumed afterwards. Exit 0 when the run is down, 2 when it had ended before.`,
		Args:              verbArgs(0, 1),
		ValidArgsFunction: a.completeRun,
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := a.find(args, "end")
			if err != nil {
				return err
			}
			result, err := a.down(cmd.Context(), f)
			if err != nil {
				return err
			}
			return a.tell(f, result, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON (schema teamrun/result/v1)")
	return cmd
}

func (a *app) down(ctx context.Context, f host.Folder) (runner.Result, error) {
	if ended, err := f.Result(kinds()); err != nil {
		return runner.Result{}, err
	} else if ended != nil {
		return runner.Result{}, &failure{exit: exitUsage, code: "has-ended", msg: "run " + f.ID() + " has ended; there is nothing to end",
			hints: []string{"teamrun result " + f.ID()}}
	}
	switch err := host.Down(ctx, f); {
	case err == nil:
		return awaitEnd(ctx, f)
	case !errors.Is(err, host.ErrNotLive):
		return runner.Result{}, err
	}
	team, err := a.frozen(f)
	if err != nil {
		return runner.Result{}, err
	}
	return a.conduct(ctx, f, team, a.attended(), true)
}
