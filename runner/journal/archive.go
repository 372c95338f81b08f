package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// line is a record in journal.ndjson. Its fields and their order are part of
// the format.
type line struct {
	Seq     uint64          `json:"seq"`
	At      int64           `json:"at"` // Unix ms
	Kind    string          `json:"kind"`
	Event   json.RawMessage `json:"event"`
	Effects []lineEffect    `json:"effects"`
}

type lineEffect struct {
	ID     string `json:"id"`
	Digest string `json:"digest"` // 8 hexadecimal digits
}

func writeLine(w io.Writer, r *row, stamps []Stamp) error {
	l := line{Seq: r.seq, At: r.at, Kind: r.kind, Event: r.body, Effects: make([]lineEffect, len(stamps))}
	for i, s := range stamps {
		l.Effects[i] = lineEffect{s.ID, fmt.Sprintf("%08x", s.Digest)}
	}
	return json.NewEncoder(w).Encode(l)
}

// Line is the entry as one line of JSON with its line end:
//
//	{"seq":7,"at":1764000000000,"kind":"timer_fired","event":{"effect":"5.1"},"effects":[{"id":"7.1","digest":"0a1b2c3d"}]}
//
// At is Unix time in milliseconds; event has the fields of the kind; effects
// holds what the record caused, or nothing. The same entry gives the same bytes.
func Line(e Entry) ([]byte, error) {
	r, err := e.encode()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := writeLine(&b, &r, e.Effects); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Archive writes the whole journal, one Line per record.
func (j *Journal) Archive(ndjson io.Writer) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return scan(j.path, j.conn, 0, -1, func(r *row) error {
		stamps, err := decodeStamps(r.effects)
		if err != nil {
			return damaged(j.path, "record %d: %v", r.seq, err)
		}
		return writeLine(ndjson, r, stamps)
	})
}
