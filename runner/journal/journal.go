package journal

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"sync"
)

// Journal is the journal in the hands of its one writer. Its methods may be
// called from any goroutine.
type Journal struct {
	path string
	db   *sql.DB
	conn *sql.Conn
	stmt statements

	mu      sync.Mutex
	head    *os.File // nil when the run has ended
	lease   int      // ours; noLease before Lease
	unseen  int64    // when the lease was taken, Unix ms, until that is noted as seen
	warning string
}

// noLease is the lease of a journal that was opened and may only be read.
const noLease = -1

// statements are those of the way every record takes.
type statements struct {
	begin, commit, rollback, meta, putMeta, end, insert *sql.Stmt
}

// Create makes a new journal, mode 0600. Whoever creates it may append at
// once, until somebody takes a lease. The error is a *StateError, and wraps
// fs.ErrExist when there is a file already.
func Create(path string) (*Journal, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, explainFile(path, err)
	}
	if err := createFile(path); err != nil {
		return nil, err
	}
	if err := initialise(path); err != nil {
		remove(path)
		return nil, err
	}
	j, err := openWriter(path, true)
	if err != nil {
		remove(path)
		return nil, err
	}
	j.lease = 0
	return j, nil
}

// initialise writes the tables, in the file itself and not in its -wal.
func initialise(path string) error {
	db, err := connect(path, "rw")
	if err != nil {
		return explain(path, err)
	}
	_, err = db.ExecContext(ctx, "BEGIN IMMEDIATE;"+schemaRecords+";"+schemaMeta+";PRAGMA user_version=1")
	if err == nil {
		_, err = db.ExecContext(ctx, sqlPutMeta, meta{}.values()...)
	}
	if err == nil {
		_, err = db.ExecContext(ctx, "COMMIT")
	}
	if err := errors.Join(explain(path, err), explain(path, db.Close())); err != nil {
		return err
	}
	return syncFolder(path)
}

// Open opens a journal for its one writer, after everything in it was checked.
// A *StateError says what is wrong with it; the file then keeps every byte.
// Records can be appended after Lease.
func Open(path string) (*Journal, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, explainFile(path, err)
	}
	if err := requireRegular(path); err != nil {
		return nil, err
	}
	if err := requireOwn(path); err != nil {
		return nil, err
	}
	m, end, err := inspect(path)
	if err != nil {
		return nil, err
	}
	wide, err := narrow(path)
	if err != nil {
		return nil, err
	}
	j, err := openWriter(path, m.sealed == 0)
	if err != nil {
		return nil, err
	}
	if wide {
		j.warn("others could read the journal: its mode was set to 0600")
	}
	if end.seq > 0 && j.head != nil {
		j.noteHead(end)
	}
	return j, nil
}

// inspect verifies a journal without writing to it.
func inspect(path string) (meta, link, error) {
	r, err := OpenReader(path)
	if err != nil {
		return meta{}, link{}, err
	}
	defer r.Close()
	return verify(path, r.db)
}

// openWriter connects, in WAL mode where that is possible; not so for a run
// that has ended, whose file stays as Seal left it.
func openWriter(path string, live bool) (*Journal, error) {
	j := &Journal{path: path, lease: noLease}
	if err := j.start(live); err != nil {
		j.Close()
		return nil, err
	}
	return j, nil
}

func (j *Journal) start(live bool) error {
	if !live {
		if err := j.dial("rw"); err != nil {
			return explain(j.path, err)
		}
		return j.prepare()
	}
	if err := requireFolder(j.path); err != nil {
		return err
	}
	if err := j.setMode(); err != nil {
		return err
	}
	head, err := openHead(j.path)
	if err != nil {
		return err
	}
	j.head = head
	return j.prepare()
}

// dial opens the one connection.
func (j *Journal) dial(mode string, more ...string) (err error) {
	if j.db, err = connect(j.path, mode, more...); err != nil {
		return err
	}
	j.conn, err = j.db.Conn(ctx)
	return err
}

func (j *Journal) prepare() error {
	s := &j.stmt
	for _, p := range []struct {
		to  **sql.Stmt
		sql string
	}{
		{&s.begin, `BEGIN IMMEDIATE`}, {&s.commit, `COMMIT`}, {&s.rollback, `ROLLBACK`},
		{&s.meta, sqlMeta}, {&s.putMeta, sqlPutMeta}, {&s.end, sqlEnd}, {&s.insert, sqlInsert},
	} {
		stmt, err := j.conn.PrepareContext(ctx, p.sql)
		if err != nil {
			return explain(j.path, err)
		}
		*p.to = stmt
	}
	return nil
}

// Path is the absolute path of the file.
func (j *Journal) Path() string { return j.path }

// Warning is one sentence for the person who runs the run, or "": the journal
// works, but not as it should.
func (j *Journal) Warning() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.warning
}

// warn keeps the first warning.
func (j *Journal) warn(text string) {
	if j.warning == "" {
		j.warning = j.path + ": " + text
	}
}

// Close gives the file back. A journal that was not sealed can be opened again.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.db == nil {
		return nil
	}
	err := j.hangUp()
	j.db = nil
	if j.head != nil {
		err = errors.Join(err, j.head.Close())
		j.head = nil
	}
	return explain(j.path, err)
}

// hangUp closes statements before connection before database: SQLite keeps the
// -wal beside a database that has any of them left.
func (j *Journal) hangUp() error {
	s := &j.stmt
	var errs []error
	for _, stmt := range []*sql.Stmt{s.begin, s.commit, s.rollback, s.meta, s.putMeta, s.end, s.insert} {
		if stmt != nil {
			errs = append(errs, stmt.Close())
		}
	}
	if j.conn != nil {
		errs = append(errs, j.conn.Close())
	}
	return errors.Join(append(errs, j.db.Close())...)
}
