package host

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/teamrun/teamrun/runner/journal"
)

// watched is a journal that tells of its appends and may refuse some.
type watched struct {
	durable
	before func(n int, entries []journal.Entry) error // of the n-th append, from 1
	after  func(n int, entries []journal.Entry)       // when it is durable
	n      int
}

func (w *watched) Append(entries []journal.Entry) error {
	w.n++
	if w.before != nil {
		if err := w.before(w.n, entries); err != nil {
			return err
		}
	}
	err := w.durable.Append(entries)
	if err == nil && w.after != nil {
		w.after(w.n, entries)
	}
	return err
}

// watching opens the journal behind w.
func watching(w *watched) opener {
	return func(path string) (durable, error) {
		j, err := openJournal(path)
		w.durable = j
		return w, err
	}
}

var errDisk = errors.New("no space left on device")

// crash is a run as a killed runner left it: its folder, and the world.
type crash struct {
	folder Folder
	world  *world
	acked  []string // mail that was answered as durable
}

// copyFolder copies a run's folder as it is at this moment.
func copyFolder(t *testing.T, f Folder) Folder {
	t.Helper()
	home := filepath.Join(t.TempDir(), f.ID())
	if err := os.CopyFS(home, os.DirFS(f.Path())); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(home, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return errors.Join(err, os.Chmod(path, 0o700))
		}
		return os.Chmod(path, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	g := findFolder(home)
	if err := g.Broken(); err != nil {
		t.Fatal(err)
	}
	return g
}

// list is a list that several goroutines add to.
type list struct {
	mu  sync.Mutex
	all []string
}

func (l *list) add(s string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, s)
}

func (l *list) copy() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.all...)
}
