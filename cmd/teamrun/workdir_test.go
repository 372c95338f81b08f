package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWorkDir(t *testing.T) {
	top := t.TempDir()
	spec := filepath.Join(top, "a", "b")
	plain := filepath.Join(t.TempDir(), "plain")
	for _, dir := range []string{spec, plain} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	// In a worktree and a submodule .git is a file.
	if err := os.WriteFile(filepath.Join(top, ".git"), []byte("gitdir: elsewhere\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, named, spec, want string }{
		{"git top above the spec", "", spec, top},
		{"no git: the spec's folder", "", plain, plain},
		{"named beats git", plain, spec, plain},
	} {
		if got, err := workDir(c.named, c.spec); err != nil || got != c.want {
			t.Errorf("%s: %s, %v; want %s", c.name, got, err, c.want)
		}
	}
	for _, bad := range []string{filepath.Join(top, "nowhere"), filepath.Join(top, ".git")} {
		if _, err := workDir(bad, spec); classify(err).exit != 2 {
			t.Errorf("--dir %s: %v", bad, err)
		}
	}
}
