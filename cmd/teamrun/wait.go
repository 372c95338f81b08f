package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/host"
)

func newWait(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "wait [RUN]",
		Short:   "wait for a run to end",
		Example: "teamrun wait\nteamrun wait 7f3k2mqa --json",
		Long: `wait prints the result of a run when it ends and exits with the run's code. When nobody
drives the run any more it does not wait for ever: exit 2, and the hint how to resume.`,
		Args:              verbArgs(0, 1),
		ValidArgsFunction: a.completeRun,
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := a.find(args, "wait for")
			if err != nil {
				return err
			}
			wishes := listen(cmd.Context(), func() {})
			defer wishes.stop()
			result, err := awaitEnd(wishes.ctx, f)
			if wishes.ctx.Err() != nil {
				return wishes.exit()
			}
			if err != nil {
				return err
			}
			return a.finish(f, result, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON (schema teamrun/result/v1)")
	return cmd
}

// awaitEnd waits for the end of a run that another process drives.
func awaitEnd(ctx context.Context, f host.Folder) (runner.Result, error) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		status, err := f.Status()
		if err != nil {
			return runner.Result{}, err
		}
		// The result comes after the status was read, so a run that ends in
		// between is not taken for an abandoned one.
		result, err := f.Result(kinds())
		switch {
		case err != nil:
			return runner.Result{}, err
		case result != nil:
			return *result, nil
		case status.State != stateLive:
			return runner.Result{}, &failure{exit: exitUsage, code: "not-live", msg: "run " + f.ID() + " is interrupted: nobody drives it",
				hints: []string{"teamrun resume " + f.ID()}}
		}
		select {
		case <-ctx.Done():
			return runner.Result{}, ctx.Err()
		case <-tick.C:
		}
	}
}
