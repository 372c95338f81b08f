package command

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/teamrun/teamrun/runner"
)

// TestPreflight: what can be known before a run is, and nothing else is guessed.
func TestPreflight(t *testing.T) {
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "tool"), nil, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, "plain"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(bin)
	for _, c := range []struct{ path, program, want string }{
		{bin, "tool", ""},
		{bin, filepath.Join(bin, "tool"), ""},
		{bin, "teamrun", ""}, // of the run's own folder
		{bin, "./made/later", ""},
		{bin, "made/later", ""},
		{bin, "gone", "gone is not in PATH; install it or write its path"},
		{bin, "plain", filepath.Join(bin, "plain") + " is not executable; chmod +x it"},
		{bin, "/nowhere/x", "/nowhere/x is not there"},
		{".", "tool", "tool is not in PATH; install it or write its path"},
		{":/nowhere", "tool", "tool is not in PATH; install it or write its path"},
	} {
		t.Setenv("PATH", c.path)
		k, x := kind{}, executor{}
		post := runner.Post{Dir: bin, Settings: &Settings{Run: words(c.program)}}
		for who, err := range map[string]error{"member": k.Ready(post), "task": x.ReadyExec(runner.ExecOrder{Dir: bin, Argv: []string{c.program}})} {
			if got := text(err); got != c.want {
				t.Errorf("%s, PATH=%s, %s: %q, want %q", who, c.path, c.program, got, c.want)
			}
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
