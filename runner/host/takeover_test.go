package host

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/journal"
)

// killedIn is a run whose runner was killed behind the first record for which
// when holds.
func killedIn(t *testing.T, text string, w *world, when func(runner.Event) bool) crash {
	t.Helper()
	f := newRun(t, newHome(t), text)
	var c *crash
	log := &watched{after: func(_ int, entries []journal.Entry) {
		for _, e := range entries {
			if c == nil && when(e.Record.Event) {
				c = &crash{folder: copyFolder(t, f), world: w.copy()}
			}
		}
	}}
	simulate(t, func(t *testing.T) {
		if _, err := run(t.Context(), config(t, f, w), watching(log), noSocket); err != nil {
			t.Fatal(err)
		}
	})
	if c == nil {
		t.Fatalf("no such record: %s", kinds(records(t, f)))
	}
	return *c
}

// slowly is obliging after a sign of life that is recorded.
func slowly(ctx context.Context, member string, p runner.Prompt, progress func(runner.TurnProgress)) runner.TurnEnded {
	time.Sleep(2 * time.Minute)
	progress(runner.TurnProgress{What: runner.ProgressSign})
	time.Sleep(time.Minute)
	if ctx.Err() != nil {
		return cancelled()
	}
	return obliging(ctx, member, p, progress)
}

func isSign(e runner.Event) bool {
	_, ok := e.(runner.TurnProgress)
	return ok
}

// TestRunningTurnIsAdopted: an agent that took its session and its turn over is
// given the same turn again, under the same id and in the same epoch.
func TestRunningTurnIsAdopted(t *testing.T) {
	w := newWorld()
	w.turn = slowly
	c := killedIn(t, hello, w, isSign)
	c.keepSessions(t)
	before := c.world.promptsOf("ann")[0]
	token, err := os.ReadFile(before.RoomFile)
	if err != nil {
		t.Fatal(err)
	}
	simulate(t, func(t *testing.T) {
		r, err := runQuietly(t.Context(), t, c.folder, c.world)
		if err != nil || r.Outcome != "success" || r.Failures != 0 {
			t.Fatalf("%+v, %v", r, err)
		}
	})
	again := c.world.promptsOf("ann")
	if len(again) != 2 || again[1].Effect != before.Effect || again[1].Epoch != 1 || again[1].Text != before.Text {
		t.Errorf("ann's prompts: %+v", again)
	}
	if kept, err := os.ReadFile(again[1].RoomFile); err != nil || tokenOf(t, kept) != tokenOf(t, token) {
		t.Errorf("the token of a live session changed: %v", err)
	}
}

// keepSessions makes the agents say that they took over what was begun.
func (c crash) keepSessions(t *testing.T) {
	t.Helper()
	c.world.asked = func(runner.Effect) runner.Answer { return runner.Answer{State: runner.AnswerRunning} }
	for _, e := range records(t, c.folder) {
		if s, ok := e.Record.Event.(runner.SessionStarted); ok {
			c.world.begun[s.Effect]++
		}
	}
}

func tokenOf(t *testing.T, text []byte) string {
	t.Helper()
	var f roomFile
	if err := json.Unmarshal(text, &f); err != nil || len(f.Token) != 64 {
		t.Fatalf("%s: %v", text, err)
	}
	return f.Token
}

// TestWithdrawnIsNeverBegun: a turn that was not begun when its
// runner was killed, and is cancelled by the first record of the next, is settled
// without being performed.
func TestWithdrawnIsNeverBegun(t *testing.T) {
	w := newWorld()
	w.turn = obliging
	c := killedIn(t, hello, w, func(e runner.Event) bool {
		_, ok := e.(runner.SessionStarted) // the turn it causes never left
		return ok
	})
	c.keepSessions(t) // so that only the cancel is in the turn's way
	simulate(t, func(t *testing.T) {
		k := config(t, c.folder, c.world)
		k.Down = true
		r, err := run(t.Context(), k, openJournal, noSocket)
		if err != nil || r.Outcome != "cancelled" {
			t.Fatalf("%+v, %v", r, err)
		}
	})
	if len(c.world.prompts) > 0 {
		t.Error("a withdrawn turn was performed")
	}
	for _, e := range records(t, c.folder) {
		if ended, ok := e.Record.Event.(runner.TurnEnded); ok && (ended.Seen != runner.SeenNo || ended.Stop != runner.StopCancelled) {
			t.Errorf("%+v", ended)
		}
	}
}

// TestExecOfUnknownEndIsNotRunTwice: what nobody knows the end of has failed.
func TestExecOfUnknownEndIsNotRunTwice(t *testing.T) {
	w := newWorld()
	w.turn = slowly
	w.exec = func(context.Context, runner.ExecOrder) runner.ExecEnded {
		time.Sleep(time.Hour / 2)
		return runner.ExecEnded{}
	}
	c := killedIn(t, strings.Replace(relay, "check: finished", "check: done", 1), w, isSign)
	simulate(t, func(t *testing.T) {
		r, err := runQuietly(t.Context(), t, c.folder, c.world)
		if err != nil || r.Outcome != "failure" || r.Tasks[0].Class != "unknown" {
			t.Fatalf("%+v, %v", r, err)
		}
	})
	for id, n := range c.world.begun {
		if n > 1 {
			t.Errorf("effect %s was begun %d times", id, n)
		}
	}
}

