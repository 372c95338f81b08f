package host

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/teamrun/teamrun/runner/journal"
	"github.com/teamrun/teamrun/spec"
)

// The files of a run's folder.
const (
	metaName    = "run.json"
	journalName = "run.db"
	archiveName = "journal.ndjson"
	resultName  = "result.json"
	specFolder  = "spec"
)

// Folder is the folder of one run.
type Folder struct {
	path   string
	meta   Meta
	broken error // why run.json tells nothing
}

// Meta is what never changes about a run: run.json.
type Meta struct {
	Schema   string            `json:"schema"` // teamrun/run/v1
	ID       string            `json:"id"`
	Team     string            `json:"team"`
	Dir      string            `json:"dir"`  // work folder, absolute
	Out      string            `json:"out"`  // where artifacts go, absolute
	SpecPath string            `json:"spec"` // the spec file it was started from, absolute
	Params   map[string]string `json:"params"`
	Created  int64             `json:"created"` // Unix time in milliseconds
	Digest   string            `json:"digest"`  // of the spec, spec.Team.Digest
	// Entry is the spec file below spec/; Files are all files there.
	Entry string       `json:"entry"`
	Files []FrozenFile `json:"files"`
	// Teamrun is the version of the program that started the run, when known.
	Teamrun string `json:"teamrun,omitempty"`
}

// FrozenFile is one file of the frozen spec.
type FrozenFile struct {
	Path   string `json:"path"` // below spec/, slash separated
	SHA256 string `json:"sha256"`
}

const metaSchema = "teamrun/run/v1"

// findFolder is the folder of a run, be it broken.
func findFolder(dir string) Folder {
	f := Folder{path: dir}
	if f.broken = f.readMeta(); f.broken == nil {
		return f
	}
	f.meta = Meta{ID: filepath.Base(dir)}
	if info, err := os.Lstat(dir); err == nil {
		f.meta.Created = info.ModTime().UnixMilli() // a good guess
	}
	return f
}

// readMeta reads run.json.
func (f *Folder) readMeta() error {
	root, err := f.open()
	if err != nil {
		return err
	}
	defer root.Close()
	broken := func(problem string) error {
		return &journal.StateError{
			Path: filepath.Join(f.path, metaName), Problem: problem,
			Remedy: "restore the file from a copy, or remove the run's folder and start the run anew; nothing was changed",
		}
	}
	data, err := readState(root, metaName)
	if errors.Is(err, fs.ErrNotExist) {
		return broken("there is no such file")
	}
	if err != nil {
		return broken("the file cannot be used: " + reason(err))
	}
	var head struct{ Schema, ID string }
	switch err := json.Unmarshal(data, &head); {
	case err != nil:
		return broken("the file is damaged")
	case head.Schema != metaSchema:
		return &journal.StateError{
			Path: filepath.Join(f.path, metaName), Problem: fmt.Sprintf("the file is of another version of teamrun (schema %q, not %q)", head.Schema, metaSchema),
			Remedy: "use the version that started the run; nothing was changed",
		}
	case head.ID != filepath.Base(f.path):
		return broken(fmt.Sprintf("the file is of run %q", head.ID))
	case json.Unmarshal(data, &f.meta) != nil:
		return broken("the file is damaged")
	}
	return nil
}

// Broken is why the folder is of no use until somebody repairs it, nil for one
// that can be used. It is a *journal.StateError. All that is known of a broken
// one is its ID and its Path, and roughly when it was made.
func (f Folder) Broken() error { return f.broken }

// ID is the run's id.
func (f Folder) ID() string { return f.meta.ID }

// Path is the folder's absolute path.
func (f Folder) Path() string { return f.path }

// Meta is what never changes about the run.
func (f Folder) Meta() Meta { return f.meta }

// open opens the folder. It must be a folder itself, not a link to one.
func (f Folder) open() (*os.Root, error) {
	if f.broken != nil {
		return nil, f.broken
	}
	info, err := os.Lstat(f.path)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a folder", f.path)
	}
	if err != nil {
		return nil, f.unreadable(err)
	}
	root, err := os.OpenRoot(f.path)
	if err != nil {
		return nil, f.unreadable(err)
	}
	return root, nil
}

// unreadable is the error for a folder that cannot be used: exit 6.
func (f Folder) unreadable(err error) error {
	var state *journal.StateError
	if errors.As(err, &state) {
		return err
	}
	return &journal.StateError{
		Path: f.path, Problem: "the run's folder cannot be used: " + reason(err),
		Remedy: "repair it or start the run anew; nothing was changed", Err: err,
	}
}

// Team loads the frozen spec with the run's params. A file that is not the one
// that was frozen is a problem.
func (f Folder) Team(kinds []spec.Kind) (*spec.Team, []spec.Problem) {
	root, err := f.open()
	if err != nil {
		return nil, f.changed(f.meta.Entry, reason(err))
	}
	defer root.Close()
	for _, file := range f.meta.Files {
		data, err := readState(root, path.Join(specFolder, file.Path))
		if err != nil {
			return nil, f.changed(file.Path, reason(err))
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != file.SHA256 {
			return nil, f.changed(file.Path, "it is not what was frozen when the run started")
		}
	}
	team, problems := spec.Load(filepath.Join(f.path, specFolder, filepath.FromSlash(f.meta.Entry)), spec.LoadOptions{
		Kinds: kinds, Set: f.meta.Params, NeedParams: true,
	})
	if team != nil && team.Digest() != f.meta.Digest {
		return nil, f.changed(f.meta.Entry, "this version of teamrun reads it differently than the one that started the run")
	}
	if team != nil {
		team.Name = f.meta.Team // which its folder may have given it
	}
	return team, problems
}

// changed is the problem of a frozen spec that cannot be trusted.
func (f Folder) changed(file, why string) []spec.Problem {
	return []spec.Problem{{
		Pos: spec.Pos{File: filepath.Join(f.path, specFolder, filepath.FromSlash(file)), Line: 1, Col: 1}, Len: 1,
		Severity: spec.Error, Code: "frozen-spec",
		Msg: fmt.Sprintf("the frozen spec of run %s cannot be used: %s; start the run anew", f.meta.ID, why),
	}}
}

// Journal opens the journal for reading, beside a live runner too.
func (f Folder) Journal() (*journal.Reader, error) {
	if f.broken != nil {
		return nil, f.broken
	}
	return journal.OpenReader(f.journalPath())
}

func (f Folder) journalPath() string { return filepath.Join(f.path, journalName) }
