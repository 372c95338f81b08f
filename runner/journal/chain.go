package journal

import (
	"encoding/binary"
	"hash/crc32"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// row is a record as it is stored.
type row struct {
	seq     uint64
	at      int64
	kind    string
	body    []byte
	effects []byte
	sum     uint32
}

// sumAfter is the checksum of the row behind a row whose checksum is prev. The
// length in the middle is part of it, so that no byte can move from one column
// to the next.
func (r *row) sumAfter(prev uint32) uint32 {
	var head [24]byte
	binary.LittleEndian.PutUint32(head[0:], prev)
	binary.LittleEndian.PutUint64(head[4:], r.seq)
	binary.LittleEndian.PutUint64(head[12:], uint64(r.at))
	binary.LittleEndian.PutUint32(head[20:], uint32(len(r.body)))
	sum := crc32.Update(0, castagnoli, head[:])
	sum = crc32.Update(sum, castagnoli, []byte(r.kind))
	sum = crc32.Update(sum, castagnoli, r.body)
	return crc32.Update(sum, castagnoli, r.effects)
}

// link is the end of a chain of rows: the place the next one must fit.
type link struct {
	seq uint64
	sum uint32
}

// next checks that r follows l and returns the new end.
func (l link) next(path string, r *row) (link, error) {
	if r.seq != l.seq+1 {
		return l, damaged(path, "record %d is missing: record %d follows record %d", l.seq+1, r.seq, l.seq)
	}
	if sum := r.sumAfter(l.sum); sum != r.sum {
		return l, damaged(path, "record %d is not what was written: its checksum is %08x, its content has %08x", r.seq, r.sum, sum)
	}
	return link{r.seq, r.sum}, nil
}
