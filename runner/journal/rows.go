package journal

import (
	"database/sql"
	"errors"
	"math"
)

// pageSize is how many records one query of a long reading returns: a query
// that stays open keeps the -wal from being reset.
const pageSize = 256

// scan calls fn for each row after record seq, in order, limit rows at most
// (all when limit is negative). Each is checked against its predecessor, the
// first against record seq itself. The row is valid until fn returns.
func scan(path string, q querier, seq uint64, limit int, fn func(*row) error) error {
	from, rest := int64(math.MinInt64), limit // also what nobody wrote below 1
	if seq > 0 {
		from = int64(min(seq, math.MaxInt64))
	}
	if seq > 0 && limit >= 0 {
		rest++
	}
	rows, err := q.QueryContext(ctx, `SELECT seq, at, kind, body, effects, sum FROM records WHERE seq >= ? ORDER BY seq LIMIT ?`, from, rest)
	if err != nil {
		return explain(path, err)
	}
	defer rows.Close()

	var r row
	var end link
	anchored := seq == 0
	for rows.Next() {
		var kind, body, effects sql.RawBytes
		var n, sum int64
		if err := rows.Scan(&n, &r.at, &kind, &body, &effects, &sum); err != nil {
			return explain(path, err)
		}
		if n < 1 || sum < 0 || sum > math.MaxUint32 {
			return damaged(path, "record %d is not what was written", n)
		}
		r.seq, r.kind, r.body, r.effects, r.sum = uint64(n), string(kind), body, effects, uint32(sum)
		if !anchored {
			if r.seq != seq {
				return damaged(path, "record %d is missing", seq)
			}
			anchored, end = true, link{r.seq, r.sum}
			continue
		}
		if end, err = end.next(path, &r); err != nil {
			return err
		}
		if err := fn(&r); err != nil {
			return err
		}
	}
	return explain(path, rows.Err())
}

const sqlEnd = `SELECT seq, sum FROM records ORDER BY seq DESC LIMIT 1`

// readEnd is the end of the journal; link{} when it has no record.
func readEnd(path string, r *sql.Row) (link, error) {
	var seq, sum int64
	err := r.Scan(&seq, &sum)
	if errors.Is(err, sql.ErrNoRows) {
		return link{}, nil
	}
	return link{uint64(seq), uint32(sum)}, explain(path, err)
}

// entries decodes the rows after record seq, limit at most.
func entries(path string, q querier, seq uint64, limit int) ([]Entry, error) {
	var list []Entry
	err := scan(path, q, seq, limit, func(r *row) error {
		e, err := r.decode(path)
		list = append(list, e)
		return err
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}
