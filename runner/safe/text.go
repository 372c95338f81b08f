package safe

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns s without anything that a terminal obeys or a reader cannot see:
//
//   - escape sequences (CSI, OSC, DCS, APC, PM, SOS and the short ones) and
//     control characters are dropped, but for tab and line feed;
//   - a carriage return becomes a line feed, for it would let later text cover
//     earlier; before a line feed it is dropped;
//   - characters that are invisible or change the direction of their neighbors
//     are shown by number, as \u{202E};
//   - what is not UTF-8 becomes U+FFFD.
//
// Text of the result is the result.
func Text(s string) string {
	at := unsafeAt(s)
	if at < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	b.WriteString(s[:at])
	for s = s[at:]; s != ""; {
		if n := sequence(s); n > 0 {
			s = s[n:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		s = s[n:]
		switch {
		case r == '\r':
			if !strings.HasPrefix(s, "\n") {
				b.WriteByte('\n')
			}
		case hidden(r):
			fmt.Fprintf(&b, `\u{%X}`, r)
		case isSafe(r):
			b.WriteRune(r) // U+FFFD for a byte that is none
		}
	}
	return b.String()
}

// unsafeAt is where the first character is that Text would change, or -1.
func unsafeAt(s string) int {
	for i, r := range s {
		if !isSafe(r) {
			return i
		}
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return -1
}

// isSafe reports whether r may stand in the result of Text.
func isSafe(r rune) bool {
	switch {
	case r == '\t' || r == '\n':
		return true
	case r < ' ' || r >= 0x7f && r <= 0x9f:
		return false
	case r < 0x7f:
		return true
	}
	return !hidden(r)
}

// invisible are the characters beside the format characters (Cf) that leave no
// mark: joiners, fillers, separators and the variation selectors that can carry
// hidden text. Those up to U+FE0F choose the look of emoji and stay.
var invisible = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034f, Hi: 0x034f, Stride: 1},
		{Lo: 0x115f, Hi: 0x1160, Stride: 1},
		{Lo: 0x17b4, Hi: 0x17b5, Stride: 1},
		{Lo: 0x180b, Hi: 0x180f, Stride: 1},
		{Lo: 0x2028, Hi: 0x2029, Stride: 1},
		{Lo: 0x2065, Hi: 0x2065, Stride: 1},
		{Lo: 0x3164, Hi: 0x3164, Stride: 1},
		{Lo: 0xffa0, Hi: 0xffa0, Stride: 1},
		{Lo: 0xfff0, Hi: 0xfff8, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0xe0000, Hi: 0xe0fff, Stride: 1},
	},
}

// hidden reports whether r is shown by its number. The format characters that
// enclose digits in Arabic and Syriac text can be seen.
func hidden(r rune) bool {
	if r < 0xad {
		return false
	}
	return unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) || unicode.Is(invisible, r)
}
