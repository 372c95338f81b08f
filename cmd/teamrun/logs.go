package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/host"
	"github.com/teamrun/teamrun/runner/journal"
)

// logsFlags are the flags of logs.
type logsFlags struct {
	follow, json bool
	member       string
}

func newLogs(a *app) *cobra.Command {
	var flags logsFlags
	cmd := &cobra.Command{
		Use:     "logs [RUN]",
		Short:   "show what happened in a run",
		Example: "teamrun logs -f\nteamrun logs pr-review --member lead",
		Long: `logs prints what happened in a run, one event a line, as up shows it. --json prints the
journal itself, one record a line. -f goes on until nobody drives the run any more.`,
		Args:              verbArgs(0, 1),
		ValidArgsFunction: a.completeRun,
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := a.find(args, "show")
			if err != nil {
				return err
			}
			return a.logs(cmd, f, flags)
		},
	}
	cmd.Flags().BoolVarP(&flags.follow, "follow", "f", false, "go on while the run lives")
	cmd.Flags().BoolVar(&flags.json, "json", false, "print the records as JSON lines (schema teamrun/record/v1)")
	cmd.Flags().StringVar(&flags.member, "member", "", "only the lines of a `member`")
	return cmd
}

func (a *app) logs(cmd *cobra.Command, f host.Folder, flags logsFlags) error {
	reader, err := f.Journal()
	if err != nil {
		return err
	}
	defer reader.Close()
	show, err := a.shower(cmd, f, flags)
	if err != nil {
		return err
	}
	var seq uint64
	for {
		// The state is read before the records: what a run that just ended wrote
		// last is then still read below.
		live := false
		if flags.follow {
			status, err := f.Status()
			if err != nil {
				return err
			}
			live = status.State == stateLive
		}
		for {
			entries, err := reader.Since(seq, 500)
			if err != nil {
				return err
			}
			if len(entries) == 0 {
				break
			}
			for _, e := range entries {
				if err := show(e); err != nil {
					return err
				}
				seq = e.Record.Seq
			}
		}
		if !live {
			return nil
		}
		if !pause(cmd.Context(), 100*time.Millisecond) {
			return nil
		}
	}
}

// pause waits; false when ctx ended first.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// shower prints one entry of the journal after the other. Lines for people need
// the decisions of the machine, which a replay rebuilds.
func (a *app) shower(cmd *cobra.Command, f host.Folder, flags logsFlags) (func(journal.Entry) error, error) {
	if flags.json {
		if flags.member != "" {
			return nil, usage(cmd, "--json prints the whole journal; --member is for the lines")
		}
		return func(e journal.Entry) error { return a.printRecord(e) }, nil
	}
	team, err := a.frozen(f)
	if err != nil {
		return nil, err
	}
	program, err := runner.Compile(team, kinds())
	if err != nil {
		return nil, err
	}
	if flags.member != "" && program.Member(flags.member) == nil {
		return nil, usage(cmd, "the team %s has no member %q", team.Name, flags.member)
	}
	machine := runner.New(program)
	log := newLog(team, f)
	return func(e journal.Entry) error {
		effects, err := machine.Step(e.Record)
		if err != nil {
			return &failure{exit: exitState, code: "state-unusable", msg: err.Error()}
		}
		for _, line := range log.Step(e.Record, machine.Facts(), effects, machine.View) {
			if flags.member == "" || line.About(flags.member) {
				a.print(line.Text + "\n")
			}
		}
		return nil
	}, nil
}
