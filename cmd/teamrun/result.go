package main

import (
	"github.com/spf13/cobra"

	"github.com/teamrun/teamrun/runner/host"
)

func newResult(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "result [RUN]",
		Short:   "print the result of a run",
		Example: "teamrun result\nteamrun result 7f3k2mqa --json",
		Long: `result prints the result of a run that has ended, as up printed it, and exits 0. Without
RUN it is the newest run of this machine that has ended. Of a run that has not ended
there is none: exit 2.`,
		Args:              verbArgs(0, 1),
		ValidArgsFunction: a.completeRun,
		RunE: func(_ *cobra.Command, args []string) error {
			f, err := a.resultOf(args)
			if err != nil {
				return err
			}
			result, err := f.Result(kinds())
			switch {
			case err != nil:
				return err
			case result == nil:
				return &failure{exit: exitUsage, code: "not-ended", msg: "run " + f.ID() + " has not ended",
					hints: []string{"teamrun ps " + f.ID() + " shows where it is; teamrun wait " + f.ID() + " waits for its end"}}
			}
			return a.tell(f, *result, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON (schema teamrun/result/v1)")
	return cmd
}

// resultOf is the run whose result is asked for: here no argument means the
// newest that has one.
func (a *app) resultOf(args []string) (host.Folder, error) {
	if len(args) == 0 {
		return a.lastEnded()
	}
	return a.find(args, "show")
}
