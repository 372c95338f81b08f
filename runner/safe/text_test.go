package safe

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// O1: what a terminal would obey is gone, what a reader could not see is shown.
func TestO1_Text(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain":                    {"a\tb\nc", "a\tb\nc"},
		"empty":                    {"", ""},
		"unicode":                  {"Grüße, 世界 ✓ 🙂", "Grüße, 世界 ✓ 🙂"},
		"color":                    {"\x1b[1;31mred\x1b[0m", "red"},
		"private mode":             {"\x1b[?1049hx\x1b[?25l", "x"},
		"cursor":                   {"ok\x1b[2A\x1b[2Kfake approval", "okfake approval"},
		"colon parameters":         {"\x1b[38:2::1:2:3mx", "x"},
		"title":                    {"\x1b]0;owned\x07x", "x"},
		"clipboard":                {"\x1b]52;c;cm0gLXJm\x1b\\x", "x"},
		"link":                     {"\x1b]8;;http://evil\x1b\\text\x1b]8;;\x1b\\", "text"},
		"device string":            {"a\x1bP1$r0m\x1b\\b", "ab"},
		"application string":       {"a\x1b_Gf=100;AAAA\x1b\\b", "ab"},
		"privacy message":          {"a\x1b^hidden\x1b\\b", "ab"},
		"start of string":          {"a\x1bXhidden\x1b\\b", "ab"},
		"character set":            {"\x1b(0lqk\x1b(B", "lqk"},
		"reset":                    {"a\x1bcb", "ab"},
		"escape at end":            {"a\x1b", "a"},
		"sequence at end":          {"a\x1b[1;", "a"},
		"escape before text":       {"a\x1bü", "aü"},
		"escape before line":       {"a\x1b\nb", "a\nb"},
		"sequence cut by line":     {"a\x1b[1\nb", "a\nb"},
		"sequence cut by escape":   {"a\x1b[1\x1b[0mb", "ab"},
		"sequence in sequence":     {"\x1b\x1b[31m[31mx", "[31mx"},
		"open string hides naught": {"a\x1b]0;title\nrm -rf\nb", "a0;title\nrm -rf\nb"},
		"late end hides naught":    {"a\x1b]0;t\nrm -rf\x07b", "a0;t\nrm -rfb"},
		"open string at end":       {"a\x1bPrest", "arest"},
		"string cut by sequence":   {"a\x1b]0;x\x1b[31my", "a0;xy"},
		"8-bit CSI":                {"a\u009b31mb", "ab"},
		"8-bit OSC":                {"a\u009d0;t\u009cb", "ab"},
		"8-bit others":             {"a\u0085\u0090q\u009cb\u0080", "ab"},
		"raw 8-bit CSI":            {"a\x9b31mb", "a\ufffd31mb"},
		"raw 8-bit OSC":            {"a\x9d0;t\x9cb", "a\ufffd0;t\ufffdb"},
		"controls":                 {"a\x00b\x07c\x08d\x0be\x0cf\x7fg", "abcdefg"},
		"lone CR":                  {"10%\r20%\rdone", "10%\n20%\ndone"},
		"CRLF":                     {"a\r\nb\r\r\nc", "a\nb\n\nc"},
		"invalid UTF-8":            {"a\xffb\xc3", "a\ufffdb\ufffd"},
		"replacement stays":        {"a\ufffdb", "a\ufffdb"},
		"overlong":                 {"\xc0\x80\xe0\x80\x9b", "\ufffd\ufffd\ufffd\ufffd\ufffd"},
		"surrogate":                {"\xed\xa0\x80", "\ufffd\ufffd\ufffd"},
		"bidi":                     {"a\u202eb\u2066c\u200fd\u061c", `a\u{202E}b\u{2066}c\u{200F}d\u{61C}`},
		"zero width":               {"a\u200bb\u200dc\ufeffd\u2060e\u00adf", `a\u{200B}b\u{200D}c\u{FEFF}d\u{2060}e\u{AD}f`},
		"line separators":          {"a\u2028b\u2029c", `a\u{2028}b\u{2029}c`},
		"tags":                     {"a\U000e0041\U000e0100", `a\u{E0041}\u{E0100}`},
		"fillers":                  {"a\u3164\u115f\u034f", `a\u{3164}\u{115F}\u{34F}`},
		"emoji look":               {"✔\ufe0f", "✔\ufe0f"},
		"arabic number sign":       {"\u0600١٢", "\u0600١٢"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Text(c.in); got != c.want {
				t.Errorf("Text(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestLine(t *testing.T) {
	for _, c := range []struct {
		in   string
		max  int
		want string
	}{
		{"", 5, ""},
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"abcd", 1, "…"},
		{"abcd", 0, ""},
		{"abcd", -1, ""},
		{"", 0, ""},
		{"  two\r\n\r\n\tlines  ", 20, "two lines"},
		{"äöüß", 4, "äöüß"},
		{"äöüßx", 4, "äöü…"},
		{"\x1b[31mred\x1b[0m and more", 7, "red an…"},
		{"one\r::error::two", 40, "one ::error::two"},
	} {
		if got := Line(c.in, c.max); got != c.want {
			t.Errorf("Line(%q, %d) = %q, want %q", c.in, c.max, got, c.want)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"\x1b[31mx", "\x1b]0;t\x07", "\x1b\x1b[[mm", "a\r\r\nb", "\xc2\x9b", "\u202e", "\x1bP\x1b\x1b\\", "\x1b(\x9c"} {
		f.Add(s, 10)
	}
	f.Fuzz(func(t *testing.T, s string, max int) {
		got := Text(s)
		wantSafe(t, got)
		if again := Text(got); again != got {
			t.Errorf("Text twice: %q, then %q", got, again)
		}
		line := Line(s, max)
		wantSafe(t, line)
		if n := utf8.RuneCountInString(line); n > 0 && n > max || strings.ContainsAny(line, "\n\t") {
			t.Errorf("Line(%q, %d) = %q", s, max, line)
		}
		if again := Line(line, max); again != line {
			t.Errorf("Line twice: %q, then %q", line, again)
		}
	})
}

// wantSafe spells the safe alphabet out, apart from the code under test.
func wantSafe(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Errorf("%q is not UTF-8", s)
	}
	for _, r := range s {
		switch {
		case r == '\t', r == '\n':
		case r < 0x20, r >= 0x7f && r <= 0x9f, r == 0xad, r == 0x61c, r == 0xfeff,
			r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r >= 0xe0000 && r <= 0xe0fff:
			t.Errorf("%q holds %U", s, r)
		}
	}
}
