package main

import (
	"github.com/spf13/cobra"

	"github.com/teamrun/teamrun/runner/host"
)

// upFlags are the flags of up.
type upFlags struct {
	set      []string
	dir, out string
	strict   bool
	detach   bool
	json     bool
}

func newUp(a *app) *cobra.Command {
	var flags upFlags
	cmd := &cobra.Command{
		Use:     "up [SPEC]",
		Short:   "run a team and print its result",
		Example: "teamrun up examples/01-hello\nteamrun up review.yaml --set base=origin/main --out report",
		Long: `up checks the team file, freezes it into a new run, starts the agents and works until
the run ends. The result goes to standard output, progress to standard error; the exit
code is the run's (teamrun help exit-codes).

SPEC is a file or a folder that holds team.yaml; without one: ./team.yaml, then
./.teamrun/team.yaml. Ctrl-C saves and stops: teamrun resume goes on. A second
Ctrl-C ends everything at once. Agents start in --dir, else the git top level
above the spec, else the spec's folder.`,
		Args: verbArgs(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.up(cmd, args, flags) },
	}
	cmd.Flags().StringArrayVar(&flags.set, "set", nil, "value of a parameter, `name=value`; repeatable")
	cmd.Flags().StringVar(&flags.dir, "dir", "", "work `folder` of the agents")
	cmd.Flags().StringVar(&flags.out, "out", "", "`folder` for the artifacts (default: in the run's folder)")
	cmd.Flags().BoolVar(&flags.strict, "strict", false, "warnings are errors")
	cmd.Flags().BoolVarP(&flags.detach, "detach", "d", false, "run in the background and print the run's id")
	cmd.Flags().BoolVar(&flags.json, "json", false, "print the result as JSON (schema teamrun/result/v1)")
	return cmd
}

func (a *app) up(cmd *cobra.Command, args []string, flags upFlags) error {
	if flags.detach && flags.json {
		return usage(cmd, "-d prints the run's id alone; --json is for a result: teamrun wait --json")
	}
	team, err := a.load(cmd, args, flags.set, flags.strict)
	if err != nil {
		return err
	}
	dir, err := workDir(flags.dir, team.Dir)
	if err != nil {
		return err
	}
	if err := host.Preflight(team, world(), dir); err != nil {
		return err
	}
	out, err := outDir(flags.out)
	if err != nil {
		return err
	}
	home, err := host.FindHome(a.getenv)
	if err != nil {
		return err
	}
	run, err := home.NewRun(team, host.RunOptions{Dir: dir, Out: out, Now: a.now()})
	if err != nil {
		return err
	}
	if flags.detach {
		return a.detach(cmd.Context(), run)
	}
	result, err := a.conduct(cmd.Context(), run, team, a.attended(), false)
	if err != nil {
		return err
	}
	return a.finish(run, result, flags.json)
}
