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

	"github.com/teamrun/teamrun/runner"
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
	path string
	meta Meta
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

// openFolder reads a run's folder.
func openFolder(dir string) (Folder, error) {
	f := Folder{path: dir}
	root, err := f.open()
	if err != nil {
		return Folder{}, err
	}
	defer root.Close()
	data, err := readState(root, metaName)
	if err != nil {
		return Folder{}, err
	}
	if err := json.Unmarshal(data, &f.meta); err != nil {
		return Folder{}, f.unreadable(err)
	}
	if f.meta.Schema != metaSchema || f.meta.ID != filepath.Base(dir) {
		return Folder{}, f.unreadable(fmt.Errorf("%s is of run %q, schema %q", metaName, f.meta.ID, f.meta.Schema))
	}
	return f, nil
}

// ID is the run's id.
func (f Folder) ID() string { return f.meta.ID }

// Path is the folder's absolute path.
func (f Folder) Path() string { return f.path }

// Meta is what never changes about the run.
func (f Folder) Meta() Meta { return f.meta }

// open opens the folder. It must be a folder itself, not a link to one.
func (f Folder) open() (*os.Root, error) {
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
		Path: f.path, Problem: "the run's folder cannot be used: " + err.Error(),
		Remedy: "repair it or start the run anew; nothing was changed", Err: err,
	}
}

// Team loads the frozen spec with the run's params. A file that is not the one
// that was frozen is a problem.
func (f Folder) Team(kinds []spec.Kind) (*spec.Team, []spec.Problem) {
	root, err := f.open()
	if err != nil {
		return nil, f.changed(f.meta.Entry, err.Error())
	}
	defer root.Close()
	for _, file := range f.meta.Files {
		data, err := readState(root, path.Join(specFolder, file.Path))
		if err != nil {
			return nil, f.changed(file.Path, err.Error())
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

// Result is what the run ended with, nil while it has not ended.
func (f Folder) Result() (*runner.Result, error) {
	root, err := f.open()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	data, err := readState(root, resultName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var r runner.Result
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		return nil, f.unreadable(err)
	}
	return &r, nil
}

// Journal opens the journal for reading, beside a live runner too.
func (f Folder) Journal() (*journal.Reader, error) {
	return journal.OpenReader(f.journalPath())
}

func (f Folder) journalPath() string { return filepath.Join(f.path, journalName) }
