package host

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/journal"
)

const relay = `
teamrun: v1
name: relay
defaults: {agent: fake}
members:
  ann: {}
  bob: {}
tasks:
  check: {run: [check]}
  plan: {for: ann, report: {text: {type: text}}, brief: Make a plan.}
  work: {for: bob, needs: {plan: done, check: finished}, report: {text: {type: text}}, brief: Do it.}
recovery:
  - {on: unknown, do: [{replace: {at_most: 9}}, fail]}
stop:
  - {when: tasks.work.done, outcome: success}
  - {when: tasks.plan.failed or tasks.work.failed or tasks.work.skipped, outcome: failure}
limits: {turns: 100}
`

// TestCrashAtEveryAppend kills the runner behind every batch, before anything
// of it left, and resumes what is there: nothing that was acknowledged is lost,
// nothing is begun twice, and the run ends.
func TestCrashAtEveryAppend(t *testing.T) {
	answers := map[string]func(runner.Effect) runner.Answer{
		"gone, not seen": func(runner.Effect) runner.Answer {
			return runner.Answer{State: runner.AnswerGone, Seen: runner.SeenNo}
		},
		"unknown": func(runner.Effect) runner.Answer { return runner.Answer{State: runner.AnswerUnknown} },
	}
	for name, asked := range answers {
		t.Run(name, func(t *testing.T) {
			f := newRun(t, newHome(t), relay)
			w, acked := newWorld(), &list{}
			w.asked = asked
			w.turn = chatty(acked)
			var crashes []crash
			log := &watched{after: func(int, []journal.Entry) {
				crashes = append(crashes, crash{copyFolder(t, f), w.copy(), acked.copy()})
			}}
			simulate(t, func(t *testing.T) {
				r, err := run(t.Context(), config(t, f, w), watching(log), noSocket)
				if err != nil || r.Outcome != "success" {
					t.Fatalf("without a crash: %+v, %v", r, err)
				}
			})
			if len(crashes) < 8 {
				t.Fatalf("only %d batches", len(crashes))
			}
			for i, c := range crashes {
				t.Run(fmt.Sprint("batch ", i+1), func(t *testing.T) {
					// Killed again behind each of the first batches of the resume.
					for j, again := range resumeAndCheck(t, c, 2) {
						t.Run(fmt.Sprint("then ", j+1), func(t *testing.T) { resumeAndCheck(t, again, 0) })
					}
				})
			}
		})
	}
}

// chatty is obliging, and remembers the mail that was acknowledged.
func chatty(acked *list) func(context.Context, string, runner.Prompt, func(runner.TurnProgress)) runner.TurnEnded {
	return func(ctx context.Context, member string, p runner.Prompt, progress func(runner.TurnProgress)) runner.TurnEnded {
		time.Sleep(time.Second)
		if member == "ann" {
			for range 3 {
				id, err := p.Room.Send(ctx, []string{"bob"}, "news")
				if err != nil {
					return cancelled()
				}
				acked.add(id)
			}
		}
		if p.Report != nil && p.Room.Report(ctx, json.RawMessage(`{"text": "ok"}`)) != nil {
			return cancelled()
		}
		time.Sleep(time.Second)
		return done()
	}
}

// resumeAndCheck resumes a run that was killed, to its end, and returns what was
// there behind each of the first batches.
func resumeAndCheck(t *testing.T, c crash, batches int) (later []crash) {
	acked := &list{all: c.acked}
	var mu sync.Mutex
	lost := map[string]int{} // the newest epoch that is recorded as lost, by member
	note := func(entries []journal.Entry) {
		mu.Lock()
		defer mu.Unlock()
		for _, e := range entries {
			if l, ok := e.Record.Event.(runner.SessionLost); ok {
				lost[l.Member] = l.Epoch
			}
		}
	}
	note(records(t, c.folder))
	var e *engine
	act := chatty(acked)
	c.world.turn = func(ctx context.Context, member string, p runner.Prompt, progress func(runner.TurnProgress)) runner.TurnEnded {
		mu.Lock()
		if lost[member] >= p.Epoch {
			t.Errorf("turn %s of %s was prompted in epoch %d, which was lost", p.Effect, member, p.Epoch)
		}
		mu.Unlock()
		if err := admitted(ctx, e, member, p); err != nil {
			t.Errorf("turn %s of %s was prompted without a token: %v", p.Effect, member, err)
		}
		return act(ctx, member, p, progress)
	}
	log := &watched{after: func(n int, entries []journal.Entry) {
		note(entries)
		if n <= batches {
			later = append(later, crash{copyFolder(t, c.folder), c.world.copy(), acked.copy()})
		}
	}}
	before := kinds(records(t, c.folder))
	told := map[string]bool{} // mail of which the run itself says that it was not seen
	simulate(t, func(t *testing.T) {
		c2 := config(t, c.folder, c.world)
		c2.Watch = func(s Step) {
			for _, f := range s.Facts {
				told[f.Mail] = told[f.Mail] || f.Kind == "mail_returned" || f.Kind == "mail_unknown"
			}
		}
		r, err := run(t.Context(), c2, watching(log), func(_ string, it *engine) (func(), error) {
			e = it
			return func() {}, nil
		})
		if err != nil || r.Outcome != "success" {
			t.Fatalf("resumed after [%s]: %+v, %v\n%s", before, r, err, kinds(records(t, c.folder)))
		}
	})
	for id, n := range c.world.begun {
		if n > 1 {
			t.Errorf("effect %s was begun %d times", id, n)
		}
	}
	for _, id := range acked.copy() {
		if !told[id] && !slices.ContainsFunc(c.world.promptsOf("bob"), func(p runner.Prompt) bool {
			ended, _ := c.world.ended[p.Effect].(runner.TurnEnded)
			return ended.Seen == runner.SeenYes && slices.ContainsFunc(p.Mail, func(m runner.PromptMail) bool { return m.ID == id })
		}) {
			t.Errorf("mail %s was acknowledged, never seen, and nobody was told", id)
		}
	}
	return later
}

// admitted makes a call as a tool process of a turn would, and returns why it was
// refused.
func admitted(ctx context.Context, e *engine, member string, p runner.Prompt) error {
	f, err := readRoomFile(e.root, path.Join(epochFolder(member, p.Epoch), roomName))
	if err != nil {
		return err
	}
	var result any
	q := request{Verb: verbTasks, Run: f.Run, Member: f.Member, Epoch: f.Epoch, Token: f.Token}
	r, err := ask(ctx, e.submit, e.room.event(q, &result), &result)
	if err != nil {
		return err
	}
	return r.err()
}
