package runnertest

import (
	"fmt"
	"maps"
	"slices"

	"github.com/teamrun/teamrun/runner"
)

// TB is what a simulation needs of a test; a testing.TB and a rapid.T have it.
type TB interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// Sim is one simulated run: the machine, its journal, and what the world owes
// it. Every record is checked: the machine's own invariants, and those that
// only the whole history shows.
type Sim struct {
	T       TB
	Program *runner.Program
	Machine *runner.Machine
	Journal []runner.Record
	Now     int64 // ms
	// Effects are those of the last record, Facts its facts.
	Effects []runner.Effect
	Facts   []runner.Fact

	stamps [][]uint32        // of the effects of each record
	judged map[string]bool   // turns
	handed map[string]string // mail, member and epoch -> turn
	fate   map[string]string // mail and member -> what became of it; "" while open
	lease  int
}

// New starts a simulated run: records 1 and 2 are in its journal.
func New(t TB, p *runner.Program) *Sim {
	s := &Sim{
		T: t, Program: p, Machine: runner.New(p), Now: 1_000_000,
		judged: map[string]bool{}, handed: map[string]string{}, fate: map[string]string{},
	}
	s.Record(runner.RunStarted{Machine: runner.Version, Run: "sim", Team: p.Team().Name, Digest: p.Team().Digest(), Limits: p.Limits()})
	s.Lease(0)
	return s
}

// Lease lets a runner take the run over; the last down ms had none.
func (s *Sim) Lease(down int64) {
	s.lease++
	s.Record(runner.Leased{Lease: s.lease, DownMS: down})
}

// Record gives an event its place and its time, and checks what the machine
// makes of it.
func (s *Sim) Record(e runner.Event) []runner.Effect {
	s.T.Helper()
	r := runner.Record{Seq: uint64(len(s.Journal)) + 1, At: s.Now, Event: s.throughJournal(e)}
	effects, err := s.Machine.Step(r)
	if err != nil {
		s.T.Fatalf("step %d %s: %v", r.Seq, e.EventKind(), err)
	}
	s.Journal = append(s.Journal, r)
	s.stamps = append(s.stamps, stamps(effects))
	s.Effects, s.Facts = effects, s.Machine.Facts()
	if err := runner.Check(s.Machine); err != nil {
		s.T.Fatalf("%v\nafter %s %+v", err, e.EventKind(), e)
	}
	if m, ok := e.(runner.MailSent); ok {
		s.noteMail(r.Seq, m)
	}
	s.noteFacts()
	s.noteEffects()
	if s.Machine.Ended() {
		s.checkFates()
	}
	return effects
}

// throughJournal writes and reads an event: what a run sees live must be what
// its replay sees.
func (s *Sim) throughJournal(e runner.Event) runner.Event {
	s.T.Helper()
	body, err := runner.EncodeEvent(e)
	if err != nil {
		s.T.Fatal(err)
	}
	back, err := runner.DecodeEvent(e.EventKind(), body)
	if err != nil {
		s.T.Fatal(err)
	}
	return back
}

func stamps(es []runner.Effect) []uint32 {
	var ds []uint32
	for _, e := range es {
		ds = append(ds, runner.EffectDigest(e))
	}
	return ds
}

// Replay folds the journal from nothing, checks that every record causes the
// same effects again, and returns the machine it comes to.
func (s *Sim) Replay() *runner.Machine {
	s.T.Helper()
	m := runner.New(s.Program)
	for i, r := range s.Journal {
		effects, err := m.Step(r)
		if err != nil {
			s.T.Fatalf("replay of record %d: %v", r.Seq, err)
		}
		if !slices.Equal(stamps(effects), s.stamps[i]) {
			s.T.Fatalf("replay of record %d caused other effects: %+v", r.Seq, effects)
		}
	}
	return m
}

// noteMail remembers accepted mail: from now on it must come to an end.
func (s *Sim) noteMail(seq uint64, e runner.MailSent) {
	for _, f := range s.Facts {
		if f.Kind == "mail_queued" && f.Mail == fmt.Sprint(seq) {
			s.fate[f.Mail+" "+f.Member] = ""
		}
	}
}

func (s *Sim) noteFacts() {
	s.T.Helper()
	for _, f := range s.Facts {
		switch f.Kind {
		case "turn_judged", "turn_failed":
			if s.judged[f.Turn] {
				s.T.Fatalf("turn %s is judged twice (FAIL-4)", f.Turn)
			}
			s.judged[f.Turn] = true
		case "mail_confirmed", "mail_returned", "mail_unknown":
			key := f.Mail + " " + f.Member
			if _, ok := s.fate[key]; ok {
				s.fate[key] = f.Kind
			}
		}
	}
}

func (s *Sim) noteEffects() {
	s.T.Helper()
	for _, e := range s.Effects {
		op, ok := e.Op.(runner.TakeTurn)
		if !ok {
			continue
		}
		if op.Mode == runner.ModeMail && len(op.Mail)+len(op.Again) == 0 {
			s.T.Fatalf("mail turn %s without mail", e.ID)
		}
		for _, d := range op.Mail {
			key := fmt.Sprintf("%s %s %d", d.ID, op.Member, op.Epoch)
			if was := s.handed[key]; was != "" && !s.unseen(was) {
				s.T.Fatalf("mail %s is handed to %s twice in epoch %d: by %s and %s (P2)", d.ID, op.Member, op.Epoch, was, e.ID)
			}
			s.handed[key] = e.ID
		}
	}
}

// unseen reports whether a turn ended with proof that nobody saw it.
func (s *Sim) unseen(turn string) bool {
	for _, r := range s.Journal {
		if e, ok := r.Event.(runner.TurnEnded); ok && e.Effect == turn {
			return e.Seen == runner.SeenNo
		}
	}
	return false
}

// checkFates: at the end no accepted mail is without a fate (P1).
func (s *Sim) checkFates() {
	s.T.Helper()
	for _, key := range slices.Sorted(maps.Keys(s.fate)) {
		if s.fate[key] == "" {
			s.T.Fatalf("mail %s is lost: neither confirmed, unknown nor returned (P1)", key)
		}
	}
}

// Pending finds the one pending effect of a kind that belongs to a member, a
// task or a timer's what; it fails the test when there is none.
func (s *Sim) Pending(kind, of string) runner.Effect {
	s.T.Helper()
	for _, e := range s.Machine.Pending() {
		if e.Op.EffectKind() == kind && owner(e.Op) == of {
			return e
		}
	}
	s.T.Fatalf("no pending %s of %s; pending: %v", kind, of, s.Machine.Pending())
	return runner.Effect{}
}

// owner is who an op is for: the member, the task, or the what of a timer.
func owner(op runner.Op) string {
	switch op := op.(type) {
	case runner.StartSession:
		return op.Member
	case runner.StopSession:
		return op.Member
	case runner.TakeTurn:
		return op.Member
	case runner.RunExec:
		return op.Task
	case runner.AskBackoff:
		return op.Member
	case runner.SetTimer:
		return op.What
	}
	return ""
}
