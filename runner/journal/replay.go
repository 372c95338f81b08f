package journal

import (
	"fmt"

	"github.com/teamrun/teamrun/runner"
)

// Replay hands every entry to fn, in order, until fn returns an error, which
// it returns. A record that is not what was written is a *StateError that
// names its seq. Fn may call the other methods of j.
func (j *Journal) Replay(fn func(Entry) error) error {
	for seq := uint64(0); ; {
		list, err := j.page(seq)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return nil
		}
		for _, e := range list {
			if err := fn(e); err != nil {
				return err
			}
		}
		seq += uint64(len(list))
	}
}

func (j *Journal) page(seq uint64) ([]Entry, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return entries(j.path, j.conn, seq, pageSize)
}

// Event is the event of record seq, as for the body of a message.
func (j *Journal) Event(seq uint64) (runner.Event, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	list, err := entries(j.path, j.conn, seq-min(seq, 1), 1)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 || list[0].Record.Seq != seq {
		return nil, &StateError{Path: j.path, Problem: fmt.Sprintf("there is no record %d", seq), Remedy: remedyReport}
	}
	return list[0].Record.Event, nil
}
