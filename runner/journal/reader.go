package journal

import (
	"database/sql"
	"path/filepath"
)

// Reader reads a journal beside its writer, or long after it. It never changes
// the file and never makes the writer wait for long. Its methods may be called
// from any goroutine.
type Reader struct {
	path string
	db   *sql.DB
	copy string // folder of the private copy, ""
}

// maxPage bounds what one call of Since holds in memory.
const maxPage = 1000

// OpenReader opens a journal for reading, on a read-only disk too; there it
// may read a private copy as of now. The error is a *StateError.
func OpenReader(path string) (*Reader, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, explainFile(path, err)
	}
	if err := requireRegular(path); err != nil {
		return nil, err
	}
	r := &Reader{path: path}
	err = r.connect(path, "ro")
	if err != nil && needsCopy(err) {
		r.db.Close()
		if err := r.makeCopy(); err != nil {
			return nil, err
		}
		err = r.connect(filepath.Join(r.copy, filepath.Base(path)), "rw")
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// connect opens the database at place, which is the journal or its copy.
// Connections are not kept between calls: an idle one would keep Seal from
// folding the -wal into the file.
func (r *Reader) connect(place, mode string) (err error) {
	if r.db, err = connect(place, mode); err != nil {
		return explain(r.path, err)
	}
	r.db.SetMaxIdleConns(-1)
	_, _, err = check(r.path, r.db)
	return err
}

// Since returns the entries after record seq, in order: limit at most, and
// never more than 1000. Each is checked; a *StateError names the record that
// is not what was written. Call it again with the last seq for the next page.
func (r *Reader) Since(seq uint64, limit int) ([]Entry, error) {
	return entries(r.path, r.db, seq, min(max(limit, 0), maxPage))
}

// Sealed reports whether the journal has ended.
func (r *Reader) Sealed() (bool, error) {
	m, err := readMeta(r.path, r.db.QueryRowContext(ctx, sqlMeta))
	return m.sealed > 0, err
}

// Close gives the file back.
func (r *Reader) Close() error {
	err := r.db.Close()
	r.dropCopy()
	return explain(r.path, err)
}
