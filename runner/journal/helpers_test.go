package journal

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/teamrun/teamrun/runner"
)

const start = int64(1764000000000)

// sample is entry seq of a plausible run.
func sample(seq uint64) Entry {
	e := Entry{Record: runner.Record{Seq: seq, At: start + int64(seq)}}
	id := fmt.Sprintf("%d.1", seq)
	switch seq % 4 {
	case 0:
		body := fmt.Sprintf("please look at the second half of the diff, line %d", seq)
		e.Record.Event = runner.MailSent{Call: seq, From: "security", Epoch: 1, To: []string{"lead"}, Body: body, Size: len(body)}
		e.Effects = []Stamp{{id, 0xdeadbeef}}
	case 1:
		e.Record.Event = runner.TurnEnded{Effect: id, Stop: runner.StopEndTurn, Seen: runner.SeenYes}
		e.Effects = []Stamp{{id, uint32(seq)}, {fmt.Sprintf("%d.2", seq), 0}}
	case 2:
		e.Record.Event = runner.Reported{Member: "tests", Epoch: 2, Body: map[string]any{"count": int(seq), "ok": true}}
	case 3:
		e.Record.Event = runner.TimerFired{Effect: id}
	}
	return e
}

// samples are the entries from seq from up to and with to.
func samples(from, to uint64) []Entry {
	var list []Entry
	for seq := from; seq <= to; seq++ {
		list = append(list, sample(seq))
	}
	return list
}

// create makes a journal of records 1 to n in a folder of its own.
func create(t testing.TB, n uint64) *Journal {
	t.Helper()
	j, err := Create(filepath.Join(t.TempDir(), "run.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	if err := j.Append(samples(1, n)); err != nil {
		t.Fatal(err)
	}
	return j
}

// closed makes a journal of records 1 to n and returns its path.
func closed(t testing.TB, n uint64) string {
	t.Helper()
	j := create(t, n)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return j.Path()
}

// open opens a journal and takes a lease.
func open(t testing.TB, path string) *Journal {
	t.Helper()
	j, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	if _, err := j.Lease(start, 1, "here"); err != nil {
		t.Fatal(err)
	}
	return j
}

// content is everything a replay hands out.
func content(j *Journal) ([]Entry, error) {
	var list []Entry
	err := j.Replay(func(e Entry) error {
		list = append(list, e)
		return nil
	})
	return list, err
}

// wantContent checks that a replay gives exactly want.
func wantContent(t testing.TB, j *Journal, want []Entry) {
	t.Helper()
	got, err := content(j)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("replay gives %d entries, want %d\ngot  %.300v\nwant %.300v", len(got), len(want), got, want)
	}
}

// wantStateError checks that err is a *StateError and complete.
func wantStateError(t testing.TB, err error) *StateError {
	t.Helper()
	var e *StateError
	if !errors.As(err, &e) {
		t.Fatalf("error is %v (%T), want a *StateError", err, err)
	}
	if e.Path == "" || e.Problem == "" || e.Remedy == "" {
		t.Fatalf("state error lacks path, problem or remedy: %#v", e)
	}
	return e
}
