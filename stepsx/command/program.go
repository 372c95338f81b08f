package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// findProgram is the absolute path of the program name: with a slash it is
// taken from the work folder, without from PATH, of which only absolute entries
// count, so that no file of the work folder is run by accident. On failure
// status is what a shell would answer, 127 or 126.
func findProgram(name, dir string, env []string) (path string, status int, err error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", 126, fmt.Errorf("the work folder %s is not there", dir)
	}
	if strings.Contains(name, "/") {
		if filepath.IsAbs(name) {
			status, err := runnable(name)
			return name, status, err
		}
		path = filepath.Join(dir, name)
		status, err := runnable(path)
		if status == 127 {
			err = fmt.Errorf("%s is not there; it was looked for in the work folder %s (--dir); a script beside the team file is run by [sh, -c, {file: %s}]",
				name, dir, strings.TrimPrefix(name, "./"))
		}
		return path, status, err
	}
	var denied error
	for _, folder := range filepath.SplitList(variable(env, "PATH")) {
		if !filepath.IsAbs(folder) {
			continue
		}
		path := filepath.Join(folder, name)
		status, err := runnable(path)
		switch status {
		case 0:
			return path, 0, nil
		case 126:
			denied = err
		}
	}
	if denied != nil {
		return "", 126, denied
	}
	return "", 127, fmt.Errorf("%s is not in PATH; install it or write its path", name)
}

// runnable is what a shell would answer to path: 127 nothing there, 126 not
// executable, 0 fine.
func runnable(path string) (status int, err error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return 127, fmt.Errorf("%s is not there", path)
	case info.IsDir():
		return 126, fmt.Errorf("%s is a folder", path)
	case info.Mode()&0o111 == 0:
		return 126, fmt.Errorf("%s is not executable; chmod +x it", path)
	}
	return 0, nil
}
