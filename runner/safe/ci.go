package safe

import (
	"regexp"
	"strings"
	"unicode"
)

// bracketCommand is a command of GitHub's old form, Azure Pipelines or
// TeamCity; all are obeyed anywhere in a line.
var bracketCommand = regexp.MustCompile(`##(\w*\[)`)

// CI returns s with nothing in it that a build system takes for a command:
// "::" at the start of a line becomes ": :", and "##[", "##vso[", "##teamcity["
// get a space after the first #. Everything that a member wrote goes through
// it before it reaches the output of a build, which is read for commands.
func CI(s string) string {
	if strings.Contains(s, "##") {
		s = bracketCommand.ReplaceAllString(s, "# #$1")
	}
	if !strings.Contains(s, "::") {
		return s
	}
	var b strings.Builder
	for s != "" {
		end := strings.IndexAny(s, "\n\r") + 1
		if end == 0 {
			end = len(s)
		}
		line := s[:end]
		s = s[end:]
		text := strings.TrimLeftFunc(line, blank)
		if strings.HasPrefix(text, "::") {
			b.WriteString(line[:len(line)-len(text)])
			b.WriteString(": ")
			text = text[1:]
			line = text
		}
		b.WriteString(line)
	}
	return b.String()
}

// blank is what may stand before a command: whatever a reader of lines could
// trim.
func blank(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}
