package spec

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// rawArtifact is artifacts.F as written.
type rawArtifact struct {
	Name string `team:",name"`
	From string `team:"from,required" like:"findings, tasks or tasks.T.report" help:"what the file is made of: findings, tasks, tasks.T.report, tasks.T.report.F or tasks.T.output"`
	As   string `team:"as" values:"text json" later:"markdown sarif junit codequality patch" help:"the form of the file; by itself what its extension says, else text"`
}

// laterExt are the extensions whose form is not in this build.
var laterExt = map[string]string{".sarif": "sarif", ".patch": "patch", ".diff": "patch"}

// artifacts checks artifacts and resolves them.
func (l *loader) artifacts(raw []rawArtifact, t *Team) {
	for _, r := range raw {
		at := join("artifacts", r.Name)
		a := Artifact{Name: r.Name, Pos: l.keyAt(at).pos(), From: strings.Split(r.From, "."), As: r.As}
		if bad := badFileName(r.Name); bad != "" {
			l.errorAtKey(at, "bad-artifact", "%q cannot be a file of the result: %s", r.Name, bad)
		}
		for _, other := range raw {
			if strings.HasPrefix(strings.ToLower(r.Name), strings.ToLower(other.Name)+"/") {
				l.errorAtKey(at, "bad-artifact", "%q cannot be a file of the result: %q is one too, and no folder", r.Name, other.Name)
			}
		}
		if r.From != "" {
			l.source(t, a.From, join(at, "from"))
		}
		if a.As == "" && !l.has(join(at, "as")) {
			ext := strings.ToLower(path.Ext(r.Name))
			switch form := laterExt[ext]; {
			case form != "":
				l.errorAtKey(at, "not-in-this-build", "%s: the form %s is known and not in this build yet", at, form)
			case ext == ".md" && len(a.From) < 3 && r.From != "":
				l.errorAtKey(at, "not-in-this-build", "%s: the form markdown is known and not in this build yet; write as: text or as: json", at)
			case ext == ".json":
				a.As = "json"
			default:
				a.As = "text"
			}
		}
		t.Artifacts = append(t.Artifacts, a)
	}
}

func badFileName(name string) string {
	switch {
	case !filepath.IsLocal(name) || name != path.Clean(name) || strings.Contains(name, `\`):
		return "a name is relative and stays in the folder of the result"
	case len(name) > 200:
		return "it is longer than 200 bytes"
	case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || invisible(r) }):
		return "it holds invisible characters"
	}
	return ""
}

// source refuses an artifact that could never have anything in it.
func (l *loader) source(t *Team, from []string, at string) {
	whole := strings.Join(from, ".")
	forms := "findings, tasks, tasks.T.report, tasks.T.report.F or tasks.T.output"
	switch {
	case whole == "tasks":
		return
	case whole == "findings":
		if !slices.ContainsFunc(t.Tasks, func(k Task) bool { return k.Report != nil && k.Report.Name == "findings" }) {
			l.errorf(at, "bad-source", "%s: no task reports findings", at)
		}
		return
	case len(from) < 3 || from[0] != "tasks":
		l.errorf(at, "bad-source", "%s must be %s, not %q", at, forms, short(whole))
		return
	}
	i := slices.IndexFunc(t.Tasks, func(k Task) bool { return k.Name == from[1] })
	if i < 0 {
		l.errorf(at, "unknown-task", "no task %q in %s%s", from[1], at, meant(from[1], t.taskNames()))
		return
	}
	task := &t.Tasks[i]
	switch {
	case from[2] == "output" && len(from) == 3:
		if len(task.Run) == 0 {
			l.errorf(at, "bad-source", "%s: only a run task has output, and %s is for members", at, task.Name)
		}
	case from[2] != "report" || len(from) > 4:
		l.errorf(at, "bad-source", "%s must be %s, not %q", at, forms, short(whole))
	case task.Report == nil:
		if !l.has(join(join("tasks", task.Name), "report")) {
			l.errorf(at, "bad-source", "%s: task %s has no report", at, task.Name)
		}
	case len(from) == 4:
		var names []string
		for _, f := range task.Report.Fields {
			names = append(names, f.Name)
		}
		if !slices.Contains(names, from[3]) {
			l.errorf(at, "unknown-field", "no field %q in the report of task %s%s", from[3], task.Name, meant(from[3], names))
		}
	}
}
