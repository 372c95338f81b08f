package host

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net"
	"time"
)

const (
	// patience is how long a runner may be away before a call gives up on it.
	patience = 2 * time.Second
	// retryEvery is the pause between tries.
	retryEvery = 50 * time.Millisecond
	// answerWithin is how long a call may take in all, also with a runner that is
	// there and says nothing.
	answerWithin = 30 * time.Second
)

// client makes calls over a control socket. While the runner is away it tries
// again, with the same request.
type client struct {
	// socket is where the runner is, "" while it is starting; asked for each try,
	// for a new runner may have another one. It may fill in what the request needs
	// for that runner. An error ends the call.
	socket   func(*request) (string, error)
	patience time.Duration
}

// bounded is ctx with the time that a call may take.
func bounded(ctx context.Context, within time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, within, errNoAnswer)
}

// gaveUp is the error of a call to socket whose ctx has ended.
func gaveUp(ctx context.Context, socket string) error {
	if cause := context.Cause(ctx); errors.Is(cause, errNoAnswer) {
		return &UnreachableError{Socket: socket, Err: cause}
	}
	return ctx.Err()
}

// call makes one call. maybe reports that an earlier try may have reached a
// runner without its answer coming back.
func (c client) call(ctx context.Context, q request) (r response, maybe bool, err error) {
	giveUp := time.Now().Add(c.patience)
	for {
		path, err := c.socket(&q)
		if err != nil {
			return response{}, maybe, err
		}
		line, err := json.Marshal(q)
		if err != nil {
			return response{}, maybe, err
		}
		r, sent, err := exchange(ctx, path, append(line, '\n'))
		if err == nil && r.Error == "" {
			return r, maybe, nil
		}
		if err == nil {
			err = errors.New(r.Error) // the runner could not record it
		}
		if sent {
			maybe = true
			giveUp = time.Now().Add(c.patience) // it was there a moment ago
		}
		if ctx.Err() != nil {
			return response{}, maybe, gaveUp(ctx, path)
		}
		if time.Now().After(giveUp) {
			return response{}, maybe, &UnreachableError{Socket: path, Err: err}
		}
		select {
		case <-time.After(retryEvery):
		case <-ctx.Done():
			return response{}, maybe, gaveUp(ctx, path)
		}
	}
}

// exchange makes one try. sent reports that the request may have been read.
func exchange(ctx context.Context, path string, line []byte) (r response, sent bool, err error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", path)
	if err != nil {
		return response{}, false, err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	if _, err := conn.Write(line); err != nil {
		return response{}, true, err
	}
	text, err := bufio.NewReader(conn).ReadBytes('\n')
	if err != nil {
		return response{}, true, err
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return response{}, true, errors.New("the answer is not understood; both ends must be of one version")
	}
	return r, true, nil
}
