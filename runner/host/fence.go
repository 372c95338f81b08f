package host

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// fences puts what others wrote between marks that it cannot imitate: the mark
// carries a nonce that follows from the turn and from the text itself, so nobody
// can write it beforehand, and lines that look like a mark or like the word of
// somebody in authority are escaped.
type fences struct {
	run  string
	turn string // effect id
}

// block is body between fences. label says in plain words what it is.
func (f fences) block(kind, label, body string) string {
	body = readable(body)
	nonce := f.nonce(kind, label, body)
	return fmt.Sprintf("<teamrun:%s %s fence=%s>\n%s\n</teamrun:%s fence=%s>\n",
		kind, label, nonce, strings.TrimRight(escape(body, nonce), "\n"), kind, nonce)
}

func (f fences) nonce(parts ...string) string {
	h := sha256.New()
	for _, p := range append([]string{f.run, f.turn}, parts...) {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

var (
	// likeTag is the beginning of a tag that a model may take for one of ours or
	// of its own conversation.
	likeTag = regexp.MustCompile(`(?i)<([\s/|]*(?:teamrun|system|assistant|user|human|developer|im_start|im_end)\b)`)
	// likeHead is a line that speaks as the room or as somebody in it.
	likeHead = regexp.MustCompile(`(?im)^([\s>*_#-]*)\[(\s*(?:team|teamrun|chair|manager|runner|room|system)\b)`)
)

// escape takes the effect from what looks like a fence and keeps it legible.
func escape(body, nonce string) string {
	body = likeTag.ReplaceAllString(body, "&lt;$1")
	body = likeHead.ReplaceAllString(body, `$1\[$2`)
	return strings.ReplaceAll(body, nonce, "(fence)")
}

// readable is text without what changes how the rest is read or hides in it:
// control characters, other line ends than ours, and invisible format characters.
func readable(s string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n", "\v", "\n", "\f", "\n").Replace(strings.ToValidUTF8(s, "\uFFFD"))
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, s)
}
