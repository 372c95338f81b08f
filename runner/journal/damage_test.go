package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/teamrun/teamrun/runner"
)

// disk is the files of a journal, by suffix.
type disk map[string][]byte

func readDisk(t testing.TB, path string) disk {
	t.Helper()
	d := disk{}
	for _, suffix := range []string{"", "-wal", "-head"} {
		b, err := os.ReadFile(path + suffix)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		must(t, err)
		d[suffix] = b
	}
	return d
}

func (d disk) write(t testing.TB, path string) {
	t.Helper()
	remove(path)
	for suffix, b := range d {
		must(t, os.WriteFile(path+suffix, b, 0o600))
	}
}

func (d disk) clone() disk {
	c := disk{}
	for suffix, b := range d {
		c[suffix] = bytes.Clone(b)
	}
	return c
}

// crashed is the disk of a journal of n records whose runner was killed: some
// records are in the file, the others in its log.
func crashed(t testing.TB, n uint64) disk {
	t.Helper()
	j := create(t, n/2)
	must(t, j.Close())
	j = open(t, j.Path())
	for seq := n/2 + 1; seq <= n; seq++ {
		must(t, j.Append(samples(seq, seq)))
	}
	folder := t.TempDir()
	for _, suffix := range []string{"", "-wal", "-head"} {
		must(t, copyFile(filepath.Join(folder, "run.db"+suffix), j.Path()+suffix))
	}
	return readDisk(t, filepath.Join(folder, "run.db"))
}

// ended is the disk of a sealed journal of n records.
func ended(t testing.TB, n uint64) disk {
	t.Helper()
	j := create(t, n)
	must(t, j.Seal())
	must(t, j.Close())
	return readDisk(t, j.Path())
}

// readAll reads a journal as a writer and as a reader would. Both must tell the
// same; what one of them refuses must be refused in the right form.
func readAll(t testing.TB, path string) ([]Entry, error) {
	t.Helper()
	byReader, readerErr := readAsReader(path)
	j, err := Open(path)
	if err != nil {
		wantStateError(t, err)
		return nil, err
	}
	defer j.Close()
	got, err := content(j)
	if err != nil {
		wantStateError(t, err)
		return nil, err
	}
	if readerErr != nil {
		t.Fatalf("the writer accepts what the reader refuses: %v", readerErr)
	}
	if !reflect.DeepEqual(got, byReader) {
		t.Fatalf("writer sees %d entries, reader %d", len(got), len(byReader))
	}
	return got, nil
}

func readAsReader(path string) ([]Entry, error) {
	r, err := OpenReader(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var all []Entry
	for seq := uint64(0); ; {
		page, err := r.Since(seq, 50)
		if err != nil || len(page) == 0 {
			return all, err
		}
		all = append(all, page...)
		seq += uint64(len(page))
	}
}

// F01: a flipped bit, a cut, zeroes or lost bytes anywhere in any file of a
// journal are noticed, or harm nothing: never a silently different run. What is
// refused keeps every byte.
func TestF01_DamageIsNeverSilent(t *testing.T) {
	const records, tries = 120, 150
	want := samples(1, records)
	for name, good := range map[string]disk{"closed": nil, "crashed": crashed(t, records), "ended": ended(t, records)} {
		if good == nil {
			good = readDisk(t, closed(t, records))
		}
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			path := filepath.Join(t.TempDir(), "run.db")
			refused := 0
			for i := range tries {
				bad := good.clone()
				what := bad.harm(random, i)
				bad.write(t, path)
				if got, err := readAsReader(path); err == nil && !reflect.DeepEqual(got, want) {
					t.Fatalf("%s: a reader sees %d of %d records, without an error", what, len(got), records)
				}
				bad.write(t, path)
				got, err := readAll(t, path)
				if err == nil {
					if !reflect.DeepEqual(got, want) {
						t.Fatalf("%s: %d of %d records are read, without an error", what, len(got), records)
					}
					continue
				}
				refused++
				if now := readDisk(t, path); !reflect.DeepEqual(now, bad) && !logMade(now, bad) {
					t.Fatalf("%s: a refused journal was changed", what)
				}
			}
			if refused < tries/4 {
				t.Errorf("only %d of %d damages were noticed", refused, tries)
			}
		})
	}
}

