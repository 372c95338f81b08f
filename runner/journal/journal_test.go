package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/teamrun/teamrun/runner"
	"pgregory.net/rapid"
)

// What is replayed is what was appended, for any content, any batches and any
// number of restarts.
func TestReplayEqualsAppended(t *testing.T) {
	folder := t.TempDir()
	runs := 0
	rapid.Check(t, func(rt *rapid.T) {
		runs++
		path := filepath.Join(folder, fmt.Sprintf("%d.db", runs))
		j, err := Create(path)
		if err != nil {
			rt.Fatal(err)
		}
		defer func() { j.Close() }()
		var want []Entry
		for range rapid.IntRange(0, 12).Draw(rt, "batches") {
			if rapid.IntRange(0, 3).Draw(rt, "restart") == 0 {
				if err := j.Close(); err != nil {
					rt.Fatal(err)
				}
				if j, err = Open(path); err != nil {
					rt.Fatal(err)
				}
				if _, err := j.Lease(start, 1, "here"); err != nil {
					rt.Fatal(err)
				}
			}
			var batch []Entry
			for range rapid.IntRange(0, 5).Draw(rt, "size") {
				seq := uint64(len(want) + len(batch) + 1)
				batch = append(batch, anyEntry(seq).Draw(rt, "entry"))
			}
			if err := j.Append(batch); err != nil {
				rt.Fatal(err)
			}
			want = append(want, batch...)
		}
		got, err := content(j)
		if err != nil {
			rt.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			rt.Fatalf("got  %v\nwant %v", got, want)
		}
	})
}

func anyEntry(seq uint64) *rapid.Generator[Entry] {
	return rapid.Custom(func(t *rapid.T) Entry {
		body := rapid.String().Draw(t, "body")
		e := Entry{Record: runner.Record{
			Seq:   seq,
			At:    rapid.Int64().Draw(t, "at"),
			Event: runner.MailSent{From: rapid.StringMatching(`[a-z]{1,8}`).Draw(t, "from"), To: []string{"x"}, Body: body, Size: len(body)},
		}}
		for n := range rapid.IntRange(0, 3).Draw(t, "effects") {
			e.Effects = append(e.Effects, Stamp{fmt.Sprintf("%d.%d", seq, n+1), rapid.Uint32().Draw(t, "digest")})
		}
		return e
	})
}

// Pages are a matter of reading alone: none is seen in what comes out.
func TestReplayAcrossPages(t *testing.T) {
	for _, n := range []uint64{0, 1, pageSize - 1, pageSize, pageSize + 1, 2*pageSize + 7} {
		j := create(t, n)
		wantContent(t, j, samples(1, n))
	}
}

func TestReplayStopsWithTheCallersError(t *testing.T) {
	j := create(t, 10)
	stop := errors.New("enough")
	seen := 0
	err := j.Replay(func(Entry) error {
		if seen++; seen == 3 {
			return stop
		}
		return nil
	})
	if err != stop || seen != 3 {
		t.Fatalf("replay returns %v after %d entries, want %v after 3", err, seen, stop)
	}
}

