package host

import (
	"bufio"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
)

// TestH4_IdleConnectionsKeepNobodyOut: however many connections say nothing, a
// call is answered; the oldest of them had to go.
func TestH4_IdleConnectionsKeepNobodyOut(t *testing.T) {
	l := startLive(t)
	h, _ := holderOf(t, l.folder)
	idle := dialMany(t, h.Socket, 3*maxLines)
	if _, err := callRoom(t.Context(), 0, l.prompt.RoomFile, "", RoomCall{Verb: "members"}); err != nil {
		t.Error(err)
	}
	oldest := idle[0]
	oldest.SetReadDeadline(time.Now().Add(idleCaller / 2)) //nolint:errcheck // the read shows it
	if _, err := oldest.Read(make([]byte, 1)); err == nil || strings.Contains(err.Error(), "timeout") {
		t.Errorf("the oldest is still open: %v", err)
	}
}

// TestCallBeingAnsweredKeepsItsLine, however many others come.
func TestCallBeingAnsweredKeepsItsLine(t *testing.T) {
	path := filepath.Join(shortDir(t), "s")
	taken, release := make(chan struct{}), make(chan struct{})
	l, err := listen(path, hclog.NewNullLogger(), &room{}, func(s submission) bool {
		close(taken)
		<-release
		s.answer(0, nil)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	caller := dialMany(t, path, 1)[0]
	if _, err := caller.Write([]byte(`{"verb":"ping"}` + "\n")); err != nil {
		t.Fatal(err)
	}
	<-taken
	idle := dialMany(t, path, 2*maxLines)
	if _, err := idle[0].Read(make([]byte, 1)); err == nil { // it had to go, so all others are in
		t.Error("an idle connection was spoken to")
	}
	close(release)
	if answer, err := bufio.NewReader(caller).ReadString('\n'); err != nil || !strings.Contains(answer, `"ok":true`) {
		t.Errorf("answered %q, %v", answer, err)
	}
}

// dialMany opens connections and says nothing on them.
func dialMany(t *testing.T, path string, n int) []net.Conn {
	t.Helper()
	var all []net.Conn
	for range n {
		conn, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		all = append(all, conn)
	}
	return all
}