// logMade allows for the empty log SQLite makes beside a file it only reads.
func logMade(now, bad disk) bool {
	if _, had := bad["-wal"]; had || len(now["-wal"]) > 0 {
		return false
	}
	now = now.clone()
	delete(now, "-wal")
	return reflect.DeepEqual(now, bad)
}

// harm damages one of the files and says how. Each region of each file gets
// its turn: the n-th call starts at another part of it.
func (d disk) harm(random *rand.Rand, n int) string {
	suffix := ""
	if wal := len(d["-wal"]); wal > 0 && n%2 == 1 {
		suffix = "-wal"
	}
	b := d[suffix]
	const regions = 64
	at := min((n*len(b)/regions)%len(b)+random.IntN(len(b)/regions+1), len(b)-1)
	if n%5 == 0 { // headers are small and matter most
		at = random.IntN(min(160, len(b)))
	}
	switch random.IntN(8) {
	case 0:
		d[suffix] = b[:at]
		return fmt.Sprintf("run.db%s cut at %d of %d", suffix, at, len(b))
	case 1:
		end := min(at+4096, len(b))
		clear(b[at:end])
		return fmt.Sprintf("run.db%s zeroed from %d to %d", suffix, at, end)
	case 2:
		b[at] = byte(random.Uint32())
		return fmt.Sprintf("run.db%s byte %d replaced", suffix, at)
	}
	b[at] ^= 1 << random.IntN(8)
	return fmt.Sprintf("run.db%s bit of byte %d flipped", suffix, at)
}

// F01: the shapes people report. The message names file, problem and remedy.
func TestF01_BrokenFilesAreNamed(t *testing.T) {
	const records = 40
	whole, live := ended(t, records), crashed(t, records)
	for name, c := range map[string]struct {
		break_ func() disk
		want   string
	}{
		"empty":        {func() disk { return disk{"": {}} }, "the file is empty"},
		"nuls":         {func() disk { return disk{"": make([]byte, len(whole[""]))} }, "not a journal"},
		"text":         {func() disk { return disk{"": bytes.Repeat([]byte("hello, world\n"), 999)} }, "not a journal"},
		"half":         {func() disk { return disk{"": whole[""][:len(whole[""])/2]} }, "damaged"},
		"one byte":     {func() disk { return disk{"": {'S'}} }, ""},
		"lost log":     {func() disk { d := live.clone(); delete(d, "-wal"); return d }, "record 40 is missing"},
		"empty log":    {func() disk { d := live.clone(); d["-wal"] = []byte{}; return d }, "record 40 is missing"},
		"cut log":      {func() disk { d := live.clone(); d["-wal"] = d["-wal"][:len(d["-wal"])-1]; return d }, "record 40 is missing"},
		"flip in log":  {func() disk { d := live.clone(); d["-wal"][len(d["-wal"])-9] ^= 4; return d }, "record 40 is missing"},
		"payload flip": {func() disk { d := whole.clone(); flipIn(t, d[""], "second half of the diff, line 24"); return d }, "record 24 is not what was written"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "run.db")
			bad := c.break_()
			bad.write(t, path)
			_, err := Open(path)
			e := wantStateError(t, err)
			if !strings.HasPrefix(err.Error(), path) || !strings.Contains(e.Problem, c.want) {
				t.Errorf("error is %q, want %q in it", err, c.want)
			}
			if now := readDisk(t, path); !reflect.DeepEqual(now, bad) && !logMade(now, bad) {
				t.Error("the file was changed")
			}
		})
	}
}

