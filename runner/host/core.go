package host

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/journal"
	"github.com/teamrun/teamrun/runner/safe"
)

// durable is the journal as the engine uses it.
type durable interface {
	Lease(now int64, pid int, host string) (journal.Lease, error)
	Beat(now int64) error
	Append(entries []journal.Entry) error
	Replay(fn func(journal.Entry) error) error
	Event(seq uint64) (runner.Event, error)
	Archive(ndjson io.Writer) error
	Seal() error
	Close() error
	Warning() string
}

// core is the machine and the journal it is folded from. Only the loop touches it.
type core struct {
	program *runner.Program
	log     durable
	meta    Meta
	path    string // of the journal
	clock   clock
	secrets *safe.Redactor // of what is recorded; nil: none

	m      *runner.Machine
	ledger *ledger
}

// fold makes the machine anew from the journal. seen, when not nil, is shown
// every record.
func (c *core) fold(seen func(Step)) error {
	c.m, c.ledger = runner.New(c.program), newLedger()
	err := c.log.Replay(func(e journal.Entry) error {
		if first, ok := e.Record.Event.(runner.RunStarted); ok && !maps.Equal(first.Params, c.meta.Params) {
			return c.otherParams()
		}
		effects, err := c.m.Step(e.Record)
		if err != nil {
			return c.foreign(e.Record.Seq, err)
		}
		if err := sameEffects(effects, e.Effects); err != nil {
			return c.foreign(e.Record.Seq, err)
		}
		c.ledger.note(e.Record, effects)
		if seen != nil {
			seen(Step{Record: e.Record, Facts: c.m.Facts(), Effects: effects, Replayed: true})
		}
		return nil
	})
	if err == nil && c.m.Seq() == 0 {
		return &journal.StateError{Path: c.path, Problem: "the journal is empty", Remedy: "start the run anew"}
	}
	return err
}

// otherParams is the error for a run.json that was changed: the spec would be
// read with other params than the run was started with.
func (c *core) otherParams() error {
	return &journal.StateError{
		Path:    c.path,
		Problem: "the params in " + metaName + " are not those the run was started with",
		Remedy:  "restore " + metaName + " or start the run anew; nothing was changed",
	}
}

// living reports whether the session of an epoch lives, as far as the records say.
func (c *core) living(member string, epoch int) bool {
	return slices.ContainsFunc(c.m.Sessions(), func(s runner.Session) bool {
		return s.Member == member && s.Epoch == epoch
	})
}

// foreign is the error for a record this machine does not understand as it was
// written.
func (c *core) foreign(seq uint64, err error) error {
	version := "the version of teamrun that started it"
	if c.meta.Teamrun != "" {
		version = "teamrun " + c.meta.Teamrun + ", which started it"
	}
	return &journal.StateError{
		Path:    c.path,
		Problem: fmt.Sprintf("record %d: %v", seq, err),
		Remedy:  "resume the run with " + version,
		Err:     err,
	}
}

// sameEffects compares what a step wants now with what it wanted when the
// record was written.
func sameEffects(now []runner.Effect, then []journal.Stamp) error {
	for i, e := range now {
		if i >= len(then) {
			return fmt.Errorf("this machine wants effect %s (%s), which the one that wrote it did not", e.ID, e.Op.EffectKind())
		}
		if then[i] != stamp(e) {
			return fmt.Errorf("this machine wants another effect %s (%s) than the one that wrote it", e.ID, e.Op.EffectKind())
		}
	}
	if len(then) > len(now) {
		return fmt.Errorf("this machine does not want effect %s, which the one that wrote it did", then[len(now)].ID)
	}
	return nil
}

func stamp(e runner.Effect) journal.Stamp {
	return journal.Stamp{ID: e.ID, Digest: runner.EffectDigest(e)}
}

// batch is what came of some submissions. Nothing of it may leave before commit
// has returned.
type batch struct {
	steps   []Step
	answers []func()
}

// commit makes records of submissions and appends them at once. After an error
// nothing was acknowledged and the machine must be folded anew.
func (c *core) commit(subs []submission) (batch, error) {
	var b batch
	var entries []journal.Entry
	for _, s := range subs {
		event, refused := s.event(c.m)
		seq := uint64(0)
		if recorded(event, refused) {
			var err error
			if event, err = written(masked(c.secrets, event)); err != nil {
				return batch{}, err
			}
			r := runner.Record{Seq: c.m.Seq() + 1, At: c.clock.now(), Event: event}
			effects, err := c.m.Step(r)
			if err != nil {
				return batch{}, fmt.Errorf("record %d (%s): %w", r.Seq, event.EventKind(), err)
			}
			c.ledger.note(r, effects)
			b.steps = append(b.steps, Step{Record: r, Facts: c.m.Facts(), Effects: effects})
			entries = append(entries, journal.Entry{Record: r, Effects: stamps(effects)})
			seq = r.Seq
		}
		if s.answer != nil {
			b.answers = append(b.answers, func() { s.answer(seq, refused) })
		}
	}
	if len(entries) == 0 {
		return b, nil
	}
	if err := c.log.Append(entries); err != nil {
		return batch{}, err
	}
	return b, nil
}

func stamps(effects []runner.Effect) []journal.Stamp {
	var out []journal.Stamp
	for _, e := range effects {
		out = append(out, stamp(e))
	}
	return out
}

// takenOver reports whether err says that the lease is another runner's.
func takenOver(err error) bool {
	var lease *journal.LeaseError
	return errors.As(err, &lease)
}

// stateError makes every error of the journal one that says what to do: exit 6,
// or 5 when another runner has taken the run over.
func (c *core) stateError(err error) error {
	var state *journal.StateError
	var lease *journal.LeaseError
	switch {
	case errors.As(err, &lease): // without the lock, as on a disk that knows none
		return &HeldError{Run: c.meta.ID, PID: lease.PID, Host: lease.Host, Since: c.clock.now()}
	case errors.As(err, &state):
		return err
	}
	return &journal.StateError{Path: c.path, Problem: reason(err), Remedy: "check the disk and resume the run", Err: err}
}
