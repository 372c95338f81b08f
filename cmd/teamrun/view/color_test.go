package view

import "testing"

func env(pairs ...string) func(string) string {
	values := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		values[pairs[i]] = pairs[i+1]
	}
	return func(name string) string { return values[name] }
}

func TestTERM13_ColorPolicy(t *testing.T) {
	for _, c := range []struct {
		name     string
		flag     string
		env      func(string) string
		terminal bool
		want     bool
	}{
		{"terminal", "auto", env("TERM", "xterm"), true, true},
		{"pipe", "auto", env("TERM", "xterm"), false, false},
		{"dumb terminal", "auto", env("TERM", "dumb"), true, false},
		{"never beats all", "never", env("FORCE_COLOR", "1"), true, false},
		{"always beats NO_COLOR", "always", env("NO_COLOR", "1"), false, true},
		{"NO_COLOR beats FORCE_COLOR", "auto", env("NO_COLOR", "1", "FORCE_COLOR", "1"), true, false},
		{"NO_COLOR=0 is non-empty", "auto", env("NO_COLOR", "0"), true, false},
		{"empty NO_COLOR is unset", "auto", env("NO_COLOR", "", "TERM", "xterm"), true, true},
		{"FORCE_COLOR on a pipe", "auto", env("FORCE_COLOR", "1"), false, true},
		{"FORCE_COLOR=0 forces nothing", "auto", env("FORCE_COLOR", "0"), false, false},
		{"CLICOLOR_FORCE on a pipe", "auto", env("CLICOLOR_FORCE", "1"), false, true},
		{"CLICOLOR_FORCE beats dumb", "auto", env("CLICOLOR_FORCE", "1", "TERM", "dumb"), true, true},
		{"CLICOLOR=0", "auto", env("CLICOLOR", "0", "TERM", "xterm"), true, false},
		{"FORCE_COLOR beats CLICOLOR=0", "auto", env("CLICOLOR", "0", "FORCE_COLOR", "1"), false, true},
		{"TTY_FORCE means nothing", "auto", env("TTY_FORCE", "1"), false, false},
	} {
		if got := Color(c.flag, c.env, c.terminal); got != c.want {
			t.Errorf("%s: color %v, want %v", c.name, got, c.want)
		}
	}
}

func TestSigns(t *testing.T) {
	for _, c := range []struct {
		name string
		env  func(string) string
		want Glyphs
	}{
		{"no locale", env(), Unicode},
		{"UTF-8", env("LANG", "de_DE.UTF-8"), Unicode},
		{"utf8", env("LC_ALL", "C.utf8", "LANG", "C"), Unicode},
		{"C", env("LANG", "C"), ASCII},
		{"LC_ALL beats LANG", env("LC_ALL", "POSIX", "LANG", "de_DE.UTF-8"), ASCII},
		{"accessible", env("ACCESSIBLE", "1", "LANG", "de_DE.UTF-8"), NoGlyphs},
		{"accessible, own name", env("TEAMRUN_ACCESSIBLE", "1"), NoGlyphs},
	} {
		if got := Signs(c.env); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
