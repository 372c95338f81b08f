package journal

const sqlInsert = `INSERT INTO records(seq, at, kind, body, effects, sum) VALUES(?, ?, ?, ?, ?, ?)`

// Append writes the entries in one transaction: all or none, and durable when
// it returns nil. They must go on where the journal ends.
//
// After an error nothing is acknowledged, but a record of the batch may still
// be found at the next Open when the disk failed in the commit itself.
// *LeaseError: the run was taken over. *StateError: the journal could not be
// written, or the entries do not fit behind its end.
func (j *Journal) Append(entries []Entry) error {
	if len(entries) == 0 {
		return nil
	}
	rows := make([]row, len(entries))
	for i, e := range entries {
		r, err := e.encode()
		if err != nil {
			return err
		}
		rows[i] = r
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	var end link
	err := j.write(func(m meta) (err error) {
		if err := j.mayWrite(m); err != nil {
			return err
		}
		if end, err = readEnd(j.path, j.stmt.end.QueryRowContext(ctx)); err != nil {
			return err
		}
		for i := range rows {
			if end, err = j.insert(end, &rows[i]); err != nil {
				return err
			}
		}
		if j.unseen == 0 {
			return nil
		}
		m.seenAt = j.unseen
		return j.putMeta(m)
	})
	if err == nil {
		j.unseen = 0
		j.noteHead(end)
	}
	return err
}

func (j *Journal) insert(end link, r *row) (link, error) {
	if r.seq != end.seq+1 {
		e := damaged(j.path, "record %d cannot be written: the journal ends with record %d", r.seq, end.seq)
		e.Remedy = "resume the run; nothing was written"
		return end, e
	}
	r.sum = r.sumAfter(end.sum)
	_, err := j.stmt.insert.ExecContext(ctx, int64(r.seq), r.at, r.kind, string(r.body), string(r.effects), int64(r.sum))
	return link{r.seq, r.sum}, explain(j.path, err)
}

// noteHead writes the head. The records are safe without it, so that it fails
// is no reason to call them lost.
func (j *Journal) noteHead(end link) {
	if err := writeHead(j.head, end); err != nil {
		j.warn("the last record could not be noted in " + j.path + headSuffix + ": a lost -wal file would go unnoticed")
	}
}
