package view

import "strings"

// Color decides whether a stream is colored: the flag (auto, always, never),
// then NO_COLOR, then FORCE_COLOR and CLICOLOR_FORCE, then CLICOLOR=0, then
// whether the stream is a terminal that is not dumb.
func Color(flag string, getenv func(string) string, terminal bool) bool {
	set := func(name string) bool { v := getenv(name); return v != "" && v != "0" }
	switch {
	case flag == "always":
		return true
	case flag == "never":
		return false
	case getenv("NO_COLOR") != "":
		return false
	case set("FORCE_COLOR") || set("CLICOLOR_FORCE"):
		return true
	case getenv("CLICOLOR") == "0":
		return false
	}
	return terminal && getenv("TERM") != "dumb"
}

// Signs decides which signs may be used: none when the person asked for
// accessible output, ASCII where the locale names another character set than
// UTF-8. Without any locale UTF-8 is assumed, as CI systems set none.
func Signs(getenv func(string) string) Glyphs {
	if Accessible(getenv) {
		return NoGlyphs
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		locale := strings.ToLower(getenv(name))
		if locale == "" {
			continue
		}
		if strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8") {
			return Unicode
		}
		return ASCII
	}
	return Unicode
}

// Accessible reports whether output for screen readers is wanted: words without
// signs, and a sign of life more often.
func Accessible(getenv func(string) string) bool {
	return getenv("ACCESSIBLE") != "" || getenv("TEAMRUN_ACCESSIBLE") != ""
}
