package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/teamrun/teamrun/runner/journal"
	"github.com/teamrun/teamrun/spec"
)

func TestFindHome(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name string
		env  map[string]string
		want string // "": an *EnvError
	}{
		{"own", map[string]string{"TEAMRUN_HOME": dir + "/a/", "HOME": "/x"}, dir + "/a"},
		{"xdg", map[string]string{"XDG_STATE_HOME": dir, "HOME": "/x"}, dir + "/teamrun"},
		{"relative xdg is ignored", map[string]string{"XDG_STATE_HOME": "x", "HOME": dir}, dir + "/.local/state/teamrun"},
		{"home", map[string]string{"HOME": dir}, dir + "/.local/state/teamrun"},
		{"relative own", map[string]string{"TEAMRUN_HOME": "x"}, ""},
		{"nothing", nil, ""},
		{"relative home", map[string]string{"HOME": "x"}, ""},
	} {
		h, err := FindHome(func(n string) string { return c.env[n] })
		var env *EnvError
		if c.want == "" && !errors.As(err, &env) || c.want != "" && (err != nil || h.Path() != c.want) {
			t.Errorf("%s: %q, %v", c.name, h.Path(), err)
		}
		if err != nil && strings.Contains(err.Error(), "is not set") != (c.name == "nothing") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestUnusableHome(t *testing.T) {
	for name, spoil := range map[string]func(dir string) error{
		"a file": func(dir string) error { return os.WriteFile(dir, nil, 0o600) },
		"runs is a file": func(dir string) error {
			return errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, "runs"), nil, 0o600))
		},
		"runs is a link": func(dir string) error {
			away := filepath.Join(filepath.Dir(dir), "away")
			return errors.Join(os.Mkdir(dir, 0o700), os.Mkdir(away, 0o700), os.Symlink(away, filepath.Join(dir, "runs")))
		},
		"below a file": func(dir string) error { return os.WriteFile(filepath.Dir(dir), nil, 0o600) },
	} {
		dir := filepath.Join(t.TempDir(), "up", "home")
		if name != "below a file" {
			if err := os.Mkdir(filepath.Dir(dir), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if err := spoil(dir); err != nil {
			t.Fatal(err)
		}
		_, err := FindHome(func(n string) string { return map[string]string{"TEAMRUN_HOME": dir}[n] })
		var env *EnvError
		if !errors.As(err, &env) || env.Remedy == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestF3_ModesAreRepaired: a home that others could write to is closed, and a
// wide umask opens nothing.
func TestF3_ModesAreRepaired(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	h := newHome(t)
	if err := os.MkdirAll(filepath.Join(h.Path(), "runs"), 0o777); err != nil {
		t.Fatal(err)
	}
	f := newRun(t, h, hello)
	w := newWorld()
	w.turn, w.finish = obliging, writeOpenly(t)
	simulate(t, func(t *testing.T) {
		if _, err := runQuietly(t.Context(), t, f, w); err != nil {
			t.Fatal(err)
		}
	})
	if _, err := os.Lstat(filepath.Join(f.Path(), "out", "sub", "report.md")); err != nil {
		t.Error(err)
	}
	err := filepath.WalkDir(h.Path(), func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		want := os.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if err == nil && info.Mode().Perm() != want {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// writeOpenly is a finisher that leaves it to the umask who may read.
func writeOpenly(t *testing.T) func(context.Context, string) {
	return func(_ context.Context, out string) {
		sub := filepath.Join(out, "sub")
		if err := errors.Join(os.MkdirAll(sub, 0o755), os.WriteFile(filepath.Join(sub, "report.md"), nil, 0o644)); err != nil {
			t.Error(err)
		}
	}
}

// TestF3_NamedOutIsTheUsers: what goes into a folder that the user named stays as
// the umask made it.
func TestF3_NamedOutIsTheUsers(t *testing.T) {
	old := syscall.Umask(0o022)
	defer syscall.Umask(old)
	f := newRun(t, newHome(t), hello)
	out := filepath.Join(t.TempDir(), "out")
	w := newWorld()
	w.turn, w.finish = obliging, writeOpenly(t)
	c := config(t, f, w)
	c.Folder.meta.Out = out
	simulate(t, func(t *testing.T) {
		if r, err := run(t.Context(), c, openJournal, noSocket); err != nil || r.FinishErr != "" {
			t.Fatal(r.FinishErr, err)
		}
	})
	for name, want := range map[string]os.FileMode{".": 0o755, "sub": 0o755, "sub/report.md": 0o644} {
		if info, err := os.Lstat(filepath.Join(out, name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

// TestF2_PlantedNames: a link, a second name, a FIFO or a folder in the place of
// a state file is refused, and what it leads to is not touched.
func TestF2_PlantedNames(t *testing.T) {
	h := newHome(t)
	for _, name := range []string{lockFile, statusName, resultName, "." + archiveName + ".new"} {
		for kind, plant := range map[string]func(victim, path string) error{
			"symlink": os.Symlink, "hardlink": os.Link,
			"fifo":   func(_, path string) error { return syscall.Mkfifo(path, 0o600) },
			"folder": func(_, path string) error { return os.Mkdir(path, 0o700) },
		} {
			t.Run(name+" "+kind, func(t *testing.T) {
				f := newRun(t, h, hello)
				victim := filepath.Join(t.TempDir(), "victim")
				if err := os.WriteFile(victim, []byte("{}"), 0o600); err != nil {
					t.Fatal(err)
				}
				if err := plant(victim, filepath.Join(f.Path(), name)); err != nil {
					t.Fatal(err)
				}
				w := newWorld()
				w.turn = obliging
				simulate(t, func(t *testing.T) {
					_, err := runQuietly(t.Context(), t, f, w)
					var state *journal.StateError
					if (name == lockFile || name == resultName) && !errors.As(err, &state) {
						t.Errorf("err = %v", err)
					}
				})
				if data, err := os.ReadFile(victim); err != nil || string(data) != "{}" {
					t.Errorf("the victim holds %q, %v", data, err)
				}
			})
		}
	}
}

func TestRunsAndFind(t *testing.T) {
	h := newHome(t)
	if runs, err := h.Runs(); err != nil || runs != nil {
		t.Errorf("an empty home: %v, %v", runs, err)
	}
	first := newRun(t, h, hello)
	second := newRun(t, h, strings.Replace(hello, "name: hello", "name: other", 1))
	for _, junk := range []string{"../x", draftMark + "half0000", "UPPER000"} {
		if err := os.MkdirAll(filepath.Join(h.Path(), "runs", junk), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	runs, err := h.Runs()
	if err != nil || len(runs) != 2 {
		t.Fatalf("Runs = %v, %v", runs, err)
	}
	for arg, want := range map[string]string{
		first.ID(): first.ID(), "hello": first.ID(), "other": second.ID(), second.ID()[:7]: second.ID(),
	} {
		if found, err := h.Find(arg); err != nil || len(found) != 1 || found[0].ID() != want {
			t.Errorf("Find(%q) = %v, %v", arg, found, err)
		}
	}
	for _, arg := range []string{"", "..", "../x", "half0000", "-rf", strings.Repeat("a", 99)} {
		if found, err := h.Find(arg); err != nil || len(found) > 0 {
			t.Errorf("Find(%q) = %v, %v", arg, found, err)
		}
	}
}

// TestE08_TwoRunsOfOneSpec share nothing but their name.
func TestE08_TwoRunsOfOneSpec(t *testing.T) {
	h := newHome(t)
	a, b := newRun(t, h, hello), newRun(t, h, hello)
	if a.ID() == b.ID() || a.Path() == b.Path() {
		t.Error("two runs have one id")
	}
	if found, err := h.Find("hello"); err != nil || len(found) != 2 {
		t.Errorf("Find = %v, %v", found, err)
	}
}

// TestFrozenSpecThatChanged is refused: a run goes on with what it began with.
func TestFrozenSpecThatChanged(t *testing.T) {
	f := newRun(t, newHome(t), hello)
	kinds := newWorld().world().SpecKinds()
	unnamed := newRun(t, newHome(t), strings.Replace(hello, "name: hello", "", 1))
	if team, problems := unnamed.Team(kinds); team == nil || team.Name != unnamed.Meta().Team || team.Name == "spec" {
		t.Fatal(team, problems)
	}
	if team, problems := f.Team(kinds); team == nil || team.Name != "hello" {
		t.Fatal(problems)
	}
	path := filepath.Join(f.Path(), specFolder, "team.yaml")
	for _, text := range []string{hello + "# changed\n", hello[:50], ""} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		team, problems := f.Team(kinds)
		if team != nil || len(problems) != 1 || problems[0].Code != "frozen-spec" || problems[0].Severity != spec.Error {
			t.Errorf("%q: %v, %v", text, team, problems)
		}
	}
}

// TestParamsThatChanged: a run goes on with the params it was started with, or
// not at all.
func TestParamsThatChanged(t *testing.T) {
	f := newRun(t, newHome(t), hello)
	w := newWorld()
	w.turn = obliging
	c := config(t, f, w)
	c.Folder.meta.Params = map[string]string{"depth": "9"}
	_, err := Run(t.Context(), c)
	var state *journal.StateError
	if !errors.As(err, &state) || !strings.Contains(state.Problem, "params") || state.Remedy == "" {
		t.Errorf("err = %v", err)
	}
	if n := len(records(t, f)); n != 1 || len(w.prompts) > 0 {
		t.Errorf("the run went on: %d records", n)
	}
}

// TestH4_SocketFolder: the socket is in a folder of the user's own, and where
// that cannot be, or the path would be too long, in another.
func TestH4_SocketFolder(t *testing.T) {
	t.Setenv("TMPDIR", shortDir(t))
	good, wide, linked := shortDir(t), shortDir(t), shortDir(t)
	err := errors.Join(
		os.Mkdir(filepath.Join(wide, "teamrun"), 0o700), os.Chmod(filepath.Join(wide, "teamrun"), 0o777),
		os.Symlink(good, filepath.Join(linked, "teamrun")),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, dir string
		there     bool // the socket is below dir
	}{
		{"good", good, true}, {"open to others", wide, true}, {"a link", linked, false},
		{"too long", filepath.Join(good, strings.Repeat("x", 100)), false}, {"relative", "run", false}, {"missing", "/nowhere", false}, {"unset", "", false},
	} {
		path, err := socketPath(func(string) string { return c.dir }, "run00001")
		if err != nil || len(path) > maxSocketPath || strings.HasPrefix(path, c.dir+"/teamrun/") != c.there {
			t.Errorf("%s: %q, %v", c.name, path, err)
			continue
		}
		if info, err := os.Lstat(filepath.Dir(path)); err != nil || !info.IsDir() || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: its folder: %v, %v", c.name, info, err)
		}
	}
}

func TestNewRunNeedsAbsoluteFolders(t *testing.T) {
	if _, err := newHome(t).NewRun(&spec.Team{}, RunOptions{Dir: "x", Now: time.Now()}); err == nil {
		t.Error("a relative work folder was taken")
	}
}
