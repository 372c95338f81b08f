package host

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/teamrun/teamrun/runner/safe"
)

// fences puts what others wrote between marks that it cannot imitate: the mark
// carries a nonce that follows from the turn and from the text itself, so nobody
// can write it beforehand, and lines that look like a mark or like the word of
// somebody in authority are escaped.
type fences struct {
	run   string
	turn  string   // effect id
	names []string // of the members, whom nobody may speak as
}

// block is body between fences. label says in plain words what it is.
func (f fences) block(kind, label, body string) string {
	body = safe.Text(body)
	nonce := f.nonce(kind, label, body)
	return fmt.Sprintf("<teamrun:%s %s fence=%s>\n%s\n</teamrun:%s fence=%s>\n",
		kind, label, nonce, strings.TrimRight(f.escape(body, nonce), "\n"), kind, nonce)
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
	// likeHead is a line that begins with a name in brackets.
	likeHead = regexp.MustCompile(`(?m)^[\s>*_#-]*\[\s*([A-Za-z0-9_-]+)`)
)

// rooms are the names in brackets that speak for the room.
var rooms = []string{"team", "teamrun", "chair", "manager", "runner", "room", "system", "human"}

// escape takes the effect from what looks like a fence, or like somebody
// speaking, and keeps it legible.
func (f fences) escape(body, nonce string) string {
	body = likeTag.ReplaceAllString(body, "&lt;$1")
	body = likeHead.ReplaceAllStringFunc(body, func(head string) string {
		before, name, _ := strings.Cut(head, "[")
		is := func(n string) bool { return strings.EqualFold(n, strings.TrimSpace(name)) }
		if slices.ContainsFunc(rooms, is) || slices.ContainsFunc(f.names, is) {
			return before + `\[` + name
		}
		return head
	})
	return strings.ReplaceAll(body, nonce, "(fence)")
}
