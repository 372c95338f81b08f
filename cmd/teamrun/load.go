package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/teamrun/teamrun/spec"
)

// checked is a spec after its check; team is nil when it was refused.
type checked struct {
	name     string // of the file, as a user would type it
	team     *spec.Team
	problems []spec.Problem
}

// check reads the spec that an argument means.
func check(args []string, o spec.LoadOptions) checked {
	path := ""
	if len(args) > 0 {
		path = args[0]
	}
	o.Kinds = kinds()
	team, problems := spec.Load(path, o)
	c := checked{name: path, team: team, problems: problems}
	switch {
	case team != nil:
		c.name = shown(filepath.Join(team.Dir, team.Path))
	case len(problems) > 0:
		c.name = problems[0].File
	}
	return c
}

// load is the team of a spec argument, ready to run. Problems are shown, and
// those that refuse it end the program.
func (a *app) load(cmd *cobra.Command, args, set []string, strict bool) (*spec.Team, error) {
	params, err := parameters(cmd, set)
	if err != nil {
		return nil, err
	}
	c := check(args, spec.LoadOptions{Set: params, NeedParams: true, Strict: strict})
	a.showProblems(c)
	if c.team == nil {
		return nil, exitCode(exitUsage)
	}
	return c.team, nil
}

// parameters are the values of --set.
func parameters(cmd *cobra.Command, set []string) (map[string]string, error) {
	params := map[string]string{}
	for _, pair := range set {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, usage(cmd, "--set %s is not name=value", pair)
		}
		if _, twice := params[name]; twice {
			return nil, usage(cmd, "--set %s is given twice", name)
		}
		params[name] = value
	}
	return params, nil
}

// shown is a path as a user would type it: relative below the present folder.
func shown(path string) string {
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, path); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return path
}

// showProblems writes the problems of a spec to standard error.
func (a *app) showProblems(c checked) {
	var b strings.Builder
	spec.Print(&b, c.problems, func(file string) []byte {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil // the problem then stands without its source line
		}
		return text
	}, a.style(a.err).Color)
	a.say(b.String())
}
