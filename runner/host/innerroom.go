package host

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/teamrun/teamrun/runner"
)

// innerRoom is the room for kinds without a process of their own to call it. It
// takes the same way as the socket, but needs no token: the runner itself knows
// whose turn it is.
type innerRoom struct {
	room   *room
	submit func(submission) bool
	caller caller
}

var errOver = errors.New("the runner has ended")

// Send implements runner.Room.
func (i *innerRoom) Send(ctx context.Context, to []string, body string) (string, error) {
	sent := &sentResult{}
	if err := i.call(ctx, i.room.send(i.caller, to, body, sent), sent); err != nil {
		return "", err // the loop may still be at it
	}
	return sent.ID, nil
}

// Report implements runner.Room.
func (i *innerRoom) Report(ctx context.Context, body json.RawMessage) error {
	return i.call(ctx, i.room.report(i.caller, body), &sentResult{})
}

// Reported implements runner.Room.
func (i *innerRoom) Reported(ctx context.Context) bool {
	var none any
	has := false
	_, err := ask(ctx, i.submit, func(m *runner.Machine) (runner.Event, error) {
		has = m.HasReport(i.caller.turn)
		return nil, nil
	}, &none)
	if err != nil {
		return false // the loop may still be at it
	}
	return has
}

func (i *innerRoom) call(ctx context.Context, event func(*runner.Machine) (runner.Event, error), sent *sentResult) error {
	var result any = sent
	r, err := ask(ctx, i.submit, event, &result)
	if err != nil {
		return err
	}
	return r.err()
}
