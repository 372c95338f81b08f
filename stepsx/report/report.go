// Package report writes the artifacts of a run: the files a result is made of.
//
// An artifact is written whole or not at all, replaces an older one of its name,
// and never leaves the folder it is meant for. What has nothing to say, because
// its task never ended for one, is left out and named.
package report

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/safe"
	"github.com/teamrun/teamrun/spec"
)

type finisher struct{}

// New writes artifacts.
func New() runner.Finisher { return finisher{} }

// Finish implements runner.Finisher. One artifact that cannot be written keeps
// no other from being.
func (finisher) Finish(ctx context.Context, effect string, r runner.Result, artifacts []spec.Artifact, out string) runner.FinishEnded {
	ended := runner.FinishEnded{Effect: effect, OK: true}
	var problems []string
	folder := &folder{path: out}
	defer folder.close()
	for _, a := range artifacts {
		file := runner.ArtifactWritten{Name: a.Name}
		data, absent := render(r, a)
		if absent != "" {
			file.Absent = runner.Optional(absent)
		} else if err := folder.write(ctx, a.Name, data); err != nil {
			file.Absent = runner.Optional(safe.Text("it could not be written: " + err.Error()))
			problems = append(problems, fmt.Sprintf("%s: %v", filepath.Join(out, a.Name), err))
		} else {
			file.Path = runner.Optional(filepath.Join(out, a.Name))
		}
		ended.Files = append(ended.Files, file)
	}
	if len(problems) > 0 {
		ended.OK, ended.Error = false, safe.Text(strings.Join(problems, "; "))
	}
	return ended
}

// render is the content of an artifact, or why there is none.
func render(r runner.Result, a spec.Artifact) (data []byte, absent string) {
	v, absent := find(r, a.From)
	if absent != "" {
		return nil, absent
	}
	if a.As == "json" {
		return asJSON(v)
	}
	return []byte(safe.CI(safe.Text(asText(v)))), "" // a build may print the file
}

// folder is where artifacts go. It is made with the first one.
type folder struct {
	path string
	root *os.Root
}

func (f *folder) close() {
	if f.root != nil {
		f.root.Close()
	}
}

func (f *folder) open() error {
	if f.root != nil {
		return nil
	}
	// As any program's output: the umask decides who may read it. The folder of
	// a run is private by itself.
	err := os.MkdirAll(f.path, 0o755)
	if err == nil {
		f.root, err = os.OpenRoot(f.path)
	}
	return err
}

// write replaces the file of that name at one stroke.
func (f *folder) write(ctx context.Context, name string, data []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := f.open(); err != nil {
		return err
	}
	dir := filepath.Dir(name)
	if err := f.root.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	draft := filepath.Join(dir, "."+filepath.Base(name)+".tmp")
	if err := f.root.RemoveAll(draft); err != nil { // of a finish that was cut
		return err
	}
	if err := f.put(draft, data); err != nil {
		_ = f.root.Remove(draft)
		return err
	}
	if err := f.root.Rename(draft, name); err != nil {
		_ = f.root.Remove(draft)
		return err
	}
	return f.sync(dir)
}

func (f *folder) put(name string, data []byte) error {
	file, err := f.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := file.Write(data); err != nil {
		return err
	}
	return file.Sync()
}

func (f *folder) sync(dir string) error {
	d, err := f.root.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
