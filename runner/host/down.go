package host

import (
	"context"
	"errors"
)

// Down ends a live run for good, through its runner. It returns when that is
// recorded, not when the run has ended. ErrNotLive: no runner holds the run.
func Down(ctx context.Context, f Folder) error {
	ctx, cancel := bounded(ctx, answerWithin)
	defer cancel()
	return down(ctx, f)
}

func down(ctx context.Context, f Folder) error {
	root, err := f.open()
	if err != nil {
		return err
	}
	defer root.Close()
	pid := 0
	c := client{patience: patience, socket: func(q *request) (string, error) {
		h, held, err := probe(root)
		switch {
		case err != nil:
			return "", f.unreadable(err)
		case !held:
			return "", ErrNotLive
		}
		pid = h.PID
		if q.Token, err = readControl(root); err != nil {
			return "", f.unreadable(err)
		}
		return h.Socket, nil
	}}
	r, _, err := c.call(ctx, request{Verb: verbDown})
	var silent *UnreachableError
	if errors.As(err, &silent) {
		silent.PID = pid
	}
	if err != nil {
		return err
	}
	return r.err()
}
