package host

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/journal"
	"github.com/teamrun/teamrun/spec"
)

// RunOptions say where a run works.
type RunOptions struct {
	Dir string    // work folder, absolute
	Out string    // where artifacts go, absolute; "": out below the run's folder
	Now time.Time // when the run is made
}

// NewRun makes the folder of a new run: the spec frozen with its digests, and a
// journal that holds record 1. It starts nothing. The folder gets its name when
// it is complete; what a process that was killed left of one is removed.
func (h Home) NewRun(team *spec.Team, o RunOptions) (Folder, error) {
	if !filepath.IsAbs(o.Dir) || o.Out != "" && !filepath.IsAbs(o.Out) {
		return Folder{}, fmt.Errorf("the work folder %q and the output folder %q must be absolute", o.Dir, o.Out)
	}
	if err := h.create(); err != nil {
		return Folder{}, err
	}
	h.removeDrafts(time.Now())
	f, err := h.makeFolder()
	if err == nil {
		err = f.furnish(team, o)
	}
	if err == nil {
		err = f.name()
	}
	if err == nil {
		return f, nil
	}
	if f.path != "" {
		err = errors.Join(err, os.RemoveAll(f.path))
	}
	var state *journal.StateError
	if errors.As(err, &state) {
		err = errors.New(state.Problem) // what it advises is for a run that exists
	}
	return Folder{}, &EnvError{Problem: "the run cannot be saved in " + h.path, Remedy: "free some space, make it writable, or set TEAMRUN_HOME", Err: err}
}

// draftMark begins the name of a folder that is being made.
const draftMark = ".new-"

// draftsFor is how long making a folder takes at most.
const draftsFor = time.Hour

// removeDrafts removes folders that nobody is making any more.
func (h Home) removeDrafts(now time.Time) {
	runs := filepath.Join(h.path, runsFolder)
	entries, _ := os.ReadDir(runs) // what stays does no harm
	for _, e := range entries {
		id, draft := strings.CutPrefix(e.Name(), draftMark)
		info, err := e.Info()
		if draft && idPattern.MatchString(id) && err == nil && info.IsDir() && now.Sub(info.ModTime()) > draftsFor {
			os.RemoveAll(filepath.Join(runs, e.Name())) //nolint:errcheck // as above
		}
	}
}

// makeFolder makes a draft for an id nobody has.
func (h Home) makeFolder() (Folder, error) {
	for {
		id := newID()
		f := Folder{path: filepath.Join(h.path, runsFolder, draftMark+id), meta: Meta{ID: id}}
		if _, err := os.Lstat(f.named()); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		err := os.Mkdir(f.path, 0o700)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return Folder{}, err
		}
		return f, nil
	}
}

// named is the path of a draft when it has its name.
func (f Folder) named() string { return filepath.Join(filepath.Dir(f.path), f.meta.ID) }

// name makes a draft a run.
func (f *Folder) name() error {
	if err := os.Rename(f.path, f.named()); err != nil {
		return err
	}
	f.path = f.named()
	runs, err := os.Open(filepath.Dir(f.path))
	if err != nil {
		return err
	}
	return errors.Join(runs.Sync(), runs.Close())
}

// newID is a random run id.
func newID() string {
	const letters = "0123456789abcdefghijklmnopqrstuvwxyz"
	id := make([]byte, 8)
	for i := range id {
		n, _ := rand.Int(rand.Reader, big.NewInt(int64(len(letters)))) // never fails, see crypto/rand
		id[i] = letters[n.Int64()]
	}
	return string(id)
}

// furnish fills a new run's folder.
func (f *Folder) furnish(team *spec.Team, o RunOptions) error {
	f.meta = Meta{
		Schema: metaSchema, ID: f.meta.ID, Team: team.Name, Dir: o.Dir, Out: o.Out,
		SpecPath: filepath.Join(team.Dir, filepath.FromSlash(team.Path)), Params: given(team.Params),
		Created: o.Now.UnixMilli(), Digest: team.Digest(), Entry: team.Path, Teamrun: buildVersion(),
	}
	if f.meta.Out == "" {
		f.meta.Out = filepath.Join(f.named(), "out")
	}
	root, err := f.open()
	if err != nil {
		return err
	}
	defer root.Close()
	if err := f.freeze(root, team.Files); err != nil {
		return err
	}
	if err := f.firstRecord(team); err != nil {
		return err
	}
	text, err := json.MarshalIndent(f.meta, "", "  ")
	if err != nil {
		return err
	}
	return writeState(root, metaName, append(text, '\n'), true)
}

// freeze copies the files of the spec.
func (f *Folder) freeze(root *os.Root, files []spec.File) error {
	for _, file := range files {
		name := path.Join(specFolder, file.Path)
		if err := root.MkdirAll(path.Dir(name), 0o700); err != nil {
			return err
		}
		if err := writeState(root, name, file.Data, false); err != nil {
			return err
		}
		f.meta.Files = append(f.meta.Files, FrozenFile{file.Path, file.SHA256})
	}
	return nil
}

func (f *Folder) firstRecord(team *spec.Team) error {
	log, err := journal.Create(f.journalPath())
	if err != nil {
		return err
	}
	l := team.Limits
	err = log.Append([]journal.Entry{{Record: runner.Record{Seq: 1, At: f.meta.Created, Event: runner.RunStarted{
		Machine: runner.Version, Run: f.meta.ID, Team: team.Name, Digest: f.meta.Digest, Params: f.meta.Params,
		Limits: runner.LimitValues{
			WallMS: l.Wall.Milliseconds(), Turns: l.Turns, Messages: l.Messages,
			Concurrency: l.Concurrency, Cost: l.Cost, UnknownCost: l.UnknownCost,
		},
	}}}})
	return errors.Join(err, log.Close())
}

// given are the params that have a value.
func given(params []spec.Param) map[string]string {
	values := map[string]string{}
	for _, p := range params {
		if p.Given {
			values[p.Name] = p.Value
		}
	}
	return values
}

// buildVersion is the version of this program, "" when it was built from a
// checkout.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "(devel)" {
		return ""
	}
	return info.Main.Version
}
