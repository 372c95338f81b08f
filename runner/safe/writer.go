package safe

import (
	"io"
	"strings"
)

// Writer masks secrets in what passes through it, also where the pieces it is
// given split them. It holds back only what may be the start of a secret, until
// the next Write or Close tells. It is for one goroutine.
type Writer struct {
	to      io.Writer
	r       *Redactor
	rest    string // not written yet
	covered int    // so many bytes of rest belong to a masked secret
}

// NewWriter returns a Writer that masks the secrets of r and writes to w.
func NewWriter(w io.Writer, r *Redactor) *Writer {
	return &Writer{to: w, r: r}
}

// Write implements io.Writer.
func (w *Writer) Write(p []byte) (int, error) {
	if err := w.pass(string(p), false); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close writes what was held back. It does not close the writer below.
func (w *Writer) Close() error {
	return w.pass("", true)
}

func (w *Writer) pass(s string, last bool) error {
	if w.r == nil {
		_, err := io.WriteString(w.to, s)
		return err
	}
	var b strings.Builder
	w.rest, w.covered = w.r.scan(&b, w.rest+s, w.covered, last)
	if b.Len() == 0 {
		return nil
	}
	_, err := io.WriteString(w.to, b.String())
	return err
}
