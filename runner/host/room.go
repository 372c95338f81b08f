package host

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/teamrun/teamrun/runner"
)

// room answers the calls of members and of the owner: on the loop, on the
// machine's state of that moment.
type room struct {
	core    *core
	root    *os.Root
	socket  string
	program string
	tokens  map[string]token // of the newest epochs, by member
	owner   token            // of this lease
}

// admit lets the session of an epoch in: its token is the one that counts, while
// the session lives.
func (r *room) admit(member string, epoch int) error {
	t, err := grant(r.root, roomFile{
		Run: r.core.meta.ID, Member: member, Epoch: epoch, Socket: r.socket, Program: r.program,
	})
	if err == nil {
		r.tokens[member] = t
	}
	return err
}

// duplicate says that a call's number was taken before.
type duplicate struct {
	last   uint64 // the highest number taken
	result any    // what the call with that number was answered; nil: unknown
}

func (d *duplicate) Error() string { return "this call was made before" }

// caller is who makes a call: the one thing of a call that is not what the
// caller says, but what its token proves.
type caller struct {
	member string
	epoch  int
	number uint64 // of the call; 0: the next
	turn   string
}

// number checks the number of a call and fills it in for callers that keep none.
func (r *room) number(c caller, m *runner.Machine) (uint64, error) {
	last := m.LastCall(c.member)
	switch {
	case c.number == 0:
		return last + 1, nil
	case c.number > last:
		return c.number, nil
	}
	d := &duplicate{last: last}
	if sent := r.core.ledger.sent[c.member]; sent.epoch == c.epoch && sent.number == last {
		d.result = sentResult{ID: fmt.Sprint(sent.seq)}
	}
	return 0, d
}

// sentResult answers send and report.
type sentResult struct {
	ID string   `json:"id"` // of the mail, or of the report's record
	To []string `json:"to,omitempty"`
	// Waiting are recipients that are down: they get the mail if they come back.
	Waiting []string `json:"waiting,omitempty"`
}

// send makes the mail of a caller.
func (r *room) send(c caller, to []string, body string, result *sentResult) func(*runner.Machine) (runner.Event, error) {
	return func(m *runner.Machine) (runner.Event, error) {
		number, err := r.number(c, m)
		if err != nil {
			return nil, err
		}
		names, err := m.Recipients(c.member, to)
		if err != nil {
			return nil, err
		}
		mail := runner.MailSent{Call: number, From: c.member, Epoch: c.epoch, To: names, Body: body, Size: len(body)}
		err = m.Admit(mail)
		*result = sentResult{To: names, Waiting: m.Unreachable(names)}
		return mail, err
	}
}

// report makes the report of a caller.
func (r *room) report(c caller, body json.RawMessage) func(*runner.Machine) (runner.Event, error) {
	return func(m *runner.Machine) (runner.Event, error) {
		number, err := r.number(c, m)
		if err != nil {
			return nil, err
		}
		values, err := m.ReportBody(c.member, c.turn, body)
		if err != nil {
			return nil, err
		}
		report := runner.Reported{Call: number, Member: c.member, Epoch: c.epoch, Turn: c.turn, Body: values}
		return report, m.Admit(report)
	}
}

// identify finds out who makes a request, by its token. The token of a session
// that is over proves nothing.
func (r *room) identify(q request) (caller, error) {
	if q.Run != r.core.meta.ID {
		return caller{}, &runner.Refusal{Code: "other-run", Msg: "this token is of another run"}
	}
	t, ok := r.tokens[q.Member]
	open := r.core.living(q.Member, q.Epoch) || r.core.ledger.starting(q.Member, q.Epoch)
	switch {
	case ok && t.epoch == q.Epoch && t.is(q.Token) && open:
		return caller{q.Member, q.Epoch, q.Call, q.Turn}, nil
	case r.core.program.Member(q.Member) != nil && q.Epoch > 0 && q.Epoch <= r.core.m.Epoch(q.Member) && !open:
		return caller{}, &runner.Refusal{Code: "stale-epoch", Msg: "this session of " + q.Member + " is over; its calls are not taken any more"}
	}
	return caller{}, &runner.Refusal{Code: "bad-token", Msg: "this token is not one of this room"}
}

// event is what a request wants recorded. What it is answered goes to result.
func (r *room) event(q request, result *any) func(*runner.Machine) (runner.Event, error) {
	return func(m *runner.Machine) (runner.Event, error) {
		switch q.Verb {
		case verbPing:
			*result = struct{}{}
			return nil, nil
		case verbDown:
			if !r.owner.is(q.Token) {
				return nil, &runner.Refusal{Code: "bad-token", Msg: "only the owner ends a run, with teamrun down"}
			}
			*result = struct{}{}
			down := runner.Control{Act: runner.ControlDown}
			return down, m.Admit(down)
		}
		c, err := r.identify(q)
		if err != nil {
			return nil, err
		}
		switch q.Verb {
		case verbSend:
			sent := &sentResult{}
			*result = sent
			return r.send(c, q.To, q.Body, sent)(m)
		case verbReport:
			*result = &sentResult{}
			return r.report(c, q.Report)(m)
		case verbMembers:
			*result = map[string]any{"members": m.View().Members}
			return nil, nil
		case verbTasks:
			*result = map[string]any{"tasks": m.Tasks()}
			return nil, nil
		}
		return nil, &runner.Refusal{Code: "unknown-verb", Msg: fmt.Sprintf("this room has no verb %q", q.Verb)}
	}
}
