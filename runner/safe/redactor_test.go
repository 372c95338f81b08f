package safe

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"
)

const (
	secret = `sk-ant "Zä/+<7&\k=?`
	other  = "ghp_0123456789abcdef"
)

func TestO3_FormsOfASecret(t *testing.T) {
	r := NewRedactor(secret, other)
	quoted, err := json.Marshal(secret)
	if err != nil {
		t.Fatal(err)
	}
	inside := strings.Trim(string(quoted), `"`)
	for name, form := range map[string]string{
		"itself":           secret,
		"base64":           base64.StdEncoding.EncodeToString([]byte(secret)),
		"base64 unpadded":  base64.RawStdEncoding.EncodeToString([]byte(secret)),
		"base64 for URLs":  base64.URLEncoding.EncodeToString([]byte(secret)),
		"query":            url.QueryEscape(secret),
		"path":             url.PathEscape(secret),
		"component":        strings.ReplaceAll(url.QueryEscape(secret), "+", "%20"),
		"query lower case": lowerHex(url.QueryEscape(secret)),
		"JSON":             inside,
		"JSON without <":   strings.NewReplacer(`\u003c`, "<", `\u0026`, "&").Replace(inside),
		"JSON in ASCII":    strings.NewReplacer(`\u003c`, "<", `\u0026`, "&", "ä", `\u00e4`).Replace(inside),
		"another":          other,
	} {
		if got := r.Redact("x " + form + " y " + form); got != "x *** y ***" {
			t.Errorf("%s: %q becomes %q", name, form, got)
		}
	}
}

func lowerHex(s string) string {
	b := []byte(s)
	for i := range b {
		if b[i] == '%' {
			copy(b[i+1:], bytes.ToLower(b[i+1:i+3]))
		}
	}
	return string(b)
}

// Basic authentication and the like: the secret is a part of what is encoded.
func TestO3_InsideLongerBase64(t *testing.T) {
	r := NewRedactor(other)
	for _, before := range []string{"", "u", "us", "use", "user:"} {
		for _, after := range []string{"", "1", "12", "123"} {
			encoded := base64.StdEncoding.EncodeToString([]byte(before + other + after))
			got := r.Redact(encoded)
			if !strings.Contains(got, mask) {
				t.Errorf("%q + secret + %q: %q is not masked", before, after, encoded)
			}
			if rest := strings.Replace(got, mask, "", 1); len(rest) > len(before)*4/3+len(after)*4/3+8 {
				t.Errorf("%q + secret + %q: %q leaves too much", before, after, got)
			}
		}
	}
}

func TestO3_WhatIsMasked(t *testing.T) {
	for name, c := range map[string]struct {
		secrets  []string
		in, want string
	}{
		"nothing":           {nil, "text", "text"},
		"too short":         {[]string{"1234567", ""}, "1234567", "1234567"},
		"long enough":       {[]string{"12345678"}, "12345678", "***"},
		"part of a secret":  {[]string{"12345678"}, "1234567 2345678", "1234567 2345678"},
		"side by side":      {[]string{"12345678"}, "1234567812345678", "******"},
		"overlapping":       {[]string{"abcdefgh", "efghijkl"}, "-abcdefghijkl-", "-***-"},
		"one in another":    {[]string{"abcdefgh", "0abcdefgh9"}, "0abcdefgh9 abcdefgh", "*** ***"},
		"same start":        {[]string{"abcdefgh", "abcdefghijkl"}, "abcdefghijkl", "***"},
		"overlaps itself":   {[]string{"abababab"}, "ababababab", "***"},
		"line end of file":  {[]string{"12345678\n"}, "key=12345678;", "key=***;"},
		"line of several":   {[]string{"abcdefgh\n  ijklmnop\r\nqrs\n"}, "> abcdefgh\n> ijklmnop\n> qrs", "> ***\n> ***\n> qrs"},
		"several lines":     {[]string{"abcdefgh\nijklmnop"}, "abcdefgh\nijklmnop", "***"},
		"at the very end":   {[]string{"12345678"}, "x12345678", "x***"},
		"bytes, not UTF-8":  {[]string{"\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8"}, "a\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8b", "a***b"},
		"twice the same":    {[]string{"12345678", "12345678"}, "12345678", "***"},
		"secrets are apart": {[]string{"abcdefgh", "12345678"}, "abcdefgh 12345678", "*** ***"},
	} {
		if got := NewRedactor(c.secrets...).Redact(c.in); got != c.want {
			t.Errorf("%s: %q becomes %q, want %q", name, c.in, got, c.want)
		}
	}
	var none *Redactor
	if got := none.Redact("12345678"); got != "12345678" {
		t.Errorf("no redactor: %q", got)
	}
}

