package host

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"
)

// runsFolder is the folder below the home with a folder for each run.
const runsFolder = "runs"

// Home is the state home: the folder that holds all runs of a user.
type Home struct{ path string }

// FindHome finds the state home: TEAMRUN_HOME, else XDG_STATE_HOME/teamrun, else
// ~/.local/state/teamrun. It creates nothing; a home that does not exist yet has
// no runs. An unusable one is an *EnvError.
func FindHome(getenv func(string) string) (Home, error) {
	path, err := homePath(getenv)
	if err != nil {
		return Home{}, err
	}
	h := Home{path}
	if err := h.check(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Home{}, err
	}
	return h, nil
}

func homePath(getenv func(string) string) (string, error) {
	if p := getenv("TEAMRUN_HOME"); p != "" {
		if !filepath.IsAbs(p) {
			return "", &EnvError{Problem: fmt.Sprintf("TEAMRUN_HOME is %q", p), Remedy: "set it to an absolute path"}
		}
		return filepath.Clean(p), nil
	}
	if p := getenv("XDG_STATE_HOME"); filepath.IsAbs(p) { // the XDG rule: ignore a relative one
		return filepath.Join(p, "teamrun"), nil
	}
	p := getenv("HOME")
	if filepath.IsAbs(p) {
		return filepath.Join(p, ".local", "state", "teamrun"), nil
	}
	problem := "HOME is not set"
	if p != "" {
		problem = fmt.Sprintf("HOME is %q, which is not an absolute path", p)
	}
	return "", &EnvError{Problem: "there is no place for state: " + problem, Remedy: "set HOME or TEAMRUN_HOME to an absolute path"}
}

// Path is the state home's absolute path.
func (h Home) Path() string { return h.path }

// check makes sure that nobody else can put things into the home. A home of ours
// that is open to others is closed.
func (h Home) check() error {
	runs := filepath.Join(h.path, runsFolder)
	if info, err := os.Lstat(runs); err == nil && info.Mode().Type() == fs.ModeSymlink {
		return &EnvError{Problem: runs + " is a link", Remedy: "put the folder itself there or set TEAMRUN_HOME to where it is"}
	}
	for _, dir := range []string{h.path, runs} {
		if err := closedFolder(dir); err != nil {
			return err
		}
		d, err := os.Open(dir)
		if err != nil {
			return &EnvError{Problem: "the state home cannot be read", Remedy: "make it readable or set TEAMRUN_HOME", Err: err}
		}
		d.Close()
	}
	return nil
}

// closedFolder checks that dir is a folder of this user that no other user can
// write to, and takes such a right away.
func closedFolder(dir string) error {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil {
		return &EnvError{Problem: "the state home cannot be read", Remedy: "make it readable or set TEAMRUN_HOME", Err: err}
	}
	if !info.IsDir() {
		return &EnvError{Problem: dir + " is not a folder", Remedy: "remove it or set TEAMRUN_HOME"}
	}
	if int(info.Sys().(*syscall.Stat_t).Uid) != os.Getuid() {
		return &EnvError{Problem: dir + " belongs to another user", Remedy: "set TEAMRUN_HOME to a folder of your own"}
	}
	if info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return &EnvError{Problem: dir + " is open to other users", Remedy: "run chmod 700 on it", Err: err}
	}
	return nil
}

// create makes the home's folders where they are missing.
func (h Home) create() error {
	if err := os.MkdirAll(filepath.Join(h.path, runsFolder), 0o700); err != nil {
		return &EnvError{Problem: "the state home cannot be created", Remedy: "make its folder writable or set TEAMRUN_HOME", Err: err}
	}
	return h.check()
}

// idPattern is the form of a run id. A folder of another name is no run.
var idPattern = regexp.MustCompile(`^[0-9a-z]{8}$`)

// Runs are all runs, the newest first. Those whose folder is broken are among
// them, see Folder.Broken.
func (h Home) Runs() ([]Folder, error) {
	entries, err := os.ReadDir(filepath.Join(h.path, runsFolder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &EnvError{Problem: "the state home cannot be read", Remedy: "make it readable or set TEAMRUN_HOME", Err: err}
	}
	var runs []Folder
	for _, e := range entries {
		if e.IsDir() && idPattern.MatchString(e.Name()) {
			runs = append(runs, findFolder(filepath.Join(h.path, runsFolder, e.Name())))
		}
	}
	slices.SortFunc(runs, func(a, b Folder) int {
		return cmp.Or(cmp.Compare(b.meta.Created, a.meta.Created), cmp.Compare(a.meta.ID, b.meta.ID))
	})
	return runs, nil
}

// Find are the runs a person may mean by arg, the newest first: the run of that
// id, else the runs of the team of that name, else those whose id begins so.
func (h Home) Find(arg string) ([]Folder, error) {
	runs, err := h.Runs()
	if err != nil || arg == "" {
		return nil, err
	}
	for _, is := range []func(Folder) bool{
		func(f Folder) bool { return f.meta.ID == arg },
		func(f Folder) bool { return f.meta.Team == arg },
		func(f Folder) bool { return len(arg) < len(f.meta.ID) && f.meta.ID[:len(arg)] == arg },
	} {
		found := slices.DeleteFunc(slices.Clone(runs), func(f Folder) bool { return !is(f) })
		if len(found) > 0 {
			return found, nil
		}
	}
	return nil, nil
}
