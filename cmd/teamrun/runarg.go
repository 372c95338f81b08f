package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/teamrun/teamrun/runner/host"
)

// The states of a run.
const (
	stateLive       = "live"
	stateEnded      = "ended"
	stateUnreadable = "unreadable" // its files are broken; naming it says how
)

// find is the run an argument names: an id, the start of one, or a team name,
// which means its newest run. Without an argument it is the only run that lives
// or can be resumed; what is what the verb does to it, for the answer that there
// is none.
func (a *app) find(args []string, what string) (host.Folder, error) {
	if len(args) == 0 {
		return a.only(what)
	}
	home, err := host.FindHome(a.getenv)
	if err != nil {
		return host.Folder{}, err
	}
	found, err := home.Find(args[0])
	if err != nil {
		return host.Folder{}, err
	}
	for _, f := range found {
		if f.ID() == args[0] {
			return f, nil
		}
	}
	for _, f := range found { // newest first
		if f.Meta().Team == args[0] {
			return f, nil
		}
	}
	switch len(found) {
	case 0:
		all, err := home.Runs()
		if err != nil {
			return host.Folder{}, err
		}
		return host.Folder{}, noRun(fmt.Sprintf("no run %q", args[0]), all)
	case 1:
		return found[0], nil
	}
	return host.Folder{}, noRun(fmt.Sprintf("%q is the start of %d runs", args[0], len(found)), found)
}

// only is the one run that lives or can be resumed.
func (a *app) only(what string) (host.Folder, error) {
	open, ended, broken, err := a.sorted()
	switch {
	case err != nil:
		return host.Folder{}, err
	case len(open) == 1:
		return open[0], nil
	case len(open) > 1:
		return host.Folder{}, noRun(fmt.Sprintf("%d runs live or can be resumed; name one", len(open)), open)
	case len(ended) == 0:
		return host.Folder{}, noRun("nothing to "+what, broken)
	}
	return host.Folder{}, &failure{exit: exitUsage, code: "no-such-run", msg: "nothing to " + what + "; teamrun ps -a lists ended runs"}
}

// lastEnded is the newest run that has ended.
func (a *app) lastEnded() (host.Folder, error) {
	open, ended, broken, err := a.sorted()
	switch {
	case err != nil:
		return host.Folder{}, err
	case len(ended) == 0:
		return host.Folder{}, noRun("no run has ended yet", append(open, broken...))
	}
	return ended[0], nil
}

// sorted are the runs that live or can be resumed, those that have ended,
// and those whose state cannot be read, each the newest first.
func (a *app) sorted() (open, ended, broken []host.Folder, err error) {
	home, err := host.FindHome(a.getenv)
	if err != nil {
		return nil, nil, nil, err
	}
	all, err := home.Runs()
	if err != nil {
		return nil, nil, nil, err
	}
	for _, f := range all {
		status, err := f.Status()
		switch {
		case err != nil:
			broken = append(broken, f)
		case status.State == stateEnded:
			ended = append(ended, f)
		default:
			open = append(open, f)
		}
	}
	return open, ended, broken, nil
}

// noRun says that an argument names no single run, and which there are.
func noRun(msg string, runs []host.Folder) error {
	f := &failure{exit: exitUsage, code: "no-such-run", msg: msg}
	for i, r := range runs {
		if i == 10 {
			f.hints = append(f.hints, fmt.Sprintf("… and %d more: teamrun ps -a", len(runs)-i))
			break
		}
		state := stateUnreadable
		if status, err := r.Status(); err == nil {
			state = status.State
		}
		f.hints = append(f.hints, fmt.Sprintf("run %s %s %s", r.ID(), cmp.Or(r.Meta().Team, "-"), state))
	}
	if len(runs) == 0 {
		f.hints = append(f.hints, "there are no runs yet; teamrun up starts one")
	}
	return f
}

// completeRun offers the ids and names of runs to the shell.
func (a *app) completeRun(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	home, err := host.FindHome(a.getenv)
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	runs, err := home.Runs()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var words []string
	offered := map[string]bool{"": true} // the name of an unreadable run
	for _, f := range runs {
		for _, word := range []string{f.ID(), f.Meta().Team} {
			if !offered[word] && strings.HasPrefix(word, toComplete) {
				offered[word] = true
				words = append(words, word)
			}
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}
