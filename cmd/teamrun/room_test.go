package main

import (
	"io"
	"strings"
	"testing"
)

// unread is an input that nobody may read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the input was read")
	return 0, io.EOF
}

// Outside a room that is said before anybody has to type what will go nowhere.
func TestOutsideARoomNothingIsRead(t *testing.T) {
	for _, args := range [][]string{{"room", "report"}, {"room", "report", "-"}, {"room", "send", "--to", "lead"}} {
		a, _, errs := testApp(nil)
		a.in = unread{t}
		if got := run(args, a); got != 2 || !strings.Contains(errs.String(), "[not-in-a-room]") {
			t.Errorf("%v: exit %d, said %q", args, got, errs)
		}
	}
}
