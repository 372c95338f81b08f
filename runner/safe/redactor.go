package safe

import (
	"slices"
	"strings"
)

// minSecret is the length in bytes below which a value is not masked: it would
// turn up in harmless text.
const minSecret = 8

const mask = "***"

// Redactor masks secrets in text: their values, each line of those with several,
// and the forms they take in base64, URLs and JSON. It cannot know secrets it was not told, nor other
// forms. A nil Redactor masks nothing.
type Redactor struct {
	byFirst [256][]string // forms by their first byte
}

// NewRedactor makes a redactor for the given values; those shorter than 8
// bytes are left out.
func NewRedactor(values ...string) *Redactor {
	r := &Redactor{}
	for _, v := range values {
		for _, form := range forms(v) {
			list := &r.byFirst[form[0]]
			if !slices.Contains(*list, form) {
				*list = append(*list, form)
			}
		}
	}
	return r
}

// Redact returns s with each secret replaced by ***. Secrets that overlap are
// one.
func (r *Redactor) Redact(s string) string {
	if r == nil {
		return s
	}
	var b strings.Builder
	if r.scan(&b, s, 0, true); b.String() == s {
		return s
	}
	return b.String()
}

// scan writes s, masked, as far as it can be judged, and returns the rest: when
// more is to come, what may be the start of a secret. Of s, the first covered
// bytes belong to a secret that is masked already; so they do in the rest.
func (r *Redactor) scan(b *strings.Builder, s string, covered int, last bool) (rest string, restCovered int) {
	plain := covered // start of what is not written yet
	for i := range len(s) {
		n, open := r.match(s[i:])
		if open && !last {
			if plain < i {
				b.WriteString(s[plain:i])
			}
			return s[i:], max(covered-i, 0)
		}
		if n == 0 {
			continue
		}
		if i >= covered { // else it overlaps one that is masked
			b.WriteString(s[plain:i])
			b.WriteString(mask)
		}
		covered = max(covered, i+n)
		plain = covered
	}
	if plain < len(s) {
		b.WriteString(s[plain:])
	}
	return "", 0
}

// match is the length of the longest secret at the start of s; open says that
// s ends before a secret that it may be the start of.
func (r *Redactor) match(s string) (n int, open bool) {
	for _, form := range r.byFirst[s[0]] {
		if strings.HasPrefix(s, form) {
			n = max(n, len(form))
		} else if len(s) < len(form) && strings.HasPrefix(form, s) {
			open = true
		}
	}
	return n, open
}