// Cells that vanish from the end of a page leave a valid, shorter database.
func TestF01_LostLastRecordIsNoticed(t *testing.T) {
	for name, seal := range map[string]bool{"ended": true, "closed": false} {
		t.Run(name, func(t *testing.T) {
			j := create(t, 20)
			if seal {
				must(t, j.Seal())
			}
			must(t, j.Close())
			execute(t, j.Path(), `DELETE FROM records WHERE seq = 20`)
			for _, err := range []error{second(Open(j.Path())), second(OpenReader(j.Path()))} {
				if e := wantStateError(t, err); !strings.Contains(e.Problem, "record 20 is missing") {
					t.Errorf("problem is %q", e.Problem)
				}
			}
		})
	}
}

// What somebody changed with a SQLite shell is noticed like any other damage.
func TestF01_EditedRecords(t *testing.T) {
	for edit, want := range map[string]string{
		`UPDATE records SET body = replace(body, 'security', 'Security') WHERE seq = 8`:                       "record 8 is not what was written",
		`UPDATE records SET at = at + 1 WHERE seq = 8`:                                                        "record 8 is not what was written",
		`UPDATE records SET kind = 'timer_firef' WHERE seq = 3`:                                               "record 3 is not what was written",
		`UPDATE records SET body = body || substr(effects, 1, 1), effects = substr(effects, 2) WHERE seq = 5`: "record 5 is not what was written",
		`UPDATE records SET effects = '' WHERE seq = 5`:                                                       "record 5 is not what was written",
		`UPDATE records SET sum = sum + 1 WHERE seq = 8`:                                                      "record 8 is not what was written",
		`UPDATE records SET sum = -1 WHERE seq = 8`:                                                           "record 8 is not what was written",
		`DELETE FROM records WHERE seq = 8`:                                                                   "record 8 is missing",
		`DELETE FROM records WHERE seq = 1`:                                                                   "record 1 is missing",
		`UPDATE records SET seq = 0 WHERE seq = 1`:                                                            "record 0 is not what was written",
		`UPDATE records SET seq = seq + 100 WHERE seq = 8`:                                                    "record 8 is missing",
		`UPDATE records SET seq = -seq WHERE seq IN (8, 9)`:                                                   "record -9 is not what was written",
		`UPDATE records SET body = (SELECT body FROM records WHERE seq = 12) WHERE seq = 8`:                   "record 8 is not what was written",
		`UPDATE meta SET lease = 7`:                                                                           "the lease is not what was written",
		`UPDATE meta SET sealed = 5`:                                                                          "the lease is not what was written",
		`DELETE FROM meta`:                                                                                    "the lease is missing",
		`PRAGMA user_version = 2`:                                                                             "format 2, this version of teamrun reads format 1",
		`DROP TABLE meta`:                                                                                     "not a journal",
		`CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM records; END`:                             "not a journal",
		`ALTER TABLE records RENAME TO r; CREATE VIEW records AS SELECT * FROM r`:                             "not a journal",
		`INSERT INTO records SELECT 21, at, 'gone_kind', body, effects, sum FROM records WHERE seq = 20`:      "record 21 is not what was written",
		`UPDATE records SET body = body || x'00', kind = kind WHERE seq = 6`:                                  "record 6 is not what was written",
		`UPDATE records SET kind = 'mail_sen', body = 't' || body WHERE seq = 4`:                              "record 4 is not what was written",
		`UPDATE records SET seq = 1000 WHERE seq = 19; UPDATE records SET seq = 19 WHERE seq = 18`:            "record 18 is missing",
	} {
		t.Run(edit, func(t *testing.T) {
			path := closed(t, 20)
			execute(t, path, edit)
			_, err := readAll(t, path)
			if e := wantStateError(t, err); !strings.Contains(e.Problem, want) {
				t.Errorf("problem is %q, want %q in it", e.Problem, want)
			}
		})
	}
}

