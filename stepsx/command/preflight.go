package command

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/teamrun/teamrun/runner"
)

// ownName is the program that every process finds, see runner.Post.Bin.
const ownName = "teamrun"

// Ready implements runner.Preflight.
func (kind) Ready(p runner.Post) error {
	settings, ok := p.Settings.(*Settings)
	if !ok || len(settings.Run) == 0 {
		return errors.New("a command agent needs the key run: the program and its arguments")
	}
	return ready(settings.Run[0].String(), p.Dir, p.Env)
}

// ReadyExec implements runner.ExecPreflight.
func (executor) ReadyExec(o runner.ExecOrder) error { return ready(o.Argv[0], o.Dir, o.Env) }

// ready looks for the program of a process. One below the work folder may be
// made by a task that comes first.
func ready(program, dir string, names []string) error {
	if program == ownName || strings.Contains(program, "/") && (!filepath.IsAbs(program) || below(dir, program)) {
		return nil
	}
	_, _, err := findProgram(program, dir, environ(os.Environ(), names, nil, ""))
	return err
}

// below reports whether a path is inside a folder; both are absolute.
func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
