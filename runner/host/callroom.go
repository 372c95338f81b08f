package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"github.com/teamrun/teamrun/runner"
)

// RoomCall is what a member's process asks of its room.
type RoomCall struct {
	Verb   string          // send, report, members or task_list
	To     []string        // of send: members, or *
	Body   string          // of send
	Report json.RawMessage // of report
}

// seqName is the file beside room.json with the number of the member's last call.
const seqName = "room.seq"

// CallRoom makes a call for the member whose room file is file; turn is the
// turn the calling process belongs to, "" when it knows none. The error is a
// *runner.Refusal, or an *UnreachableError when no runner answers.
//
// The calls of a member are numbered and made one after the other, also by
// several processes, so that one that is tried again counts once.
func CallRoom(ctx context.Context, file, turn string, call RoomCall) (json.RawMessage, error) {
	ctx, cancel := bounded(ctx, answerWithin)
	defer cancel()
	return callRoom(ctx, patience, file, turn, call)
}

func callRoom(ctx context.Context, patience time.Duration, file, turn string, call RoomCall) (json.RawMessage, error) {
	root, err := os.OpenRoot(filepath.Dir(file))
	if err != nil {
		return nil, noRoom(file, err)
	}
	defer root.Close()
	read := func() (roomFile, error) { return readRoomFile(root, filepath.Base(file)) }
	f, err := read()
	if err != nil {
		return nil, noRoom(file, err)
	}
	c := client{patience: patience, socket: func(*request) (string, error) {
		f, err := read()
		return f.Socket, err
	}}
	q := request{
		Verb: call.Verb, Run: f.Run, Member: f.Member, Epoch: f.Epoch, Token: f.Token, Turn: turn,
		To: call.To, Body: call.Body, Report: call.Report,
	}
	if call.Verb != verbSend && call.Verb != verbReport {
		r, _, err := c.call(ctx, q)
		if err != nil {
			return nil, err
		}
		return r.Result, r.err()
	}
	n, err := openNumber(ctx, root)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, gaveUp(ctx, f.Socket)
	case err != nil:
		return nil, errors.New("the call cannot be numbered: " + reason(err))
	}
	defer n.close()
	return n.call(ctx, c, q)
}

// noRoom is the refusal of a call whose room file cannot be used. No runner was
// asked.
func noRoom(file string, err error) error {
	return &runner.Refusal{
		Code: "not-in-a-room",
		Msg:  fmt.Sprintf("the room file %s cannot be used: %s; TEAMRUN_ROOM must name the one the runner set", file, reason(err)),
	}
}

// number is the file with the last call number, locked.
type number struct {
	file *os.File
	last uint64
}

// openNumber waits for the other calls of the member.
func openNumber(ctx context.Context, root *os.Root) (*number, error) {
	f, err := openState(root, seqName, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	for {
		err := flock(f, unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			break
		}
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return nil, errors.Join(err, f.Close())
		}
		select {
		case <-time.After(2 * time.Millisecond):
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), f.Close())
		}
	}
	text, err := io.ReadAll(io.LimitReader(f, 32))
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	// What is no number counts as 0: the runner knows the real one and says so.
	last, _ := strconv.ParseUint(string(bytes.TrimSpace(text)), 10, 64)
	return &number{f, last}, nil
}

func (n *number) close() { n.file.Close() }

// take notes that a number is used, before it is: one that was used for a call
// must never be used for another.
func (n *number) take(number uint64) error {
	n.last = number
	// Padded, so that a shorter text never leaves the end of a longer one.
	_, err := n.file.WriteAt(fmt.Appendf(nil, "%020d\n", number), 0)
	return err
}

// call makes a call under the next number.
func (n *number) call(ctx context.Context, c client, q request) (json.RawMessage, error) {
	for {
		q.Call = n.last + 1
		if err := n.take(q.Call); err != nil {
			return nil, errors.New("the call cannot be numbered: " + reason(err))
		}
		r, maybe, err := c.call(ctx, q)
		if err != nil {
			return nil, err
		}
		if r.Duplicate && !(maybe && r.Last == q.Call) {
			// The number belongs to another call: the file was lost or changed.
			n.last = max(r.Last, n.last)
			continue
		}
		return r.Result, r.err()
	}
}
