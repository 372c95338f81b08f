package command

import (
	"os"
	"slices"
	"strings"
)

// passed are the variables every process gets from the runner's environment;
// passedPrefixes are beginnings of further ones. Everything else is named in
// the spec or not passed: no other provider's key, no session of an agent that
// teamrun was started from, nothing that steers a loader or git.
var (
	passed         = []string{"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TERM", "TMPDIR", "TZ"}
	passedPrefixes = []string{"LC_", "XDG_"}
)

// ownPrefix is the beginning of the variables teamrun itself sets. Those of a
// surrounding run are never passed.
const ownPrefix = "TEAMRUN_"

// usualPath is the PATH of a process when the runner has none.
const usualPath = "/usr/local/bin:/usr/bin:/bin"

// environ is the environment of a process: the variables of all that everyone
// gets, those of names, and own. bin is put at the end of PATH, so that `teamrun
// room` is found.
func environ(all, names, own []string, bin string) []string {
	path := usualPath
	var env []string
	for _, pair := range all {
		name, value, _ := strings.Cut(pair, "=")
		switch {
		case name == "PATH":
			path = value
		case strings.HasPrefix(name, ownPrefix):
		case slices.Contains(names, name), slices.Contains(passed, name), hasPrefix(name, passedPrefixes):
			env = append(env, pair)
		}
	}
	if bin != "" {
		path += string(os.PathListSeparator) + bin
	}
	return append(append(env, "PATH="+path), own...)
}

func hasPrefix(s string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// variable is the value of name in env.
func variable(env []string, name string) string {
	for _, pair := range slices.Backward(env) {
		if v, ok := strings.CutPrefix(pair, name+"="); ok {
			return v
		}
	}
	return ""
}
