package spec

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"
)

// The kinds of the tests: fake has no keys of its own and can do little,
// script is like a scripted agent, cmd like a command, able can do everything.
func fakeKinds() []Kind {
	return []Kind{
		{Name: "fake", Priced: true, Vias: []Via{ViaFinalMessage}},
		{Name: "script", New: func() any { return new(scriptSettings) }, Sessions: true, Priced: true, Vias: []Via{ViaTool}},
		{Name: "cmd", New: func() any { return new(cmdSettings) }, Vias: []Via{ViaExit, ViaFinalMessage}},
		{
			Name: "able", Sessions: true, Reload: true, Continue: true, Tools: true, Approves: true, Writes: true,
			Vias: []Via{ViaTool, ViaFinalMessage},
		},
	}
}

type cmdSettings struct {
	Run    []Text `team:"run,required,argv" help:"the command"`
	Prompt string `team:"prompt" default:"stdin" values:"stdin file" help:"how the prompt comes"`
}

type scriptSettings struct {
	Script *script `team:"script,file" help:"what the agent does"`
}

type script struct {
	Turns []scriptTurn `team:"turns,required" help:"one after another"`
}

type scriptTurn struct {
	Say   Text           `team:"say" help:"words"`
	Send  *scriptSend    `team:"send" help:"mail"`
	Takes time.Duration  `team:"takes" default:"1s" help:"how long"`
	Cost  float64        `team:"cost" min:"0" help:"dollars"`
	Hang  bool           `team:"hang" help:"for ever"`
	Times int            `team:"times" default:"1" min:"1" help:"how often"`
	Data  map[string]any `team:"data" help:"anything"`
	Tags  []string       `team:"tags" help:"words"`
	Do    scriptUnion    `team:"do" help:"a word or a number of times"`
}

type scriptSend struct {
	To string `team:"to,required" help:"a member"`
}

// scriptUnion is written as a word or as {word: times}.
type scriptUnion struct {
	Word  string
	Times int
}

func (u *scriptUnion) DecodeSpec(d *Decoder, n *yaml.Node, path string) {
	if n.Kind == yaml.MappingNode {
		var long struct {
			Wait int `team:"wait,required" help:"times"`
		}
		d.Value(n, &long, path)
		u.Word, u.Times = "wait", long.Wait
		return
	}
	d.Value(n, &u.Word, path)
	if u.Word != "" && u.Word != "wait" {
		d.Errorf(n, "unknown-value", "%s must be wait, not %q", path, u.Word)
	}
}

// Check is the rule of its own that the kind has: mail goes to a member.
func (s *scriptSettings) Check(c *Check) {
	if s.Script == nil {
		return
	}
	for i, turn := range s.Script.Turns {
		if turn.Send == nil || turn.Send.To == "" {
			continue
		}
		names := c.Team().memberNames()
		found := false
		for _, name := range names {
			found = found || name == turn.Send.To
		}
		if !found {
			c.Errorf(index("script.turns", i)+".send.to", "unknown-member", "no member %q for agent %s%s", turn.Send.To, c.Agent, meant(turn.Send.To, names))
		}
	}
}

// loadText loads a spec given as text in a folder of its own.
func loadText(t testing.TB, name, text string, o LoadOptions) (*Team, []Problem) {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, name), text)
	return loadDir(t, dir, name, o)
}

// loadDir loads a spec with the folder as the present one, so that problems
// name files as a user there would.
func loadDir(t testing.TB, dir, name string, o LoadOptions) (*Team, []Problem) {
	t.Helper()
	if o.Kinds == nil {
		o.Kinds = fakeKinds()
	}
	team, ps := Load(filepath.Join(dir, name), o)
	for i := range ps {
		ps[i].File = strings.TrimPrefix(ps[i].File, dir+string(filepath.Separator))
	}
	return team, ps
}

func write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// good loads a spec that must have no problem at all.
func good(t testing.TB, text string) *Team {
	t.Helper()
	team, ps := loadText(t, "team.yaml", text, LoadOptions{})
	if len(ps) > 0 || team == nil {
		t.Fatalf("a good spec is refused:\n%s\n%v", text, ps)
	}
	return team
}
