package host

import "github.com/teamrun/teamrun/runner"

// ledger is what the host remembers of the records beside the machine. It is
// folded from them, so that it is the same after a restart.
type ledger struct {
	begun map[string]runner.Op // session_start and turn effects without outcome
	// taught is the epoch whose session has seen the rules of the room, by member.
	taught map[string]int
	// sent is the last call that became a record, by member.
	sent map[string]call
}

// call is a numbered room call that became a record.
type call struct {
	epoch  int
	number uint64
	seq    uint64
}

func newLedger() *ledger {
	return &ledger{begun: map[string]runner.Op{}, taught: map[string]int{}, sent: map[string]call{}}
}

// note takes in a record and what it caused.
func (l *ledger) note(r runner.Record, effects []runner.Effect) {
	switch e := r.Event.(type) {
	case runner.SessionStarted:
		delete(l.begun, e.Effect)
	case runner.TurnEnded:
		if op, ok := l.begun[e.Effect].(runner.TakeTurn); ok && e.Seen == runner.SeenYes {
			l.taught[op.Member] = op.Epoch
		}
		delete(l.begun, e.Effect)
	case runner.MailSent:
		l.sent[e.From] = call{e.Epoch, e.Call, r.Seq}
	case runner.Reported:
		l.sent[e.Member] = call{e.Epoch, e.Call, r.Seq}
	}
	for _, e := range effects {
		switch op := e.Op.(type) {
		case runner.StartSession, runner.TakeTurn:
			l.begun[e.ID] = op
		}
	}
}

// starting reports whether the session of an epoch is being started.
func (l *ledger) starting(member string, epoch int) bool {
	for _, op := range l.begun {
		if start, ok := op.(runner.StartSession); ok && start.Member == member && start.Epoch == epoch {
			return true
		}
	}
	return false
}

// The failure classes the host itself names.
const (
	classCancelled = "cancelled"
	classCrashed   = "crashed"
	classProtocol  = "protocol"
	classUnknown   = "unknown"
)
