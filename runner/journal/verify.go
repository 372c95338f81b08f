package journal

// check is what every reader does before it believes a file: it is a journal
// of this version, and its end is not before the last acknowledged record.
func check(path string, q querier) (meta, link, error) {
	head, err := readHead(path) // first: a live writer sets it after its commit
	if err != nil {
		return meta{}, link{}, err
	}
	if err := identify(path, q); err != nil {
		return meta{}, link{}, err
	}
	m, err := readMeta(path, q.QueryRowContext(ctx, sqlMeta))
	if err != nil {
		return meta{}, link{}, err
	}
	end, err := readEnd(path, q.QueryRowContext(ctx, sqlEnd))
	if err != nil {
		return meta{}, link{}, err
	}
	if m.sealed > 0 && end.seq != m.sealed {
		return meta{}, link{}, damaged(path, "record %d is missing: the run ended with it, the journal ends with record %d", m.sealed, end.seq)
	}
	return m, end, checkHead(path, q, head, end)
}

func checkHead(path string, q querier, head, end link) error {
	if head.seq == 0 {
		return nil
	}
	remedy := "put " + path + "-wal back or restore the folder from a copy; to go on with what is left, remove " + path + headSuffix + "; the file was left as it is"
	if head.seq > end.seq {
		e := damaged(path, "record %d is missing: it was acknowledged, the journal ends with record %d", head.seq, end.seq)
		e.Remedy = remedy
		return e
	}
	var sum int64
	if err := q.QueryRowContext(ctx, `SELECT sum FROM records WHERE seq = ?`, int64(head.seq)).Scan(&sum); err != nil {
		return explain(path, err)
	}
	if sum != int64(head.sum) {
		e := damaged(path, "record %d is not the one that was acknowledged", head.seq)
		e.Remedy = remedy
		return e
	}
	return nil
}

// verify reads everything: the structure of the file and every record.
func verify(path string, q querier) (meta, link, error) {
	m, end, err := check(path, q)
	if err != nil {
		return m, end, err
	}
	var verdict string
	if err := q.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&verdict); err != nil {
		return m, end, explain(path, err)
	}
	if verdict != "ok" {
		return m, end, damaged(path, "the database is damaged (%s)", verdict)
	}
	read := link{}
	err = scan(path, q, 0, -1, func(r *row) error {
		read = link{r.seq, r.sum}
		return nil
	})
	if err == nil && read != end {
		err = damaged(path, "the journal ends with record %d, its last readable record is %d", end.seq, read.seq)
	}
	return m, end, err
}
