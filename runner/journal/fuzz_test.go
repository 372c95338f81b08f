package journal

import (
	"path/filepath"
	"testing"
)

// Whatever lies where a journal should be, and where its log should be, is
// refused with a *StateError or read; nothing panics.
func FuzzOpen(f *testing.F) {
	for _, d := range []disk{crashed(f, 6), ended(f, 6), {"": nil}, {"": []byte("SQLite format 3\x00")}} {
		f.Add(d[""], d["-wal"], d["-head"])
	}
	f.Fuzz(func(t *testing.T, db, wal, head []byte) {
		path := filepath.Join(t.TempDir(), "run.db")
		disk{"": db, "-wal": wal, "-head": head}.write(t, path)
		if _, err := readAsReader(path); err != nil {
			wantStateError(t, err)
		}
		_, _ = readAll(t, path)
	})
}
