package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// F3: every file is 0600, whatever the umask.
func TestF3_ModesUnderEveryUmask(t *testing.T) {
	for _, mask := range []int{0, 0o022, 0o077, 0o777} {
		folder := t.TempDir()
		old := syscall.Umask(mask)
		j, err := Create(filepath.Join(folder, "run.db"))
		if err == nil {
			err = j.Append(samples(1, 3))
		}
		syscall.Umask(old)
		if err != nil {
			t.Fatalf("umask %03o: %v", mask, err)
		}
		files, err := os.ReadDir(folder)
		if err != nil || len(files) != 4 {
			t.Fatalf("umask %03o: %d files, %v; want database, log, index, head", mask, len(files), err)
		}
		for _, f := range files {
			info, err := f.Info()
			if err != nil || info.Mode() != 0o600 {
				t.Errorf("umask %03o: %s has mode %v", mask, f.Name(), info.Mode())
			}
		}
		j.Close()
	}
}

// F3: a file that others can read is repaired, and it is said.
func TestF3_WideModeIsRepaired(t *testing.T) {
	path := closed(t, 2)
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	j := open(t, path)
	if info, err := os.Lstat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("mode is %v, %v", info.Mode(), err)
	}
	if !strings.Contains(j.Warning(), "0600") {
		t.Errorf("warning is %q", j.Warning())
	}
}

// F2: a journal is a regular file with one name; nothing else is opened, and
// nothing else is touched.
func TestF2_OnlyRegularFiles(t *testing.T) {
	for name, plant := range map[string]func(t *testing.T, path string){
		"link":           func(t *testing.T, path string) { must(t, os.Symlink(closed(t, 2), path)) },
		"dangling link":  func(t *testing.T, path string) { must(t, os.Symlink(path+"-away", path)) },
		"pipe":           func(t *testing.T, path string) { must(t, syscall.Mkfifo(path, 0o600)) },
		"folder":         func(t *testing.T, path string) { must(t, os.Mkdir(path, 0o700)) },
		"linked log":     func(t *testing.T, path string) { plantBeside(t, path, "-wal") },
		"linked journal": func(t *testing.T, path string) { plantBeside(t, path, "-journal") },
		"linked head":    func(t *testing.T, path string) { plantBeside(t, path, "-head") },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "run.db")
			plant(t, path)
			wantStateError(t, second(Open(path)))
			wantStateError(t, second(OpenReader(path)))
			wantStateError(t, second(Create(path)))
			if _, err := os.Lstat(path + "-away"); !errors.Is(err, fs.ErrNotExist) {
				t.Error("the link was followed")
			}
		})
	}
}

func TestF2_SecondNameIsNotWrittenTo(t *testing.T) {
	path := closed(t, 2)
	must(t, os.Link(path, path+".kept"))
	e := wantStateError(t, second(Open(path)))
	if !strings.Contains(e.Problem, "hard link") {
		t.Errorf("problem is %q", e.Problem)
	}
	r, err := OpenReader(path)
	if err != nil {
		t.Fatalf("reading a copy made with links: %v", err)
	}
	r.Close()
}

// plantBeside puts a link to a bait beside a good journal.
func plantBeside(t *testing.T, path, suffix string) {
	t.Helper()
	must(t, os.Rename(closed(t, 2), path))
	must(t, os.Symlink(path+"-away", path+suffix))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
