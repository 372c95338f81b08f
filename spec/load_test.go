package spec

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

const hello = `teamrun: v1
name: hello
agents:
  reader: {kind: able, env: [KEY]}
schemas:
  verdict: {verdict: {enum: [approve, block]}, summary: {type: text}}
params:
  base: {type: ref, default: main}
  title: {type: text, default: "", untrusted: true}
defaults: {agent: reader, writes: none, turn_timeout: 10m}
managers:
  lead: {role: {file: prompts/lead.md}}
members:
  security: {role: You look for bugs., brief: "Review ${params.base}: ${params.title}$$.", report: findings}
  tests: {agent: fake, role: Tests., writes: all, stall_after: 1m, tools: [], approval: ask}
tasks:
  vet: {run: [git, diff, "${params.base}...HEAD"], timeout: 5m, ok_exit: [0, 1]}
  verdict:
    for: [lead]
    report: verdict
    needs: {security: done, vet: finished}
    brief: |
      Merge.
stop:
  - {when: tasks.verdict.failed or tasks.verdict.skipped, outcome: failure, reason: no verdict}
  - {when: tasks.verdict.done, outcome: success}
recovery:
  - {on: [rate_limited, overloaded], do: [{retry: {at_most: 6}}, fail]}
  - {on: '*', members: [tests], do: [nudge, {replace: {at_most: 2, within: 1h}}, fail]}
limits: {wall: 30m, cost: 5.00, unknown_cost: 0.20}
artifacts:
  review.md: {from: tasks.verdict.report.summary}
  all.json: {from: findings}
x-note: free
`

func helloDir(t testing.TB) string {
	dir := t.TempDir()
	text := strings.Replace(hello, ", tools: [], approval: ask", "", 1)
	write(t, filepath.Join(dir, "team.yaml"), text)
	write(t, filepath.Join(dir, "prompts/lead.md"), "\ufeffYou lead.\r\nBase: ${params.base}\r\n")
	return dir
}

