package host

import "github.com/teamrun/teamrun/runner"

// ledger is what the host remembers of the records beside the machine. It is
// folded from them, so that it is the same after a restart.
type ledger struct {
	begun    map[string]runner.Op // session_start and turn effects without outcome
	sessions map[string]session   // open sessions, by member
	// taught is the epoch whose session has seen the rules of the room, by member.
	taught map[string]int
	// sent is the last call that became a record, by member.
	sent map[string]call
}

// session is an open session.
type session struct {
	effect string // that started it
	epoch  int
}

// call is a numbered room call that became a record.
type call struct {
	epoch  int
	number uint64
	seq    uint64
}

func newLedger() *ledger {
	return &ledger{
		begun: map[string]runner.Op{}, sessions: map[string]session{},
		taught: map[string]int{}, sent: map[string]call{},
	}
}

// note takes in a record and what it caused.
func (l *ledger) note(r runner.Record, effects []runner.Effect) {
	switch e := r.Event.(type) {
	case runner.SessionStarted:
		if op, ok := l.begun[e.Effect].(runner.StartSession); ok && e.OK {
			l.sessions[op.Member] = session{e.Effect, op.Epoch}
		}
		delete(l.begun, e.Effect)
	case runner.SessionLost:
		l.close(e.Member, e.Epoch)
	case runner.TurnEnded:
		if op, ok := l.begun[e.Effect].(runner.TakeTurn); ok {
			if e.Seen == runner.SeenYes {
				l.taught[op.Member] = op.Epoch
			}
			if e.Cut || e.Class == classCrashed || e.Class == classGone {
				l.close(op.Member, op.Epoch)
			}
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
		case runner.StopSession:
			l.close(op.Member, op.Epoch)
		}
	}
}

func (l *ledger) close(member string, epoch int) {
	if l.sessions[member].epoch == epoch {
		delete(l.sessions, member)
	}
}

// The failure classes the host itself names.
const (
	classCancelled = "cancelled"
	classCrashed   = "crashed"
	classGone      = "gone"
	classUnknown   = "unknown"
)
