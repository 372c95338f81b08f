package journal

import "fmt"

// Lease is the right to append.
type Lease struct {
	Number     int   // from 1; a higher one ends all before it
	FormerSeen int64 // when the holder before was last seen, Unix ms; 0: there was none
}

// LeaseError says that another runner has taken the run over. Nothing was
// written; this runner must end.
type LeaseError struct {
	Path   string
	Ours   int
	Holder int // the newest lease
	PID    int // of its process
	Host   string
}

func (e *LeaseError) Error() string {
	return fmt.Sprintf("%s: another runner has taken the run over: process %d on %s holds lease %d, this runner has lease %d; this runner ends", e.Path, e.PID, e.Host, e.Holder, e.Ours)
}

// Lease takes the next lease, for process pid on host; now is Unix ms. From
// here on every other Journal of the file is refused with a *LeaseError.
//
// The holder counts as seen from its first Append or Beat on. One that ends
// before has done nothing: the next Lease tells of the holder before it.
func (j *Journal) Lease(now int64, pid int, host string) (Lease, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	var l Lease
	err := j.write(func(m meta) error {
		if m.sealed > 0 {
			return j.ended()
		}
		l = Lease{Number: m.lease + 1, FormerSeen: m.seenAt}
		return j.putMeta(meta{lease: l.Number, seenAt: m.seenAt, pid: pid, host: host})
	})
	if err != nil {
		return Lease{}, err
	}
	j.lease, j.unseen = l.Number, now
	return l, nil
}

// Beat notes that the lease is alive; now is Unix ms.
func (j *Journal) Beat(now int64) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	err := j.write(func(m meta) error {
		if err := j.mayWrite(m); err != nil {
			return err
		}
		m.seenAt = now
		return j.putMeta(m)
	})
	if err == nil {
		j.unseen = 0
	}
	return err
}

// mayWrite is the fence: it is asked inside every transaction.
func (j *Journal) mayWrite(m meta) error {
	switch {
	case m.sealed > 0:
		return j.ended()
	case j.lease == noLease:
		return fmt.Errorf("%s: a lease must be taken before the journal is written to", j.path)
	case m.lease != j.lease:
		return &LeaseError{Path: j.path, Ours: j.lease, Holder: m.lease, PID: m.pid, Host: m.host}
	}
	return nil
}

func (j *Journal) ended() error {
	return &StateError{Path: j.path, Problem: "the run has ended, its journal takes nothing more", Remedy: "start a new run"}
}

func (j *Journal) putMeta(m meta) error {
	_, err := j.stmt.putMeta.ExecContext(ctx, m.values()...)
	return explain(j.path, err)
}

// write runs fn in a transaction that is durable when write returns nil, and
// leaves no trace otherwise. The caller holds mu.
func (j *Journal) write(fn func(meta) error) error {
	if j.db == nil {
		return &StateError{Path: j.path, Problem: "the journal is closed", Remedy: remedyReport}
	}
	if _, err := j.stmt.begin.ExecContext(ctx); err != nil {
		return explain(j.path, err)
	}
	m, err := readMeta(j.path, j.stmt.meta.QueryRowContext(ctx))
	if err == nil {
		err = fn(m)
	}
	if err == nil {
		_, err = j.stmt.commit.ExecContext(ctx)
		err = explain(j.path, err)
	}
	if err != nil {
		// Some errors have rolled back already; then this one says so.
		_, _ = j.stmt.rollback.ExecContext(ctx)
	}
	return err
}