func TestTeamIsResolved(t *testing.T) {
	dir := helloDir(t)
	team, ps := Load(dir, LoadOptions{Kinds: fakeKinds(), Set: map[string]string{"title": "a $${x} ${params.base}"}, Strict: true})
	if team == nil || len(ps) > 0 {
		t.Fatal(ps)
	}
	check := func(what string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	var members, tasks, schemas, files []string
	for _, m := range team.Members {
		members = append(members, m.Name+"<"+m.Manager)
	}
	for _, k := range team.Tasks {
		tasks = append(tasks, k.Name)
	}
	for _, s := range team.Schemas {
		schemas = append(schemas, s.Name)
	}
	for _, f := range team.Files {
		files = append(files, f.Path)
	}
	check("members", strings.Join(members, " "), "lead< security<lead tests<lead")
	check("tasks", strings.Join(tasks, " "), "security vet verdict")
	check("schemas", strings.Join(schemas, " "), "verdict findings")
	check("files", strings.Join(files, " "), "team.yaml prompts/lead.md")
	check("dir", team.Dir, dir)
	lead, security, tests := team.Members[0], team.Members[1], team.Members[2]
	check("role of a file", lead.Role.String(), "You lead.\nBase: main\n")
	check("manages", strings.Join(lead.Manages, " "), "security tests")
	check("agent of defaults", security.Agent.Name+security.Agent.Kind, "readerable")
	check("env of the agent", strings.Join(security.Agent.Env, " "), "KEY")
	check("via of the kind", security.Agent.Via, ViaTool)
	check("approval", security.Agent.Approval.Mode, "ask")
	check("writes of defaults", security.Writes.Mode, "none")
	check("writes of the member", tests.Writes.Mode, "all")
	check("bare kind", tests.Agent.Kind, "fake")
	check("timeout of defaults", tests.TurnTimeout, 10*time.Minute)
	check("stall", tests.StallAfter, time.Minute)
	check("stall by itself", security.StallAfter, 5*time.Minute)
	brief := team.Tasks[0]
	// T1: a value is never expanded again.
	check("brief", brief.Brief.String(), "Review main: a $${x} ${params.base}$.")
	check("untrusted part", brief.Brief.Parts[3].Untrusted && brief.Brief.Parts[3].Param == "title", true)
	check("brief's performer", strings.Join(brief.For, " "), "security")
	check("brief's report", brief.Report.Name, "findings")
	vet, verdict := team.Tasks[1], team.Tasks[2]
	check("argv", vet.Run[2].String(), "main...HEAD")
	check("ok_exit", len(vet.OKExit), 2)
	check("timeout", vet.Timeout, 5*time.Minute)
	check("needs", verdict.Needs[1], Need{"vet", "finished"})
	check("no report of run", vet.Report == nil, true)
	check("reason by itself", team.Stops[1].Reason, "tasks.verdict.done")
	check("then", team.Stops[0].Then, "cancel")
	check("stop", team.Stops[0].When.Source(), "tasks.verdict.failed or tasks.verdict.skipped")
	check("retry", team.Rules[0].Do[0], Action{Word: "retry", Base: 5 * time.Second, MaxDelay: time.Minute, AtMost: 6})
	check("fail", team.Rules[0].Do[1], Action{Word: "fail", AtMost: 1})
	check("any", team.Rules[1].Any && len(team.Rules[1].On) == 0, true)
	check("within", team.Rules[1].Do[1].Within, time.Hour)
	check("limits", team.Limits.Wall == 30*time.Minute && team.Limits.Turns == 200 && *team.Limits.Cost == 5, true)
	check("text by itself", team.Artifacts[0].As+team.Artifacts[1].As, "textjson")
	check("from", strings.Join(team.Artifacts[0].From, "|"), "tasks|verdict|report|summary")
	check("digest", len(team.Digest()), 64)

	before := team.Digest()
	write(t, filepath.Join(dir, "prompts/lead.md"), "You lead.")
	again, _ := Load(dir, LoadOptions{Kinds: fakeKinds()})
	if again == nil || again.Digest() == before {
		t.Error("the digest does not cover the files that are named")
	}
}

func TestMembersKeepTheOrderOfTheFile(t *testing.T) {
	team := good(t, `teamrun: v1
tasks: {z: {run: [x]}}
members: {b: {agent: fake, brief: x}, a: {agent: fake}}
managers: {m: {agent: fake, brief: y}}
`)
	order := strings.Join(append(team.memberNames(), team.taskNames()...), " ")
	if order != "b a m z b m" {
		t.Error(order)
	}
	team = good(t, `teamrun: v1
managers: {m: {agent: fake, brief: y}}
tasks: {z: {run: [x]}}
members: {b: {agent: fake, brief: x}, a: {agent: fake}}
`)
	order = strings.Join(append(team.memberNames(), team.taskNames()...), " ")
	if order != "m b a m z b" {
		t.Error(order)
	}
}

func TestGoodForms(t *testing.T) {
	for name, text := range map[string]string{
		"A10 leading mark and trailing dots": "---\nteamrun: v1\ntasks: {t: {run: [x]}}\n...\n",
		"A12 byte order mark and CRLF":       "\ufeffteamrun: v1\r\ntasks:\r\n  t: {run: [x]}\r\n",
		"A11 tabs inside values":             "teamrun: v1\ntasks:\n  t:\t{run:\t[x]}\nmembers:\n  a:\n    agent: fake\n    role: |\n      all:\n      \tmake\n",
		"A06 one merge, explicit keys win":   "teamrun: v1\nx-a: &a {agent: able, tools: [read]}\ntasks: {t: {run: [x]}}\nmembers: {a: {<<: *a, tools: [write]}}\n",
		"A17 braces and dollars":             "teamrun: v1\ntasks: {t: {run: [echo, '{{x}} {\"a\": 1} $HOME $1 $${y}']}}\n",
		"words in argv":                      "teamrun: v1\ntasks: {t: {run: [head, -n, 5, true, 1.50, 007, yes]}}\n",
		"comments":                           "teamrun: v1 # one\ntasks: {t: {run: [x]}} # two\nmembers:\n  a:\n    agent: fake\n    role: look around  # a comment\n",
		"emoji joined in prose":              "teamrun: v1\ntasks: {t: {run: [x]}}\nmembers: {a: {agent: fake, role: \"be kind \U0001f469\u200d\U0001f4bb\"}}\n",
		"a key in prose":                     "teamrun: v1\ntasks: {t: {run: [x]}}\nmembers:\n  a:\n    agent: fake\n    role: |\n      brief: a short text.\n      Say more if asked.\n",
		"key-like last line of prose":        "teamrun: v1\ntasks: {t: {run: [x]}}\nmembers:\n  a:\n    agent: fake\n    role: |\n      End with this line.\n      report: what you found\n",
		"a member needs no task":             "teamrun: v1\ntasks: {t: {run: [x]}}\n",
		"a single need":                      "teamrun: v1\ntasks: {t: {run: [x]}, u: {run: [y], needs: t}}\n",
		"a cost limit with unknown_cost":     "teamrun: v1\nagents: {c: {kind: cmd, run: [x]}}\nmembers: {a: {agent: c, brief: x}}\nlimits: {cost: 1, unknown_cost: 0}\n",
		"two writers apart":                  "teamrun: v1\ntasks: {t: {run: [x]}}\nmembers: {a: {agent: able, writes: [src]}, b: {agent: able, writes: [docs]}, c: {agent: able, writes: none}}\n",
		"continue where one can":             "teamrun: v1\ntasks: {t: {run: [x]}}\nrecovery: [{on: '*', do: [retry, fail]}]\n",
		"bool key names":                     "teamrun: v1\nmembers: {yes: {agent: fake, brief: x}, null: {agent: fake}, 1: {agent: fake}}\n",
		"a condition over a parameter":       "teamrun: v1\nparams: {n: {type: number, default: 3}}\ntasks: {t: {run: [x]}}\nstop: [{when: run.failures > params.n, outcome: failure}, {when: tasks.t.done, outcome: success}]\n",
		"schemas of all forms":               "teamrun: v1\nschemas: {s: {a: {type: text}, b: {type: number}, c: {type: bool}, d: {enum: [x, 1, true]}, e: {list: text}}}\nmembers: {a: {agent: fake, brief: x, report: s}}\n",
	} {
		t.Run(name, func(t *testing.T) { good(t, text) })
	}
}

func TestJSONIsDecodedAsJSON(t *testing.T) {
	team, ps := loadText(t, "team.json", `{"teamrun": "v1", "tasks": {"t": {"run": ["\ud83d\ude00\/", 5]}, "u": {"run": ["x"], "timeout": "5m"}},
 "limits": {"turns": 4, "cost": 1.5, "unknown_cost": 0}}`, LoadOptions{})
	if team == nil || len(ps) > 0 {
		t.Fatal(ps)
	}
	if got := team.Tasks[0].Run[0].String(); got != "😀/" || team.Limits.Turns != 4 {
		t.Errorf("%q", got)
	}
}

func TestParamsOfTheRun(t *testing.T) {
	text := `teamrun: v1
params:
  base: {type: ref, required: true}
  n: {type: number, default: 1}
tasks: {t: {run: [x, "${params.base}", "${params.n}"]}}
`
	load := func(set map[string]string, need bool) string {
		_, ps := loadText(t, "team.yaml", text, LoadOptions{Set: set, NeedParams: need})
		out := ""
		for _, p := range ps {
			out += p.String() + "\n"
		}
		return out
	}
	for _, c := range []struct {
		set  map[string]string
		need bool
		want string
	}{
		{nil, false, ""},
		{nil, true, "team.yaml:3:3: error: params.base is required; give it: --set base=VALUE [param-required]\n"},
		{map[string]string{"base": "main"}, true, ""},
		{map[string]string{"base": "-x"}, true, "--set base: error: the value of params.base must be a git revision, not \"-x\" [bad-param]\n"},
		{map[string]string{"base": "m", "n": "3x"}, true, "--set n: error: the value of params.n must be a number, not \"3x\" [bad-param]\n"},
		{map[string]string{"base": "m", "bse": "3x"}, true, "--set bse: error: no param \"bse\" in the team file (did you mean \"base\"?) [unknown-param]\n"},
	} {
		if got := load(c.set, c.need); got != c.want {
			t.Errorf("%v %v: got %s want %s", c.set, c.need, got, c.want)
		}
	}
}

func TestWhereTheSpecIs(t *testing.T) {
	dir := t.TempDir()
	text := "teamrun: v1\ntasks: {t: {run: [x]}}\n"
	t.Chdir(dir)
	first := func(path string) string {
		team, ps := Load(path, LoadOptions{Kinds: fakeKinds()})
		if len(ps) > 0 {
			return ps[0].String()
		}
		return team.Path + " of " + team.Name
	}
	expect := func(path, want string) {
		t.Helper()
		if got := first(path); got != want {
			t.Errorf("Load(%q): got %s, want %s", path, got, want)
		}
	}
	expect("", ".: error: there is no team.yaml, team.jsonnet or .teamrun/team.yaml here; name one, or write team.yaml [no-spec]")
	expect("nope.yaml", "nope.yaml: error: cannot be read: there is no such file [unreadable]")
	if err := os.MkdirAll(".teamrun", 0o700); err != nil {
		t.Fatal(err)
	}
	expect(".teamrun", ".teamrun: error: there is no team.yaml or team.jsonnet here; name one, or write team.yaml [no-spec]")
	write(t, ".teamrun/team.yaml", strings.Replace(text, "teamrun", "teamrn", 1))
	expect("", ".teamrun/team.yaml:1:1: error: unknown key \"teamrn\" in the team file (did you mean \"teamrun\"?) [unknown-key]")
	write(t, "team.jsonnet", "{}")
	expect("", "team.jsonnet:1:1: error: Jsonnet is known and not in this build yet; write team.yaml or team.json [not-in-this-build]")
	write(t, "a/team.json", `{"teamrun": "v1", "tasks": {"t": {"run": ["x"]}}}`)
	expect("a", "a: error: there is no team.yaml or team.jsonnet here; pass the file itself: a/team.json [no-spec]")
	expect("a/team.json", "team.json of a")
	write(t, "g/team.yml", text)
	expect("g", "g: error: there is no team.yaml or team.jsonnet here; pass the file itself: g/team.yml [no-spec]")
	expect("g/team.yml", "team.yml of g")
	write(t, "g/team.jsonnet", "{}")
	expect("g", "g/team.jsonnet:1:1: error: Jsonnet is known and not in this build yet; write team.yaml or team.json [not-in-this-build]")
	write(t, "b/other.yaml", text+"name: named\n")
	expect("b/other.yaml", "other.yaml of named")
	write(t, "c/team.yaml", "x")
	if err := os.Chmod("c/team.yaml", 0); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() != 0 {
		expect("c", "c/team.yaml: error: the team file cannot be read: may not be read [unreadable]")
	}
	write(t, "d/team.yaml", strings.Repeat("# a comment\n", 1<<17))
	expect("d", "d/team.yaml: error: the team file cannot be read: is larger than 1 MiB [unreadable]")
	if err := os.MkdirAll("e/team.yaml", 0o700); err != nil {
		t.Fatal(err)
	}
	expect("e", "e/team.yaml: error: the team file cannot be read: is a folder, not a file [unreadable]")
	if err := os.Mkdir("f", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo("f/team.yaml", 0o600); err != nil {
		t.Fatal(err)
	}
	expect("f", "f/team.yaml: error: the team file cannot be read: is not a regular file [unreadable]")
	if err := os.Symlink("gone", "f/team.json"); err != nil {
		t.Fatal(err)
	}
	expect("f/team.json", "f/team.json: error: cannot be read: there is no such file [unreadable]")
}

func TestNamedFilesAreConfined(t *testing.T) {
	outside := t.TempDir()
	write(t, filepath.Join(outside, "secret"), "secret")
	dir := t.TempDir()
	write(t, filepath.Join(dir, "in/ok.md"), "Look.")
	write(t, filepath.Join(dir, "big.md"), strings.Repeat("x", maxFile+1))
	write(t, filepath.Join(dir, "latin.md"), "caf\xe9")
	write(t, filepath.Join(dir, "nul.md"), "a\nb\x00c")
	write(t, filepath.Join(dir, "dollar.md"), "one\ntwo ${HOME}\n")
	for link, to := range map[string]string{"out.md": filepath.Join(outside, "secret"), "up.md": "../" + filepath.Base(outside) + "/secret", "link.md": "in/ok.md", "dir.md": outside} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "fifo.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"in/ok.md":               "",
		"./in/../in/ok.md":       "",
		"link.md":                "",
		"../x":                   "the path must be relative",
		"/etc/passwd":            "the path must be relative",
		"in/../../x":             "the path must be relative",
		`""`:                     "is empty",
		"out.md":                 "leaves the folder",
		"up.md":                  "leaves the folder",
		"dir.md/secret":          "leaves the folder",
		"fifo.md":                "not a regular file",
		"in":                     "is a folder",
		"big.md":                 "larger than 1 MiB",
		"none.md":                "no such file",
		"in/ok.md/x":             "not a directory",
		"latin.md":               "latin.md:1:4: error: not UTF-8",
		"nul.md":                 "nul.md:2:2: error: control character U+0000",
		"dollar.md":              "dollar.md:2:5: error: ${ in members.a.role",
		strings.Repeat("x", 300): "file name too long",
	} {
		write(t, filepath.Join(dir, "team.yaml"), "teamrun: v1\ntasks: {t: {run: [x]}}\nmembers: {a: {agent: fake, role: {file: "+file+"}}}\n")
		_, ps := loadDir(t, dir, "team.yaml", LoadOptions{})
		got := ""
		for _, p := range ps {
			got += p.String()
		}
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%.40s: got %q, want %q", file, got, want)
		}
	}
}

