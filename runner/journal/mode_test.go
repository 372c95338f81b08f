package journal

import (
	"os"
	"path/filepath"
	"testing"
)

// blockSharedMemory makes path a place where SQLite cannot map the -shm file a
// write-ahead log needs, as on a file system that cannot share memory.
func blockSharedMemory(t *testing.T, path string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Join(path+"-shm", "taken"), 0o700))
}

func TestWithoutSharedMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.db")
	blockSharedMemory(t, path)
	j, err := Create(path)
	must(t, err)
	defer j.Close()
	if j.Warning() == "" {
		t.Error("no warning")
	}
	must(t, j.Append(samples(1, 5)))
	if mode := journalMode(t, j); mode != "delete" {
		t.Errorf("journal mode is %s", mode)
	}
	got, err := readAsReader(path) // beside the writer
	if err != nil || len(got) != 5 {
		t.Errorf("a reader sees %d records, %v", len(got), err)
	}
	must(t, j.Append(samples(6, 9)))
	must(t, j.Close())
	again := open(t, path)
	wantContent(t, again, samples(1, 9))
	must(t, again.Seal())
}

// A run that moved to such a file system with its log goes on there.
func TestLogMovedWhereItCannotWork(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.db")
	crashed(t, 20).write(t, path)
	blockSharedMemory(t, path)
	got, err := readAsReader(path)
	if err != nil || len(got) != 20 {
		t.Fatalf("a reader sees %d records, %v", len(got), err)
	}
	j := open(t, path)
	if j.Warning() == "" {
		t.Error("no warning")
	}
	wantContent(t, j, samples(1, 20))
	must(t, j.Append(samples(21, 21)))
	if mode := journalMode(t, j); mode != "delete" {
		t.Errorf("journal mode is %s", mode)
	}
}

func TestLogIsUsedWherePossible(t *testing.T) {
	j := create(t, 1)
	if mode := journalMode(t, j); mode != "wal" || j.Warning() != "" {
		t.Errorf("journal mode is %s, warning %q", mode, j.Warning())
	}
	var full int
	must(t, j.conn.QueryRowContext(ctx, `PRAGMA synchronous`).Scan(&full))
	if full != 2 {
		t.Errorf("synchronous is %d, want 2 (FULL)", full)
	}
}

func journalMode(t *testing.T, j *Journal) (mode string) {
	t.Helper()
	must(t, j.conn.QueryRowContext(ctx, `PRAGMA journal_mode`).Scan(&mode))
	return mode
}
