package host

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/teamrun/teamrun/runner"
)

// The verbs of the room; down, which wants the owner's secret as token; and ping,
// which wants none.
const (
	verbSend    = "send"
	verbReport  = "report"
	verbMembers = "members"
	verbTasks   = "task_list"
	verbDown    = "down"
	verbPing    = "ping"
)

// request is one call as it comes over the socket. From is read from nothing:
// there is no such field.
type request struct {
	Verb   string          `json:"verb"`
	Run    string          `json:"run,omitempty"`
	Member string          `json:"member,omitempty"`
	Epoch  int             `json:"epoch,omitempty"`
	Token  string          `json:"token,omitempty"`
	Call   uint64          `json:"call,omitempty"`
	Turn   string          `json:"turn,omitempty"`
	To     []string        `json:"to,omitempty"`
	Body   string          `json:"body,omitempty"`
	Report json.RawMessage `json:"report,omitempty"`
}

// response answers one request.
type response struct {
	OK        bool            `json:"ok"`
	Result    json.RawMessage `json:"result,omitempty"`
	Duplicate bool            `json:"duplicate,omitempty"`
	Last      uint64          `json:"last,omitempty"` // highest number taken, of a duplicate
	Refusal   *refusal        `json:"refusal,omitempty"`
	Error     string          `json:"error,omitempty"` // of the runner; the call may be tried again
}

// refusal is a *runner.Refusal on the wire.
type refusal struct {
	Code string `json:"code"`
	Msg  string `json:"msg"`
}

// reply is the response to a call that was recorded as seq, or refused.
func reply(seq uint64, result any, err error) response {
	var refused *runner.Refusal
	var twice *duplicate
	switch {
	case errors.As(err, &refused):
		return response{Refusal: &refusal{refused.Code, refused.Msg}}
	case errors.As(err, &twice):
		result = twice.result
	case err != nil:
		return response{Error: err.Error()}
	}
	if sent, ok := result.(*sentResult); ok {
		sent.ID = fmt.Sprint(seq)
	}
	text, err := json.Marshal(result)
	if err != nil {
		return response{Error: err.Error()}
	}
	r := response{OK: true, Result: text}
	if twice != nil {
		r.Duplicate, r.Last = true, twice.last
	}
	return r
}

// err is what a response says went wrong.
func (r response) err() error {
	switch {
	case r.Refusal != nil:
		return &runner.Refusal{Code: r.Refusal.Code, Msg: r.Refusal.Msg}
	case r.Error != "":
		return errors.New(r.Error)
	}
	return nil
}
