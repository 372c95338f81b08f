package host

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// maxSocketPath is the shortest limit of the systems we run on, in bytes.
const maxSocketPath = 103

// socketPath is where the control socket of a run is: in XDG_RUNTIME_DIR, else
// in a folder of the user's own below a short temporary one. The folder, 0700,
// keeps others out; the mode of a socket is not portable.
func socketPath(getenv func(string) string, run string) (string, error) {
	user := "teamrun-" + strconv.Itoa(os.Getuid())
	folders := []string{filepath.Join(os.TempDir(), user), filepath.Join("/tmp", user)}
	if dir := getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		folders = append([]string{filepath.Join(dir, "teamrun")}, folders...)
	}
	var last error
	for _, folder := range folders {
		path := filepath.Join(folder, run+".sock")
		if len(path) > maxSocketPath {
			continue
		}
		if last = ownFolder(folder); last == nil {
			return path, nil
		}
	}
	return "", &EnvError{Problem: "there is no folder for the control socket", Remedy: "set XDG_RUNTIME_DIR to a short folder of your own", Err: last}
}

// ownFolder makes a folder, or checks that the one that is there is ours alone
// and no link to elsewhere.
func ownFolder(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return errors.New(dir + " is not a folder")
	case int(info.Sys().(*syscall.Stat_t).Uid) != os.Getuid():
		return errors.New(dir + " belongs to another user")
	case info.Mode().Perm() != 0o700:
		return os.Chmod(dir, 0o700)
	}
	return nil
}
