package command

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/teamrun/teamrun/runner"
)

// The bounds of a captured stream.
const (
	keepBytes = 64 << 20 // in the file
	headBytes = 64 << 10 // in the record
	tailBytes = 2 << 10  // in the text of a failure
	// overlap is what is looked at past the head, so that what is masked is seen
	// whole.
	overlap = 4 << 10
)

// capture keeps a stream of any length in bounded memory: its beginning in a
// file, a digest and a count of all of it. Its bytes are those that were printed
// with the secrets masked, so that all of it, the file too, is without; the
// digest is of the same bytes. Writing never fails, so that a full
// disk neither blocks nor kills the process that prints.
type capture struct {
	make  func() (*os.File, error) // opens the file when there is something for it
	file  *os.File
	sum   hash.Hash
	head  []byte
	tail  []byte
	bytes int64        // all
	kept  int64        // in the file
	full  bool         // the file takes no more
	told  func([]byte) // of each piece as it comes
	plain plain
}

// plain is the beginning of a stream as it was printed, for a report: masking
// could break its form. It stays in memory, and what is recorded of a report is
// masked by value.
type plain struct {
	text  []byte
	bytes int64 // all
}

func (p *plain) Write(b []byte) (int, error) {
	p.bytes += int64(len(b))
	if room := maxReport - len(p.text); room > 0 {
		p.text = append(p.text, b[:min(room, len(b))]...)
	}
	return len(b), nil
}

func newCapture(file func() (*os.File, error), told func([]byte)) *capture {
	return &capture{make: file, sum: sha256.New(), told: told}
}

func (c *capture) Write(p []byte) (int, error) {
	c.sum.Write(p)
	c.bytes += int64(len(p))
	if room := headBytes + overlap - len(c.head); room > 0 {
		c.head = append(c.head, p[:min(room, len(p))]...)
	}
	last := p[max(0, len(p)-tailBytes):]
	stay := min(len(c.tail), tailBytes-len(last))
	copy(c.tail, c.tail[len(c.tail)-stay:])
	c.tail = append(c.tail[:stay], last...)
	c.keep(p)
	c.told(p)
	return len(p), nil
}

func (c *capture) keep(p []byte) {
	p = p[:min(keepBytes-c.kept, int64(len(p)))]
	if c.full || len(p) == 0 {
		return
	}
	if c.file == nil && c.open() != nil {
		c.full = true
		return
	}
	n, err := c.file.Write(p)
	c.kept += int64(n)
	c.full = err != nil
}

func (c *capture) open() (err error) {
	c.file, err = c.make()
	return err
}

func (c *capture) close() {
	if c.file != nil {
		c.file.Close()
	}
}

// output describes the stream, whose file is at path.
func (c *capture) output(path string, clean func(string) string) *runner.Output {
	return &runner.Output{
		Head:   bounded(clean(string(c.head)), headBytes),
		Path:   path,
		Bytes:  c.bytes,
		SHA256: hex.EncodeToString(c.sum.Sum(nil)),
		Cut:    c.kept < c.bytes,
	}
}

// ending is the end of the stream as text for people. It begins with a line
// where it does not begin with the stream.
func (c *capture) ending(clean func(string) string) string {
	tail := string(c.tail)
	if _, whole, found := strings.Cut(tail, "\n"); found && c.bytes > int64(len(tail)) && strings.TrimSpace(whole) != "" {
		tail = whole
	}
	return strings.TrimSpace(clean(strings.ToValidUTF8(tail, "")))
}

// bounded is s, cut to at most n bytes between two characters.
func bounded(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
