package safe

import "strings"

// Line returns Text of s as one line of at most max characters: every run of
// blanks and line ends is one space, and … stands for what was cut off.
func Line(s string, max int) string {
	s = strings.Join(strings.Fields(Text(s)), " ")
	n, last := 0, 0 // characters so far, where the last one that leaves room for … ends
	for i := range s {
		if n == max-1 {
			last = i
		}
		if n++; n > max {
			if max < 1 {
				return ""
			}
			return s[:last] + "…"
		}
	}
	return s
}
