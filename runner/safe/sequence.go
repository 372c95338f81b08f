package safe

import "strings"

const esc = 0x1b

// sequence is the length of the escape sequence at the start of s, with the
// characters that introduce it; 0 when there is none. A sequence that breaks
// off counts as far as it goes.
func sequence(s string) int {
	kind, n := introducer(s)
	switch kind {
	case 0:
		return n
	case '[': // CSI: parameters, intermediates, one final
		n = skip(s, n, 0x30, 0x3f)
		n = skip(s, n, 0x20, 0x2f)
		return final(s, n, 0x40)
	case ']', 'P', 'X', '^', '_': // OSC, DCS, SOS, PM, APC: a string
		return n + stringLen(s[n:])
	}
	n = skip(s, n-1, 0x20, 0x2f) // as ESC ( B, or ESC c
	return final(s, n, 0x30)
}

// introducer tells what kind of sequence begins s, by the character behind ESC
// that says it, and its own length. The C1 controls are short for two of them.
func introducer(s string) (kind byte, n int) {
	switch {
	case len(s) >= 2 && s[0] == esc && s[1] >= 0x20 && s[1] <= 0x7e:
		return s[1], 2
	case s[0] == esc:
		return 0, 1
	case len(s) >= 2 && s[0] == 0xc2 && s[1] >= 0x80 && s[1] <= 0x9f:
		if kind := s[1] - 0x40; strings.IndexByte("[]PX^_", kind) >= 0 {
			return kind, 2
		}
		return 0, 2
	}
	return 0, 0
}

// skip is the end of the run of bytes from lo to hi that begins at n.
func skip(s string, n int, lo, hi byte) int {
	for n < len(s) && s[n] >= lo && s[n] <= hi {
		n++
	}
	return n
}

// final takes the final byte of a sequence where there is one.
func final(s string, n int, lo byte) int {
	if n < len(s) && s[n] >= lo && s[n] <= 0x7e {
		n++
	}
	return n
}

// stringLen is the length of a control string with its end: BEL or ST. One that
// does not end in its line hides nothing: only its introducer is dropped.
func stringLen(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\n':
			return 0
		case 0x07:
			return i + 1
		case esc:
			if strings.HasPrefix(s[i+1:], `\`) {
				return i + 2
			}
			return 0
		case 0xc2:
			if strings.HasPrefix(s[i+1:], "\x9c") {
				return i + 2
			}
		}
	}
	return 0
}
