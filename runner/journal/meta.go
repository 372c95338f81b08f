package journal

import (
	"database/sql"
	"errors"
	"fmt"
	"hash/crc32"
)

// meta is the one row that is not history: who holds the lease, and whether
// the run has ended.
type meta struct {
	lease  int
	seenAt int64 // when the holder was last seen, Unix ms; 0: never
	pid    int
	host   string
	sealed uint64 // the last record of an ended run; 0: it has not ended
}

const (
	sqlMeta    = `SELECT lease, seen_at, pid, host, sealed, sum FROM meta WHERE id = 1`
	sqlPutMeta = `INSERT OR REPLACE INTO meta(id, lease, seen_at, pid, host, sealed, sum) VALUES(1, ?, ?, ?, ?, ?, ?)`
)

func (m meta) sum() uint32 {
	return crc32.Checksum(fmt.Appendf(nil, "%d %d %d %q %d", m.lease, m.seenAt, m.pid, m.host, m.sealed), castagnoli)
}

// values are the arguments of sqlPutMeta.
func (m meta) values() []any {
	return []any{m.lease, m.seenAt, m.pid, m.host, int64(m.sealed), int64(m.sum())}
}

func readMeta(path string, r *sql.Row) (meta, error) {
	var m meta
	var sealed, sum int64
	err := r.Scan(&m.lease, &m.seenAt, &m.pid, &m.host, &sealed, &sum)
	if errors.Is(err, sql.ErrNoRows) {
		return meta{}, damaged(path, "the lease is missing")
	}
	if err != nil {
		return meta{}, explain(path, err)
	}
	m.sealed = uint64(sealed)
	if int64(m.sum()) != sum {
		return meta{}, damaged(path, "the lease is not what was written")
	}
	return m, nil
}
