package journal

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/teamrun/teamrun/runner"
)

// Entry is a record and what it caused.
type Entry struct {
	Record  runner.Record
	Effects []Stamp
}

// Stamp identifies an effect a record caused and what it asked for
// (runner.EffectDigest): a replay must cause the same.
type Stamp struct {
	ID     string
	Digest uint32
}

// encode is the entry as a row without a checksum.
func (e Entry) encode() (row, error) {
	body, err := runner.EncodeEvent(e.Record.Event)
	if err != nil {
		return row{}, err
	}
	return row{
		seq:     e.Record.Seq,
		at:      e.Record.At,
		kind:    e.Record.Event.EventKind(),
		body:    body,
		effects: encodeStamps(e.Effects),
	}, nil
}

// decode is the entry of a row.
func (r *row) decode(path string) (Entry, error) {
	event, err := runner.DecodeEvent(r.kind, r.body)
	if err != nil {
		return Entry{}, &StateError{
			Path:    path,
			Problem: fmt.Sprintf("record %d: %v", r.seq, err),
			Remedy:  "resume the run with the version of teamrun that started it",
			Err:     err,
		}
	}
	stamps, err := decodeStamps(r.effects)
	if err != nil {
		return Entry{}, damaged(path, "record %d: %v", r.seq, err)
	}
	return Entry{Record: runner.Record{Seq: r.seq, At: r.at, Event: event}, Effects: stamps}, nil
}

// encodeStamps writes stamps as "1.1:0a1b2c3d 1.2:…": short, and readable in
// any SQLite shell.
func encodeStamps(stamps []Stamp) []byte {
	var b []byte
	for i, s := range stamps {
		if i > 0 {
			b = append(b, ' ')
		}
		b = fmt.Appendf(b, "%s:%08x", s.ID, s.Digest)
	}
	return b
}

func decodeStamps(b []byte) ([]Stamp, error) {
	if len(b) == 0 {
		return nil, nil
	}
	words := strings.Split(string(b), " ")
	stamps := make([]Stamp, len(words))
	for i, word := range words {
		id, digest, _ := strings.Cut(word, ":")
		n, err := strconv.ParseUint(digest, 16, 32)
		if err != nil || id == "" || len(digest) != 8 {
			return nil, fmt.Errorf("%q is not an effect and its digest", word)
		}
		stamps[i] = Stamp{ID: id, Digest: uint32(n)}
	}
	return stamps, nil
}
