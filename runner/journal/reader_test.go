package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"sync"
	"syscall"
	"testing"
)

func TestSincePages(t *testing.T) {
	j := create(t, 25)
	r, err := OpenReader(j.Path())
	must(t, err)
	defer r.Close()
	for _, c := range []struct {
		seq      uint64
		limit    int
		from, to uint64
	}{
		{0, 10, 1, 10}, {10, 10, 11, 20}, {20, 10, 21, 25}, {24, 1, 25, 25},
		{0, 25, 1, 25}, {0, 5000, 1, 25},
		{25, 10, 26, 25}, {99, 10, 26, 25}, {1 << 63, 10, 26, 25}, {3, 0, 26, 25}, {3, -1, 26, 25},
	} {
		got, err := r.Since(c.seq, c.limit)
		if err != nil || !reflect.DeepEqual(got, samples(c.from, c.to)) {
			t.Errorf("Since(%d, %d) gives %d entries, %v; want %d to %d", c.seq, c.limit, len(got), err, c.from, c.to)
		}
	}
}

// Readers poll while the writer appends: they see every record once, in order,
// soon, and disturb nobody. At the end the journal can be sealed although they
// are still there.
func TestReadersBesideTheWriter(t *testing.T) {
	const records, readers = 600, 3
	j := create(t, 0)
	var all sync.WaitGroup
	errs := make(chan error, readers)
	for range readers {
		r, err := OpenReader(j.Path())
		must(t, err)
		defer r.Close()
		all.Go(func() { errs <- follow(r, records) })
	}
	for seq := uint64(1); seq <= records; seq += 3 {
		must(t, j.Append(samples(seq, seq+2)))
	}
	all.Wait()
	for range readers {
		must(t, <-errs)
	}
	must(t, j.Seal())
	if j.Warning() != "" {
		t.Errorf("warning: %s", j.Warning())
	}
}

// follow reads until record n.
func follow(r *Reader, n uint64) error {
	for seq := uint64(0); seq < n; {
		page, err := r.Since(seq, 40)
		if err != nil {
			return err
		}
		for _, e := range page {
			seq++
			if fmt.Sprint(e) != fmt.Sprint(sample(seq)) {
				return fmt.Errorf("entry is %v, want %v", e, sample(seq))
			}
		}
	}
	return nil
}

// A reader in the middle of a page makes Seal wait, then give up in order.
func TestSealWithABusyReader(t *testing.T) {
	j := create(t, 5)
	db, err := connect(j.Path(), "ro")
	must(t, err)
	defer db.Close()
	rows, err := db.QueryContext(ctx, `SELECT seq FROM records`)
	must(t, err)
	rows.Next()
	must(t, j.Seal())
	if j.Warning() == "" {
		t.Error("no warning")
	}
	must(t, rows.Close())
	must(t, db.Close())
	must(t, j.Close())

	again, err := Open(j.Path())
	must(t, err)
	defer again.Close()
	must(t, again.Seal()) // now it can
	if again.Warning() != "" {
		t.Errorf("warning: %s", again.Warning())
	}
	if names := beside(t, j.Path()); len(names) != 1 {
		t.Errorf("files are %v", names)
	}
	wantContent(t, again, samples(1, 5))
}

// A reader leaves files and modes as they were.
func TestReaderLeavesNoTrace(t *testing.T) {
	for name, d := range map[string]disk{"ended": ended(t, 9), "crashed": crashed(t, 9)} {
		path := filepath.Join(t.TempDir(), "run.db")
		d.write(t, path)
		got, err := readAsReader(path)
		if err != nil || len(got) != 9 {
			t.Fatalf("%s: %d entries, %v", name, len(got), err)
		}
		if now := readDisk(t, path); !reflect.DeepEqual(now, d) {
			t.Errorf("%s: the reader changed the files", name)
		}
		for _, file := range beside(t, path) {
			if info, err := os.Lstat(filepath.Join(filepath.Dir(path), file)); err != nil || info.Mode() != 0o600 {
				t.Errorf("%s: %s has mode %v", name, file, info.Mode())
			}
		}
	}
}

// On a disk that cannot be written to, everything is read, the log too.
// Immutable mode would silently drop it.
func TestReadOnlyFolder(t *testing.T) {
	if path := os.Getenv(childReader); path != "" {
		readInChild(t, path)
		return
	}
	live := crashed(t, 30)
	clean := readDisk(t, closed(t, 30))
	for name, d := range map[string]disk{"ended": ended(t, 30), "crashed": live, "closed": clean} {
		t.Run(name, func(t *testing.T) {
			folder := publicFolder(t)
			path := filepath.Join(folder, "run.db")
			d.write(t, path)
			giveAway(t, path)
			must(t, os.Chmod(folder, 0o555))
			t.Cleanup(func() { os.Chmod(folder, 0o755) })
			asNobody(t, path)
			if now := readDisk(t, path); !reflect.DeepEqual(now, d) || len(beside(t, path)) != len(d) {
				t.Error("the folder was changed")
			}
		})
	}
}

const (
	childReader = "JOURNAL_TEST_READ"
	nobody      = 65534
)

// asNobody runs this test again in a process that permissions hold for: root
// may write everywhere.
func asNobody(t *testing.T, path string) {
	t.Helper()
	exe := filepath.Join(publicFolder(t), "journal.test")
	self, err := os.Executable()
	must(t, err)
	must(t, copyFile(exe, self))
	must(t, os.Chmod(exe, 0o755))
	temp := publicFolder(t)
	must(t, os.Chmod(temp, 0o777))
	child := exec.Command(exe, "-test.run", "^TestReadOnlyFolder$")
	child.Env = append(os.Environ(), childReader+"="+path, "TMPDIR="+temp)
	child.Dir = temp
	if os.Geteuid() == 0 {
		child.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if left := beside(t, filepath.Join(temp, "x")); len(left) > 0 {
		t.Errorf("the copy was left behind: %v", left)
	}
}

func readInChild(t *testing.T, path string) {
	if err := os.WriteFile(path+".probe", nil, 0o600); !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS) {
		t.Fatalf("the folder is not read-only: %v", err)
	}
	got, err := readAsReader(path)
	must(t, err)
	if !reflect.DeepEqual(got, samples(1, 30)) {
		t.Fatalf("%d records are read, want 30", len(got))
	}
	j, err := Open(path)
	if err == nil { // an ended run needs no writing to be opened
		err = j.Append(samples(31, 31))
		j.Close()
	}
	wantStateError(t, err)
}

// publicFolder is a folder another user can reach.
func publicFolder(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "journal-test-")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(folder) })
	must(t, os.Chmod(folder, 0o755))
	return folder
}

// giveAway makes the files those of the user that asNobody is.
func giveAway(t *testing.T, path string) {
	t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	for _, name := range beside(t, path) {
		must(t, os.Chown(filepath.Join(filepath.Dir(path), name), nobody, nobody))
	}
}

// beside are the names of the files in the folder of path.
func beside(t testing.TB, path string) []string {
	t.Helper()
	d, err := os.Open(filepath.Dir(path))
	must(t, err)
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != io.EOF {
		must(t, err)
	}
	return names
}