// A prompt is rendered from the journal while it is replayed.
func TestEventWhileReplaying(t *testing.T) {
	j := create(t, 6)
	err := j.Replay(func(e Entry) error {
		event, err := j.Event(e.Record.Seq)
		if err == nil && !reflect.DeepEqual(event, e.Record.Event) {
			err = fmt.Errorf("event %d is %v, want %v", e.Record.Seq, event, e.Record.Event)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, seq := range []uint64{0, 7, 1 << 63} {
		if _, err := j.Event(seq); err == nil {
			t.Errorf("event %d exists", seq)
		} else if e := wantStateError(t, err); !strings.Contains(e.Problem, fmt.Sprint(seq)) {
			t.Errorf("%q does not name record %d", e.Problem, seq)
		}
	}
}

// A batch that does not go on where the journal ends is refused as a whole.
func TestAppendRefusesAGap(t *testing.T) {
	for name, batch := range map[string][]Entry{
		"ahead":    samples(5, 6),
		"again":    samples(3, 4),
		"zero":     samples(0, 0),
		"in batch": {sample(4), sample(6)},
		"twice":    {sample(4), sample(4)},
	} {
		t.Run(name, func(t *testing.T) {
			j := create(t, 3)
			wantStateError(t, j.Append(batch))
			wantContent(t, j, samples(1, 3))
			if err := j.Append(samples(4, 4)); err != nil {
				t.Fatalf("after a refused batch the right one fails: %v", err)
			}
		})
	}
}

// A new lease ends the one before, whose holder may not know it yet.
func TestNewLeaseFencesTheFormer(t *testing.T) {
	first := create(t, 3)
	second, err := Open(first.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	for _, err := range []error{second.Append(samples(4, 4)), second.Beat(1)} {
		if err == nil || !strings.Contains(err.Error(), "a lease must be taken") {
			t.Fatalf("without a lease: %v", err)
		}
	}
	l, err := second.Lease(start+5, 42, "elsewhere")
	if err != nil || l != (Lease{Number: 1}) {
		t.Fatalf("lease is %+v, %v; want number 1 and no former", l, err)
	}
	for name, call := range map[string]func() error{
		"append": func() error { return first.Append(samples(4, 4)) },
		"beat":   func() error { return first.Beat(start + 9) },
		"seal":   first.Seal,
	} {
		var fenced *LeaseError
		if err := call(); !errors.As(err, &fenced) || fenced.PID != 42 || fenced.Host != "elsewhere" || fenced.Holder != 1 || fenced.Ours != 0 {
			t.Errorf("%s of the former holder: %v", name, err)
		}
	}
	if err := second.Append(samples(4, 4)); err != nil {
		t.Fatal(err)
	}
	wantContent(t, first, samples(1, 4))
}

func TestLeaseTellsWhenTheFormerWasSeen(t *testing.T) {
	path := closed(t, 1)
	a := open(t, path)
	if err := a.Beat(start + 700); err != nil {
		t.Fatal(err)
	}
	b, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	l, err := b.Lease(start+900, 2, "here")
	if want := (Lease{Number: 2, FormerSeen: start + 700}); err != nil || l != want {
		t.Fatalf("lease is %+v, %v; want %+v", l, err, want)
	}
	if err := b.Append(samples(2, 2)); err != nil {
		t.Fatal(err)
	}
	l, err = b.Lease(start+950, 2, "here")
	if want := (Lease{Number: 3, FormerSeen: start + 900}); err != nil || l != want {
		t.Fatalf("lease is %+v, %v; want %+v", l, err, want)
	}
}

// A holder that ended before it wrote anything was never there: the time since
// the one before it is time without a holder.
func TestLeaseWithoutARecordWasNotSeen(t *testing.T) {
	path := closed(t, 1)
	a := open(t, path)
	if err := a.Beat(start + 700); err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		b, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		l, err := b.Lease(start+900+int64(n), 2, "here")
		if want := (Lease{Number: n + 2, FormerSeen: start + 700}); err != nil || l != want {
			t.Fatalf("lease is %+v, %v; want %+v", l, err, want)
		}
	}
}

func TestCreateNeverReplaces(t *testing.T) {
	path := closed(t, 3)
	_, err := Create(path)
	wantStateError(t, err)
	if !errors.Is(err, fs.ErrExist) {
		t.Errorf("error is %v, want fs.ErrExist in it", err)
	}
	wantContent(t, open(t, path), samples(1, 3))
}

// What another journal left would be taken for this one's.
func TestCreateRefusesLeftovers(t *testing.T) {
	for _, suffix := range []string{"-wal", "-head", "-journal"} {
		path := filepath.Join(t.TempDir(), "run.db")
		if err := os.WriteFile(path+suffix, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Create(path)
		wantStateError(t, err)
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: a journal was made", suffix)
		}
	}
}

func TestOpenWithoutFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.db")
	for name, err := range map[string]error{"writer": second(Open(path)), "reader": second(OpenReader(path))} {
		wantStateError(t, err)
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: error is %v, want fs.ErrNotExist in it", name, err)
		}
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("a journal was made")
	}
}

func second[T any](_ T, err error) error { return err }

// Names that mean something to SQLite's or anybody's URLs are just names.
func TestPathsAreNotParsed(t *testing.T) {
	for _, name := range []string{"a b.db", "50%.db", "x?mode=memory", "y#z.db", "ü&_pragma=x.db", "%41.db", `back\slash.db`} {
		path := filepath.Join(t.TempDir(), name)
		j, err := Create(path)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := errors.Join(j.Append(samples(1, 2)), j.Close()); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("%s: the file is elsewhere: %v", name, err)
		}
		wantContent(t, open(t, path), samples(1, 2))
	}
}

// A journal that was closed is one file, and its head.
func TestCloseLeavesNoLog(t *testing.T) {
	path := closed(t, 5)
	for _, suffix := range []string{"-wal", "-shm"} {
		if _, err := os.Lstat(path + suffix); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left: %v", suffix, err)
		}
	}
}

func TestUseAfterClose(t *testing.T) {
	j := create(t, 2)
	if err := errors.Join(j.Close(), j.Close()); err != nil {
		t.Fatal(err)
	}
	wantStateError(t, j.Append(samples(3, 3)))
	wantStateError(t, j.Beat(1))
	_, err := content(j)
	wantStateError(t, err)
}

// F6: on a full disk nothing is acknowledged, nothing is half there, and the
// run goes on when there is space again.
func TestF6_DiskFull(t *testing.T) {
	j := create(t, 3)
	limit := func(pages int) {
		_, err := j.conn.ExecContext(ctx, fmt.Sprintf("PRAGMA max_page_count=%d", pages))
		must(t, err)
	}
	limit(1) // SQLite takes the size the file has
	if e := wantStateError(t, j.Append(samples(4, 400))); !strings.Contains(e.Problem, "full") || !strings.Contains(e.Remedy, "space") {
		t.Errorf("error is %v", e)
	}
	wantContent(t, j, samples(1, 3))
	limit(1 << 20)
	must(t, j.Append(samples(4, 400)))
	wantContent(t, j, samples(1, 400))
}
