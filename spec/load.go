package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"
)

// LoadOptions is what Load needs besides the file.
type LoadOptions struct {
	// Kinds are the kinds of agents that can be used.
	Kinds []Kind
	// Set are values of parameters, by name.
	Set map[string]string
	// NeedParams makes a required parameter without a value an error.
	NeedParams bool
	// Strict makes every warning an error.
	Strict bool
}

// Load reads, checks and resolves the team file at path: a file, a folder with
// one, or "" for the one of the present folder. The team is nil when any of the
// problems is an error; they are all problems of one pass, sorted by place.
// Nothing is started and nothing is written.
func Load(path string, o LoadOptions) (*Team, []Problem) {
	l := newLoader(o)
	team := l.team(path)
	if l.root != nil {
		l.root.Close()
	}
	problems := l.sorted()
	for _, p := range problems {
		if p.Severity == Error {
			return nil, problems
		}
	}
	return team, problems
}

// team is Load with all problems kept in l.
func (l *loader) team(path string) *Team {
	file, ok := l.find(path)
	if !ok {
		return nil
	}
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		l.noFile(file, "unreadable", "%s", plainError(err))
		return nil
	}
	l.shown = shownDir(file, dir)
	shown := l.show(filepath.Base(file))
	if filepath.Ext(file) == ".jsonnet" {
		l.add(Problem{Pos: Pos{shown, 1, 1}, Severity: Error, Code: "not-in-this-build", Msg: "Jsonnet is known and not in this build yet; write team.yaml or team.json"}, false)
		return nil
	}
	data, err := readRegular(func(flag int) (*os.File, error) { return os.OpenFile(file, os.O_RDONLY|flag, 0) })
	if err == nil {
		l.root, err = os.OpenRoot(dir)
	}
	if err == nil {
		err = l.keep(filepath.Base(file), data)
	}
	if err != nil {
		l.noFile(shown, "unreadable", "the team file %s", fileTrouble(err))
		return nil
	}
	doc := &document{file: shown, src: data}
	if !l.parse(doc) {
		return nil
	}
	raw := &rawTeam{}
	ok = l.walk(doc, raw)
	l.judge(doc)
	if !ok {
		return nil
	}
	team := l.resolve(raw, teamName(dir))
	team.Dir, team.Path, team.Files = dir, filepath.Base(file), l.files
	return team
}

// walk fills the raw team and reports whether it can be resolved.
func (l *loader) walk(doc *document, raw *rawTeam) bool {
	d := &Decoder{l: l, doc: doc, spent: new(int)}
	v := reflect.ValueOf(raw).Elem()
	l.places[""] = place{doc: doc, node: doc.root}
	if !d.isMapping(doc.root, v.Type(), "") {
		return false
	}
	d.mapping(doc.root, "", func(key string) bool { return strings.HasPrefix(key, "x-") }, v)
	return *d.spent <= maxNodes
}

// find is the file that a path means.
func (l *loader) find(path string) (string, bool) {
	names := []string{"team.yaml", "team.jsonnet"}
	if path == "" {
		names = append(names, filepath.Join(".teamrun", "team.yaml"))
	} else {
		info, err := os.Stat(path)
		if err != nil {
			l.noFile(path, "unreadable", "%s", fileTrouble(plainError(err)))
			return "", false
		}
		if !info.IsDir() {
			return path, true
		}
	}
	for _, name := range names {
		if _, err := os.Lstat(filepath.Join(path, name)); err == nil {
			return filepath.Join(path, name), true
		}
	}
	remedy := "name one, or write team.yaml"
	for _, name := range []string{"team.yml", "team.json"} {
		if _, err := os.Lstat(filepath.Join(path, name)); err == nil {
			remedy = "pass the file itself: " + filepath.Join(path, name)
		}
	}
	l.noFile(orElse(path, "."), "no-spec", "there is no %s here; %s", list(names, "or"), remedy)
	return "", false
}

func fileTrouble(err error) string { return "cannot be read: " + err.Error() }

// noFile adds an error that has a file and no line.
func (l *loader) noFile(file, code, format string, args ...any) {
	l.add(Problem{Pos: Pos{File: file}, Severity: Error, Code: code, Msg: fmt.Sprintf(format, args...)}, false)
}

// shownDir is the folder of a file as a user would type it: relative when it
// lies below the present folder, else as it was given.
func shownDir(file, dir string) string {
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, dir); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return filepath.Dir(file)
}

// teamName is the name of a team that gives itself none: its folder's.
func teamName(dir string) string {
	base := filepath.Base(dir)
	if base == ".teamrun" {
		base = filepath.Base(filepath.Dir(dir))
	}
	if nameForm.MatchString(base) {
		return base
	}
	return "team"
}

// Digest is the SHA-256 over all files of the team, in lower case hex.
func (t *Team) Digest() string {
	h := sha256.New()
	for _, f := range t.Files {
		fmt.Fprintf(h, "%s\x00%s\n", f.Path, f.SHA256)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func defaultLimits() *rawLimits {
	return &rawLimits{Wall: time.Hour, Turns: 200, Messages: 1000, Concurrency: 4}
}