func TestProblemsOfAnotherFileAreThere(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "team.yaml"), "teamrun: v1\nagents: {s: {kind: script, script: {file: s.yaml}}}\nmembers: {m: {agent: s, brief: x}}\n")
	write(t, filepath.Join(dir, "s.yaml"), "turns:\n  - send: {to: mm}\n  - {sya: x}\n  - send: {too: m}\n")
	_, ps := loadDir(t, dir, "team.yaml", LoadOptions{})
	got := ""
	for _, p := range ps {
		got += p.String() + "\n"
	}
	want := `s.yaml:2:16: error: no member "mm" for agent s (did you mean "m"?) [unknown-member]
s.yaml:3:6: error: unknown key "sya" in agents.s.script.turns[1] (did you mean "say"?) [unknown-key]
s.yaml:4:12: error: unknown key "too" in agents.s.script.turns[2].send (did you mean "to"?) [unknown-key]
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	write(t, filepath.Join(dir, "s.yaml"), "turns:\n  - {say: hi, takes: 2s, data: {a: [1, x, true, null]}}\n  - {send: {to: m}, do: {wait: 3}, tags: one}\n")
	team, ps := loadDir(t, dir, "team.yaml", LoadOptions{Strict: true})
	if team == nil {
		t.Fatal(ps)
	}
	turns := team.Agents[0].Settings.(*scriptSettings).Script.Turns
	if turns[0].Takes != 2*time.Second || turns[1].Takes != time.Second || turns[1].Send.To != "m" || turns[1].Do.Times != 3 || turns[1].Tags[0] != "one" || turns[0].Data["a"].([]any)[0] != 1 {
		t.Errorf("%+v", turns)
	}
	if len(team.Files) != 2 || team.Files[1].Path != "s.yaml" {
		t.Errorf("%+v", team.Files)
	}
}

func TestStrictMakesWarningsErrors(t *testing.T) {
	text := "teamrun: v1\nparams: {a: {default: x}}\ntasks: {t: {run: [x]}}\n"
	if team, ps := loadText(t, "team.yaml", text, LoadOptions{}); team == nil || len(ps) != 1 || ps[0].Severity != Warning {
		t.Error(ps)
	}
	if team, ps := loadText(t, "team.yaml", text, LoadOptions{Strict: true}); team != nil || len(ps) != 1 || ps[0].Severity != Error {
		t.Error(ps)
	}
}
