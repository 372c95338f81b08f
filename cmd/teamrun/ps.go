package main

import (
	"github.com/spf13/cobra"

	"github.com/teamrun/teamrun/cmd/teamrun/document"
	"github.com/teamrun/teamrun/cmd/teamrun/view"
	"github.com/teamrun/teamrun/runner/host"
)

// psFlags are the flags of ps.
type psFlags struct{ all, quiet, json bool }

func newPs(a *app) *cobra.Command {
	var flags psFlags
	cmd := &cobra.Command{
		Use:     "ps [RUN]",
		Short:   "list runs",
		Example: "teamrun ps\nteamrun ps pr-review",
		Long: `ps lists the runs that live or can be resumed, newest first; with -a those that have
ended too. With RUN it shows the members and tasks of that run.`,
		Args:              verbArgs(0, 1),
		ValidArgsFunction: a.completeRun,
		RunE:              func(_ *cobra.Command, args []string) error { return a.ps(args, flags) },
	}
	cmd.Flags().BoolVarP(&flags.all, "all", "a", false, "also runs that have ended")
	cmd.Flags().BoolVarP(&flags.quiet, "quiet", "q", false, "print ids alone")
	cmd.Flags().BoolVar(&flags.json, "json", false, "print as JSON (schema teamrun/ps/v1)")
	return cmd
}

// listed is a run with its state.
type listed struct {
	folder host.Folder
	status host.Status
}

func (a *app) ps(args []string, flags psFlags) error {
	var runs []listed
	var err error
	if len(args) > 0 {
		runs, err = a.one(args)
	} else {
		runs, err = a.list(flags.all)
	}
	switch {
	case err != nil:
		return err
	case flags.json:
		doc := document.Runs{Schema: document.RunsSchema, Runs: []document.Run{}}
		for _, r := range runs {
			doc.Runs = append(doc.Runs, document.NewRun(r.folder, r.status))
		}
		return a.printJSON(doc)
	case flags.quiet:
		for _, r := range runs {
			a.print(r.folder.ID() + "\n")
		}
	case len(args) > 0:
		a.print(view.Run(runs[0].status.View, a.style(a.out)))
	case len(runs) == 0:
		a.say("no run lives or can be resumed (teamrun ps -a lists all)\n")
	default:
		rows := make([]view.Row, len(runs))
		for i, r := range runs {
			rows[i] = view.Row{ID: r.folder.ID(), Name: r.folder.Meta().Team, State: string(r.status.State), Started: r.folder.Meta().Created, View: r.status.View}
		}
		a.print(view.Runs(rows, a.now().UnixMilli(), a.style(a.out)))
	}
	return nil
}

func (a *app) one(args []string) ([]listed, error) {
	f, err := a.find(args, "show")
	if err != nil {
		return nil, err
	}
	status, err := a.status(f)
	if err != nil {
		return nil, err
	}
	return []listed{{f, status}}, nil
}

// list is the runs of this machine. One whose state cannot be read is named and
// does not hide the others.
func (a *app) list(all bool) ([]listed, error) {
	home, err := host.FindHome(a.getenv)
	if err != nil {
		return nil, err
	}
	folders, err := home.Runs()
	if err != nil {
		return nil, err
	}
	var runs []listed
	for _, f := range folders {
		status, err := a.status(f)
		if err != nil {
			a.say("teamrun: run " + f.ID() + " is unreadable: " + err.Error() + "\n")
			status.State = stateUnreadable
		}
		if all || status.State != stateEnded {
			runs = append(runs, listed{f, status})
		}
	}
	return runs, nil
}
