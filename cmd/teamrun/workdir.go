package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// workDir is the folder in which agents and run tasks start: the one named,
// else the git top level above the spec, else the spec's folder.
func workDir(named, specDir string) (string, error) {
	if named == "" {
		if top, ok := gitTop(specDir); ok {
			return top, nil
		}
		return specDir, nil
	}
	dir, err := filepath.Abs(named)
	if err != nil {
		return "", &failure{exit: exitEnv, code: "environment", msg: "the current folder is gone: " + err.Error()}
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", &failure{exit: exitUsage, code: "usage", msg: "--dir " + named + ": there is no such folder"}
	case err != nil:
		return "", &failure{exit: exitUsage, code: "usage", msg: "--dir " + named + " cannot be read: " + reason(err)}
	case !info.IsDir():
		return "", &failure{exit: exitUsage, code: "usage", msg: "--dir " + named + " is not a folder"}
	}
	return dir, nil
}

// gitTop is the nearest folder at or above dir that holds .git: a folder in a
// repository, a file in a worktree or a submodule. Git itself is not needed.
func gitTop(dir string) (string, bool) {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir = up
	}
}

// reason is the last part of a file error: what is wrong, without the call.
func reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}

// outDir is the folder for artifacts as an absolute path, made and tried out, so
// that no run finds out at its end that it cannot leave its result. "" stays "":
// the run's own folder, which a run cannot begin without.
func outDir(named string) (string, error) {
	if named == "" {
		return "", nil
	}
	dir, err := filepath.Abs(named)
	if err != nil {
		return "", &failure{exit: exitEnv, code: "environment", msg: "the current folder is gone: " + err.Error()}
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return "", &failure{exit: exitUsage, code: "usage", msg: "--out " + named + " is not a folder"}
	}
	if err := tryOut(dir); err != nil {
		return "", &failure{exit: exitEnv, code: "out-unwritable", msg: "--out " + named + ": artifacts cannot be written there: " + reason(err),
			hints: []string{"nothing was started; make the folder writable or name another one"}}
	}
	return dir, nil
}

// tryOut makes a folder and writes a file in it that does not stay.
func tryOut(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	probe, err := os.CreateTemp(dir, ".teamrun-*")
	if err != nil {
		return err
	}
	_, err = probe.WriteString("teamrun can write here\n") // a full disk shows here
	return errors.Join(err, probe.Close(), os.Remove(probe.Name()))
}