// A record of another run is not taken for this one's, whole as it is.
func TestF01_MixedRuns(t *testing.T) {
	mine, foreign := closed(t, 20), filepath.Join(t.TempDir(), "run.db")
	j, err := Create(foreign)
	must(t, err)
	must(t, j.Append(append([]Entry{sample(1)}, replies(2, 20)...)))
	must(t, j.Close())

	mixed := filepath.Join(t.TempDir(), "run.db")
	readDisk(t, mine).write(t, mixed)
	execute(t, mixed, `ATTACH '`+foreign+`' AS f; UPDATE records SET (at, kind, body, effects, sum) = (SELECT at, kind, body, effects, sum FROM f.records WHERE seq = 8) WHERE seq = 8`)
	if e := wantStateError(t, second(Open(mixed))); !strings.Contains(e.Problem, "record 8 is not") {
		t.Errorf("problem is %q", e.Problem)
	}

	d := readDisk(t, foreign)
	d["-head"] = readDisk(t, mine)["-head"]
	d.write(t, mixed)
	for _, err := range []error{second(Open(mixed)), second(OpenReader(mixed))} {
		if e := wantStateError(t, err); !strings.Contains(e.Problem, "record 20 is not the one that was acknowledged") {
			t.Errorf("problem is %q", e.Problem)
		}
	}
}

// replies are samples as a run would have them that went another way.
func replies(from, to uint64) []Entry {
	list := samples(from, to)
	for i := range list {
		list[i].Record.Event = runner.TimerFired{Effect: fmt.Sprintf("%d.9", from)}
	}
	return list
}

// A reader that goes on behind a record notices that it went away.
func TestF01_ReaderNoticesAMissingAnchor(t *testing.T) {
	path := closed(t, 20)
	execute(t, path, `DELETE FROM records WHERE seq = 8`)
	r, err := OpenReader(path)
	must(t, err)
	defer r.Close()
	_, err = r.Since(8, 5)
	if e := wantStateError(t, err); !strings.Contains(e.Problem, "record 8 is missing") {
		t.Errorf("problem is %q", e.Problem)
	}
	got, err := r.Since(9, 5)
	if err != nil || !reflect.DeepEqual(got, samples(10, 14)) {
		t.Errorf("behind the gap: %d entries, %v", len(got), err)
	}
}

// A record of a kind this version does not know is refused, with its seq.
func TestUnknownKind(t *testing.T) {
	path := closed(t, 3)
	r := row{seq: 4, at: start, kind: "thought", body: []byte(`{}`)}
	j := open(t, path)
	must(t, j.write(func(meta) error {
		end, err := readEnd(path, j.stmt.end.QueryRowContext(ctx))
		if err == nil {
			_, err = j.insert(end, &r)
		}
		return err
	}))
	_, err := content(j)
	e := wantStateError(t, err)
	if !strings.Contains(e.Problem, "record 4") || !strings.Contains(e.Problem, "thought") || !strings.Contains(e.Remedy, "version") {
		t.Errorf("error is %v", err)
	}
}

func TestStampsRoundTrip(t *testing.T) {
	for _, bad := range []string{" ", "1.1", "1.1:", ":00000000", "1.1:0", "1.1:000000000", "1.1:zzzzzzzz", "1.1:00000000 "} {
		if got, err := decodeStamps([]byte(bad)); err == nil {
			t.Errorf("%q is read as %v", bad, got)
		}
	}
}

// flipIn flips a bit wherever text is found: pages keep copies of moved rows.
func flipIn(t testing.TB, b []byte, text string) {
	t.Helper()
	found := false
	for at := bytes.Index(b, []byte(text)); at >= 0; at = bytes.Index(b, []byte(text)) {
		b[at] ^= 1
		found = true
	}
	if !found {
		t.Fatalf("%q is not in the file", text)
	}
}

// execute runs SQL on a journal, as somebody with a SQLite shell would.
func execute(t testing.TB, path, sql string) {
	t.Helper()
	db, err := connect(path, "rw")
	must(t, err)
	_, err = db.ExecContext(ctx, sql)
	must(t, errors.Join(err, db.Close()))
}