// TestAdapterThatPanicsWhenAsked knows nothing: the turn's end is unknown.
func TestAdapterThatPanicsWhenAsked(t *testing.T) {
	w := newWorld()
	w.turn = slowly
	c := killedIn(t, hello, w, isSign)
	c.world.asked = func(runner.Effect) runner.Answer { panic("no log") }
	simulate(t, func(t *testing.T) {
		r, err := runQuietly(t.Context(), t, c.folder, c.world)
		if err != nil || r.Outcome != "failure" || r.Tasks[0].Class != "unknown" {
			t.Fatalf("%+v, %v", r, err)
		}
	})
}

// TestDowntimeBeforeALeaseThatDidNothing is downtime too: a runner that was
// killed between its lease and its first record was never there.
func TestDowntimeBeforeALeaseThatDidNothing(t *testing.T) {
	w := newWorld()
	w.turn = slowly
	c := killedIn(t, hello+"limits: {wall: 1h}\n", w, isSign)
	simulate(t, func(t *testing.T) {
		for range 3 {
			time.Sleep(3 * time.Hour)
			j, err := journal.Open(c.folder.journalPath())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := j.Lease(time.Now().UnixMilli(), 1, "there"); err != nil {
				t.Fatal(err)
			}
			j.Close()
		}
		r, err := runQuietly(t.Context(), t, c.folder, c.world)
		if err != nil || r.WallMS > time.Hour.Milliseconds() || r.Outcome == "limit" {
			t.Fatalf("%+v, %v", r, err)
		}
	})
}

// TestEndedRunIsOnlyRead, and one whose runner was killed before the result was
// written gets it.
func TestEndedRunIsOnlyRead(t *testing.T) {
	f := newRun(t, newHome(t), hello)
	w := newWorld()
	w.turn = obliging
	simulate(t, func(t *testing.T) {
		if _, err := runQuietly(t.Context(), t, f, w); err != nil {
			t.Fatal(err)
		}
	})
	n := len(records(t, f))
	for _, lost := range [][]string{nil, {resultName}, {resultName, archiveName, statusName}} {
		for _, name := range lost {
			if err := os.Remove(filepath.Join(f.Path(), name)); err != nil {
				t.Fatal(err)
			}
		}
		again := newWorld()
		simulate(t, func(t *testing.T) {
			r, err := runQuietly(t.Context(), t, f, again)
			if err != nil || r.Outcome != "success" || len(r.Artifacts) != 1 {
				t.Fatalf("without %v: %+v, %v", lost, r, err)
			}
		})
		if len(again.prompts) > 0 || len(records(t, f)) != n {
			t.Errorf("without %v: the run went on", lost)
		}
		if r, err := f.Result(w.world().SpecKinds()); err != nil || r == nil {
			t.Errorf("without %v: no result, %v", lost, err)
		}
	}
}

// TestForeignJournal: a journal that this machine would have written otherwise
// is refused, with what to use instead; nothing is started.
func TestForeignJournal(t *testing.T) {
	h := newHome(t)
	for name, spoil := range map[string]func(*journal.Entry){
		"another effect":   func(e *journal.Entry) { e.Effects[0].Digest++ },
		"one more effect":  func(e *journal.Entry) { e.Effects = append(e.Effects, journal.Stamp{ID: "2.99"}) },
		"one effect fewer": func(e *journal.Entry) { e.Effects = e.Effects[1:] },
		"a foreign record": func(e *journal.Entry) { e.Record.Event = runner.RunStarted{} },
	} {
		t.Run(name, func(t *testing.T) {
			f := newRun(t, h, hello)
			w := newWorld()
			j, err := journal.Open(f.journalPath())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := j.Lease(f.Meta().Created, 1, "there"); err != nil {
				t.Fatal(err)
			}
			e := spoiled(t, f, spoil)
			if err := errors.Join(j.Append([]journal.Entry{e}), j.Close()); err != nil {
				t.Fatal(err)
			}
			_, err = Run(t.Context(), config(t, f, w))
			var state *journal.StateError
			if !errors.As(err, &state) || !strings.Contains(state.Problem, "record 2") || !strings.Contains(state.Remedy, "teamrun") {
				t.Errorf("err = %v", err)
			}
			if n := len(records(t, f)); n != 2 {
				t.Errorf("%d records", n)
			}
		})
	}
}

// spoiled is record 2 of a run as another machine would have written it.
func spoiled(t *testing.T, f Folder, spoil func(*journal.Entry)) journal.Entry {
	t.Helper()
	w := newWorld()
	p, err := runner.Compile(config(t, f, w).Team, w.world().SpecKinds())
	if err != nil {
		t.Fatal(err)
	}
	m := runner.New(p)
	first := records(t, f)[0].Record
	if _, err := m.Step(first); err != nil {
		t.Fatal(err)
	}
	e := journal.Entry{Record: runner.Record{Seq: 2, At: first.At, Event: runner.Leased{Lease: 1}}}
	effects, err := m.Step(e.Record)
	if err != nil || len(effects) == 0 {
		t.Fatal(effects, err)
	}
	e.Effects = stamps(effects)
	spoil(&e)
	return e
}

// TestCutTurnCostsWhatItsKindSays: a kind whose turns are free is not charged
// for one that was cut.
func TestCutTurnCostsWhatItsKindSays(t *testing.T) {
	free := 0.0
	turn := runner.Effect{ID: "3.1", Op: runner.TakeTurn{Member: "ann"}}
	for _, cost := range []*float64{nil, &free} {
		ended, ok := settled(turn, runner.Answer{State: runner.AnswerGone, Cost: cost}).(runner.TurnEnded)
		if !ok || ended.Cost != cost {
			t.Errorf("cost %v of a cut turn became %v", cost, ended.Cost)
		}
	}
}
