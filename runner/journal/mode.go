package journal

import "fmt"

// setMode makes the database keep a write-ahead log. Where that cannot work
// (it needs memory shared through a file, which some network file systems
// lack) the database keeps a rollback journal: slower, and readers and the
// writer wait for each other.
func (j *Journal) setMode() error {
	cause := j.useWAL()
	if cause == nil || code(cause)&0xff == codeBusy {
		return explain(j.path, cause)
	}
	if err := j.hangUp(); err != nil {
		return explain(j.path, err)
	}
	if err := j.useRollback(); err != nil {
		return explain(j.path, cause)
	}
	j.warn("this file system cannot hold a write-ahead log, so the journal is kept without one: records are written more slowly and readers make the run wait")
	return nil
}

func (j *Journal) useWAL() error {
	if err := j.dial("rw"); err != nil {
		return err
	}
	if err := j.pragma("journal_mode", "wal"); err != nil {
		return err
	}
	return j.probe()
}

// useRollback also converts a database that was left in WAL mode: a connection
// that has it alone from the first moment needs no shared memory.
func (j *Journal) useRollback() error {
	if err := j.dial("rw", "locking_mode(exclusive)"); err != nil {
		return err
	}
	if err := j.pragma("journal_mode", "delete"); err != nil {
		return err
	}
	if err := j.pragma("locking_mode", "normal"); err != nil {
		return err
	}
	if _, err := j.conn.ExecContext(ctx, `PRAGMA synchronous=EXTRA`); err != nil {
		return err
	}
	return j.probe()
}

// pragma sets a mode and checks that it took.
func (j *Journal) pragma(name, want string) error {
	var got string
	if err := j.conn.QueryRowContext(ctx, "PRAGMA "+name+"="+want).Scan(&got); err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("%s is %s and cannot become %s", name, got, want)
	}
	return nil
}

// probe takes the write lock once and gives it back.
func (j *Journal) probe() error {
	if _, err := j.conn.ExecContext(ctx, `BEGIN IMMEDIATE`); err != nil {
		return err
	}
	_, err := j.conn.ExecContext(ctx, `COMMIT`)
	return err
}
