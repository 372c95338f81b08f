package host

import "context"

// Down ends a live run for good, through its runner. It returns when that is
// recorded, not when the run has ended. ErrNotLive: no runner holds the run.
func Down(ctx context.Context, f Folder) error {
	root, err := f.open()
	if err != nil {
		return err
	}
	defer root.Close()
	c := client{patience: patience, socket: func() (string, error) {
		h, held, err := probe(root)
		switch {
		case err != nil:
			return "", f.unreadable(err)
		case !held:
			return "", ErrNotLive
		}
		return h.Socket, nil
	}}
	r, _, err := c.call(ctx, request{Verb: verbDown})
	if err != nil {
		return err
	}
	return r.err()
}
