package host

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/teamrun/teamrun/runner"
)

const (
	maxBody = 1 << 20 // of a mail or report, in bytes
	maxLine = 8 << 20 // of a request: a body in its longest JSON form, and the rest
	// idleCaller is how long a caller may take to say what it wants, and to read
	// the answer.
	idleCaller = 5 * time.Second
)

// listener serves the control socket: one line of JSON asks, one answers.
type listener struct {
	log    hclog.Logger
	socket *net.UnixListener
	room   *room
	submit func(submission) bool
	lines  *lines
	calls  sync.WaitGroup
}

// listen opens the socket at path. What stands there is left from a runner that
// died: the lock of the run is ours.
func listen(path string, log hclog.Logger, r *room, submit func(submission) bool) (*listener, error) {
	if info, err := os.Lstat(path); err == nil {
		if info.Mode().Type() != os.ModeSocket {
			return nil, &EnvError{Problem: path + " is in the way of the control socket", Remedy: "remove it"}
		}
		if err := os.Remove(path); err != nil {
			return nil, &EnvError{Problem: "the old control socket cannot be removed", Remedy: "remove " + path, Err: err}
		}
	}
	s, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err == nil {
		err = os.Chmod(path, 0o600) // its folder is 0700 all the while
	}
	if err != nil {
		return nil, &EnvError{Problem: "the control socket cannot be opened", Remedy: "set XDG_RUNTIME_DIR to a short folder of your own", Err: err}
	}
	l := &listener{log: log, socket: s, room: r, submit: submit, lines: newLines()}
	l.calls.Go(l.accept)
	return l, nil
}

// close ends the socket and all calls.
func (l *listener) close() {
	l.socket.Close() // removes the file too
	l.lines.close()
	l.calls.Wait()
}

func (l *listener) accept() {
	for {
		c, err := l.socket.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			l.log.Warn("a call could not be taken", "error", err)
			time.Sleep(10 * time.Millisecond) // out of file descriptors: others must end first
			continue
		}
		if !l.lines.add(c) {
			return
		}
		l.calls.Go(func() {
			defer l.lines.drop(c)
			l.serve(c)
		})
	}
}

// serve answers the requests of one connection, one after the other.
func (l *listener) serve(c *net.UnixConn) {
	uid, err := peerUID(c)
	if err != nil || uid != os.Getuid() {
		l.log.Warn("a call of another user was refused", "uid", uid, "error", err)
		return
	}
	asked := bufio.NewScanner(c)
	asked.Buffer(make([]byte, 0, 4096), maxLine)
	for {
		c.SetReadDeadline(time.Now().Add(idleCaller))
		if !asked.Scan() {
			if errors.Is(asked.Err(), bufio.ErrTooLong) {
				l.write(c, response{Refusal: &refusal{"too-large", fmt.Sprintf("a request has at most %d bytes", maxLine)}})
			}
			return
		}
		if !l.lines.begin(c) {
			return
		}
		answer := l.answer(asked.Bytes())
		l.lines.end(c)
		if !l.write(c, answer) {
			return
		}
	}
}

func (l *listener) write(c *net.UnixConn, r response) bool {
	text, err := json.Marshal(r)
	if err != nil {
		return false
	}
	c.SetWriteDeadline(time.Now().Add(idleCaller))
	_, err = c.Write(append(text, '\n'))
	return err == nil
}

// answer answers one request, when what it did is durable.
func (l *listener) answer(line []byte) response {
	var q request
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&q); err != nil {
		return response{Refusal: &refusal{"bad-request", "a request is one object of JSON in a line, with the fields that this version knows; call with the program that drives the run"}}
	}
	if len(q.Body) > maxBody || len(q.Report) > maxBody {
		return response{Refusal: &refusal{"too-large", fmt.Sprintf("a mail or report has at most %d bytes; put the rest into a file", maxBody)}}
	}
	var result any
	r, err := ask(context.Background(), l.submit, l.room.event(q, &result), &result)
	if err != nil {
		return response{Error: err.Error()}
	}
	return r
}

// ask submits a call and waits for its answer, of which event fills in the result.
func ask(ctx context.Context, submit func(submission) bool, event func(*runner.Machine) (runner.Event, error), result *any) (response, error) {
	answered := make(chan response, 1)
	ok := submit(submission{event: event, answer: func(seq uint64, err error) {
		answered <- reply(seq, *result, err)
	}})
	if !ok {
		return response{}, errOver
	}
	select {
	case r := <-answered:
		return r, nil
	case <-ctx.Done():
		return response{}, ctx.Err()
	}
}
