package host

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// silent is a socket that takes calls and answers none, like that of a runner
// that was stopped.
func silent(t *testing.T) string {
	t.Helper()
	path := filepath.Join(shortDir(t), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return path
}

// soon is a call's time that is over soon.
func soon(t *testing.T) context.Context {
	ctx, cancel := bounded(t.Context(), 20*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// TestCallsOfASilentRunnerEnd with an error that says so.
func TestCallsOfASilentRunnerEnd(t *testing.T) {
	f := newRun(t, newHome(t), team3)
	root, err := f.open()
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	socket := silent(t)
	if _, err := grant(root, roomFile{Run: f.ID(), Member: "ann", Epoch: 1, Socket: socket}); err != nil {
		t.Fatal(err)
	}
	held, err := takeLock(root, f.ID(), thisProcess(newClock(0).now(), socket))
	if err != nil {
		t.Fatal(err)
	}
	defer held.release()
	file := filepath.Join(f.Path(), epochFolder("ann", 1), roomName)
	for name, c := range map[string]struct {
		call func() error
		pid  int
	}{
		"send": {func() error {
			_, err := callRoom(soon(t), time.Hour, file, "", RoomCall{Verb: "send", To: []string{"bob"}, Body: strings.Repeat("x", maxBody)})
			return err
		}, 0},
		"members": {func() error {
			_, err := callRoom(soon(t), time.Hour, file, "", RoomCall{Verb: "members"})
			return err
		}, 0},
		"down": {func() error { return down(soon(t), f) }, os.Getpid()},
	} {
		t.Run(name, func(t *testing.T) {
			var away *UnreachableError
			if err := c.call(); !errors.As(err, &away) || away.PID != c.pid || !strings.Contains(err.Error(), "no answer within") {
				t.Errorf("err = %v", err)
			}
		})
	}
}

// TestCallBehindASilentOneEnds too: it waits for the number no longer.
func TestCallBehindASilentOneEnds(t *testing.T) {
	f := newRun(t, newHome(t), team3)
	root, err := f.open()
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if _, err := grant(root, roomFile{Run: f.ID(), Member: "ann", Epoch: 1, Socket: silent(t)}); err != nil {
		t.Fatal(err)
	}
	folder, err := root.OpenRoot(epochFolder("ann", 1))
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	n, err := openNumber(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	defer n.close()
	_, err = callRoom(soon(t), time.Hour, filepath.Join(folder.Name(), roomName), "", RoomCall{Verb: "send", To: []string{"bob"}, Body: "x"})
	var away *UnreachableError
	if !errors.As(err, &away) {
		t.Errorf("err = %v", err)
	}
}
