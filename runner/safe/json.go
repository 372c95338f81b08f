package safe

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// JSON returns JSON text with the characters that Text drops or shows by number
// written as \uXXXX. The value it stands for stays the same: outside of strings
// JSON has no such characters.
func JSON(s string) string {
	var b strings.Builder
	done := 0
	for i, r := range s {
		if r < 0x7f || r > 0x9f && !hidden(r) {
			continue
		}
		b.WriteString(s[done:i])
		done = i + len(string(r))
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	if done == 0 {
		return s
	}
	return b.String() + s[done:]
}