// Wherever a stream is split, what comes out is what Redact gives for the whole.
func TestO3_StreamSplitAnywhere(t *testing.T) {
	r := NewRedactor(secret, other, "abcdefgh", "efghijkl", "abcdefghijklmno")
	text := "a " + secret + " b " + url.QueryEscape(secret) + other + other[:5] + other + " abcdefghijkl abcdefghijklmn " + other[:9]
	want := r.Redact(text)
	for i := range len(text) + 1 {
		for _, j := range []int{i, (i + len(text)) / 2, len(text)} {
			wantStream(t, r, want, text[:i], text[i:j], text[j:])
		}
	}
	wantStream(t, r, want, strings.Split(text, "")...) // each character alone
}

func wantStream(t *testing.T, r *Redactor, want string, pieces ...string) {
	t.Helper()
	var got strings.Builder
	w := NewWriter(&got, r)
	for _, p := range pieces {
		if n, err := w.Write([]byte(p)); n != len(p) || err != nil {
			t.Fatalf("Write gives %d, %v", n, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got.String() != want {
		t.Errorf("pieces %q give %q, want %q", pieces, got.String(), want)
	}
}

// A stream is not held back without a reason: people watch it.
func TestStreamIsNotDelayed(t *testing.T) {
	var got strings.Builder
	w := NewWriter(&got, NewRedactor(other))
	for _, c := range []struct{ write, want string }{
		{"working\n", "working\n"},
		{"token gh", "working\ntoken "},
		{"ost\n", "working\ntoken ghost\n"},
		{other, "working\ntoken ghost\n***"},
	} {
		if _, err := w.Write([]byte(c.write)); err != nil || got.String() != c.want {
			t.Errorf("after %q: %q, %v; want %q", c.write, got.String(), err, c.want)
		}
	}
}

func TestStreamWithoutRedactor(t *testing.T) {
	wantStream(t, nil, "12345678", "1234", "5678")
}

func TestStreamReportsAFailingWriter(t *testing.T) {
	full := errors.New("no space left")
	w := NewWriter(failing{full}, NewRedactor(other))
	if _, err := w.Write([]byte("x")); err != full {
		t.Errorf("error is %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func FuzzRedactor(f *testing.F) {
	f.Add(other, "x "+other+" y", 5)
	f.Add("abababab", "abababababab", 3)
	f.Fuzz(func(t *testing.T, value, text string, at int) {
		r := NewRedactor(value)
		whole := r.Redact(text)
		if len(value) >= minSecret && !strings.Contains(value, "*") && strings.Contains(whole, value) {
			t.Errorf("%q is left in %q", value, whole)
		}
		cut := min(max(at, 0), len(text))
		wantStream(t, r, whole, text[:cut], text[cut:])
	})
}

func BenchmarkText(b *testing.B) {
	s := strings.Repeat("\x1b[32mok\x1b[0m a line of output with some words in it\n", 1000)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Text(s)
	}
}

func BenchmarkRedact(b *testing.B) {
	r := NewRedactor(secret, other, "another secret value", "and_one_more_0123")
	s := strings.Repeat("a line of output with some words in it\n", 1000)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		r.Redact(s)
	}
}
