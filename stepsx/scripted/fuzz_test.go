package scripted

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/teamrun/teamrun/runner"
)

// FuzzScript: whatever a script says is refused at a place in its file, or can
// be played.
func FuzzScript(f *testing.F) {
	f.Add(strings.TrimLeft(goodScript, "\n"))
	for _, s := range []string{"", "turns:", "turns: [{do: [{fail: &a {class: *a}}]}]", "turns: [{on: {turn: 1}, do: [{send: {to: [], text: ''}}]}]", "{file: ann.yaml}"} {
		f.Add(s)
	}
	text := strings.Replace(team(""), "    script:\n", "    script: {file: ann.yaml}\n", 1)
	f.Fuzz(func(t *testing.T, script string) {
		if len(script) > 4096 {
			return
		}
		loaded, problems := load(t, text, map[string]string{"ann.yaml": script})
		for _, p := range problems {
			if strings.HasPrefix(p, "ann.yaml:0") || strings.HasPrefix(p, "ann.yaml: ") {
				t.Errorf("no place: %s", p)
			}
		}
		if loaded == nil {
			return
		}
		a, err := New().Open(runner.Post{Member: "ann", Settings: loaded.Members[0].Agent.Settings, Folder: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		a.Start(ctx, runner.SessionOrder{Effect: "1.1", Epoch: 1})
		a.Turn(ctx, runner.Prompt{Effect: "2.1", Epoch: 1, Nth: 1, Room: &room{}}, func(runner.TurnProgress) {})
		a.Stop(t.Context(), runner.SessionOrder{Effect: "3.1", Epoch: 1})
	})
}
