package runnertest

import (
	"fmt"
	"strings"

	"github.com/teamrun/teamrun/runner"
)

// Chooser is where a random run takes its choices from; a rapid test gives its
// own, so that a failing run is shrunk.
type Chooser interface {
	// Int is a number from 0 to n-1.
	Int(n int, what string) int
}

func pick[T any](c Chooser, what string, xs ...T) T { return xs[c.Int(len(xs), what)] }

// RandomTeam writes a team file of a random shape.
func RandomTeam(c Chooser) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	n := 1 + c.Int(4, "members")
	names := []string{"ada", "bob", "cyd", "dan"}[:n]
	p("teamrun: v1\nname: sim")
	if n > 1 && c.Int(2, "manager") == 0 {
		p("managers: {ada: {agent: %s}}", pick(c, "kind", "talker", "process", "unpriced"))
		p("members:")
		for _, m := range names[1:] {
			p("  %s: {agent: %s}", m, pick(c, "kind", "talker", "process", "unpriced"))
		}
	} else {
		p("members:")
		for _, m := range names {
			p("  %s: {agent: %s, turn_timeout: %s, stall_after: %s}", m, pick(c, "kind", "talker", "process", "unpriced"),
				pick(c, "clock", "1m", "20s"), pick(c, "stall", "30s", "5m"))
		}
	}
	p("schemas: {verdict: {verdict: {enum: [yes1, no1]}}}")
	p("tasks:")
	tasks := 1 + c.Int(5, "tasks")
	found := -1
	for i := range tasks {
		needs := ""
		for k := range i {
			if c.Int(3, "need") == 0 {
				needs += fmt.Sprintf("k%d: %s, ", k, pick(c, "how", "done", "finished"))
			}
		}
		needs = "{" + strings.TrimSuffix(needs, ", ") + "}"
		switch c.Int(5, "way") {
		case 0:
			p("  k%d: {run: [x], needs: %s%s}", i, needs, pick(c, "timeout", "", ", timeout: 10s"))
		case 1:
			p("  k%d: {for: [%s], needs: %s, brief: b}", i, strings.Join(names[:1+c.Int(n, "for")], ", "), needs)
		case 2:
			found = i
			p("  k%d: {for: %s, needs: %s, report: findings, brief: b}", i, pick(c, "for", names...), needs)
		default:
			p("  k%d: {for: %s, needs: %s, report: verdict, brief: b}", i, pick(c, "for", names...), needs)
		}
	}
	if c.Int(3, "stops") > 0 {
		p("stop:")
		if found >= 0 {
			p(`  - {when: 'any(findings, .severity == "error")', outcome: failure}`)
		}
		p("  - {when: tasks.k%d.done and run.failures < 4, outcome: success}", c.Int(tasks, "stop"))
		p("  - {when: tasks.k%d.failed, outcome: failure}", c.Int(tasks, "stop"))
	}
	if rules := c.Int(4, "rules"); rules > 0 {
		p("recovery:")
		for range rules {
			p("  - {on: %s, do: [%s]}", pick(c, "on", "rate_limited", "crashed", "no_report", "stalled", "exit", "unknown"),
				pick(c, "do", "{replace: {at_most: 2}}, fail", "nudge, {replace: {at_most: 1, within: 1h}}", "fail", "ask_human, replace"))
		}
	}
	p("limits: {wall: %s, turns: %d, messages: %d, concurrency: %d, cost: %s, unknown_cost: 0.5}",
		pick(c, "wall", "5m", "1h"), 1+c.Int(40, "turns"), 1+c.Int(30, "messages"), 1+c.Int(3, "concurrency"), pick(c, "cost", "2.00", "100.00"))
	return b.String()
}

// Random plays a run of p to its end: outcomes in any order, mail, reports,
// repetitions, time and crashes. It fails the test when the run does not come
// to an end.
func Random(t TB, p *runner.Program, c Chooser) *Sim {
	w := &world{Sim: New(t, p), Chooser: c, calls: map[string]uint64{}, begun: map[string]bool{}}
	w.sick = pick(c, "sick", "", "", "start", "unseen", "unknown")
	for range 5000 {
		if w.Machine.Ended() {
			return w.Sim
		}
		w.move()
	}
	t.Fatalf("the run does not end; pending: %v", w.Machine.Pending())
	return nil
}

// world is the other side of a random run.
type world struct {
	*Sim
	Chooser
	calls   map[string]uint64 // last call number, by member and epoch
	begun   map[string]bool   // effects the world has begun
	old     []runner.Event    // outcomes that may come a second time
	crashes int
	// sick says what the last member of the team never gets right: to start, or a
	// turn, of which its agent has not seen the prompt or nobody knows.
	sick string
}

func (w *world) isSick(member string) bool {
	ms := w.Machine.View().Members
	return member == ms[len(ms)-1].Name
}

func (w *world) move() {
	w.Now += int64(w.Int(3000, "ms"))
	switch k := w.Int(20, "move"); {
	case k == 0 && w.crashes < 5:
		w.crash()
	case k == 1 && len(w.old) > 0:
		w.Record(pick(w.Chooser, "again", w.old...))
	case k < 6:
		w.call()
	default:
		w.settle()
	}
}

// settle gives one pending effect its outcome.
func (w *world) settle() {
	es := w.Machine.Pending()
	e := pick(w.Chooser, "effect", es...)
	w.begun[e.ID] = true
	out := w.outcome(e)
	w.old = append(w.old, out)
	w.Record(out)
}

func (w *world) outcome(e runner.Effect) runner.Event {
	cancelled := w.Machine.CancelSent(e.ID)
	switch op := e.Op.(type) {
	case runner.StartSession:
		if cancelled && w.Int(2, "raced") == 0 {
			return runner.SessionStarted{Effect: e.ID, Class: "cancelled"}
		}
		if w.sick == "start" && w.isSick(op.Member) {
			return runner.SessionStarted{Effect: e.ID, Class: "crashed"}
		}
		class := pick(w.Chooser, "start", "", "", "", "", "crashed", "auth", "rate_limited")
		return runner.SessionStarted{Effect: e.ID, OK: class == "", Class: class}
	case runner.StopSession:
		return runner.SessionStopped{Effect: e.ID}
	case runner.TakeTurn:
		if w.isSick(op.Member) && (w.sick == "unseen" || w.sick == "unknown") {
			seen := map[string]string{"unseen": runner.SeenNo, "unknown": runner.SeenUnknown}[w.sick]
			return runner.TurnEnded{Effect: e.ID, Stop: runner.StopError, Class: "crashed", Seen: seen}
		}
		return w.turnOutcome(e.ID, cancelled)
	case runner.RunExec:
		if cancelled {
			return runner.ExecEnded{Effect: e.ID, Exit: -1, Class: "cancelled"}
		}
		return runner.ExecEnded{Effect: e.ID, Exit: w.Int(2, "exit"), Output: &runner.Output{Head: "x"}}
	case runner.AskBackoff:
		return runner.BackoffDue{Effect: e.ID, At: w.Now + op.Base.Milliseconds()*int64(op.Attempt)}
	case runner.SetTimer:
		if op.What == "wall" && len(w.Machine.Pending()) > 1 {
			return runner.TimerFired{Effect: "0.0"} // not yet; a foreign one instead
		}
		w.Now = max(w.Now, op.At)
		return runner.TimerFired{Effect: e.ID}
	}
	return runner.FinishEnded{Effect: e.ID, OK: true}
}

func (w *world) turnOutcome(id string, cancelled bool) runner.Event {
	seen := pick(w.Chooser, "seen", runner.SeenYes, runner.SeenYes, runner.SeenYes, runner.SeenNo, runner.SeenUnknown)
	if cancelled {
		return runner.TurnEnded{Effect: id, Stop: runner.StopCancelled, Seen: seen}
	}
	out := runner.TurnEnded{Effect: id, Stop: runner.StopEndTurn, Seen: seen}
	if w.Int(3, "priced") > 0 {
		cost := float64(w.Int(50, "cents")) / 100
		out.Cost = &cost
	}
	switch w.Int(5, "end") {
	case 0:
		out.Stop = runner.StopError
		out.Class = pick(w.Chooser, "class", "rate_limited", "crashed", "auth", "exit", "provider", "gone")
	case 1:
		out.Stop = pick(w.Chooser, "stop", runner.StopMaxTokens, runner.StopRefusal)
	default:
		out.Seen = runner.SeenYes
	}
	return out
}

// call lets a member whose session lives do something in the room, sometimes
// with a number that was taken before.
func (w *world) call() {
	ms := w.Machine.View().Members
	m := pick(w.Chooser, "member", ms...)
	if m.Epoch == 0 {
		w.settle()
		return
	}
	key := fmt.Sprintf("%s %d", m.Name, m.Epoch)
	if w.Int(5, "repeat") > 0 {
		w.calls[key]++
	}
	if w.Int(2, "what") == 0 {
		w.report(m, w.calls[key])
		return
	}
	to, err := w.Machine.Recipients(m.Name, []string{pick(w.Chooser, "to", ms...).Name})
	e := runner.MailSent{Call: w.calls[key], From: m.Name, Epoch: m.Epoch, To: to, Body: "hi", Size: 2}
	if err == nil {
		err = w.Machine.Admit(e)
	}
	if r, ok := err.(*runner.Refusal); err != nil && !(ok && r.Recorded) {
		return
	}
	w.Record(e)
}

func (w *world) report(m runner.MemberView, call uint64) {
	raw := `{"verdict":"yes1"}`
	body, err := w.Machine.ReportBody(m.Name, "", []byte(raw))
	if err != nil {
		raw = `{"findings":[{"severity":"` + pick(w.Chooser, "severity", "error", "note") + `","title":"t"}]}`
		body, err = w.Machine.ReportBody(m.Name, "", []byte(raw))
	}
	e := runner.Reported{Call: call, Member: m.Name, Epoch: m.Epoch - w.Int(2, "late"), Body: body}
	if err == nil && w.Machine.Admit(e) == nil {
		w.Record(e)
	}
}

// crash drops the machine, folds the journal again, takes a new lease and asks
// what became of every pending effect, as a host does.
func (w *world) crash() {
	w.crashes++
	w.Machine = w.Replay()
	before := w.Machine.Pending()
	w.Now += int64(w.Int(100_000, "down"))
	w.Lease(w.Now)
	if w.Int(2, "lost first") == 0 { // as a runner that was told to stop records it
		w.loseSessions()
	}
	for _, e := range before {
		unbegun := !w.begun[e.ID] && w.Int(2, "begun") == 0
		switch e.Op.(type) {
		case runner.TakeTurn:
			if unbegun { // its session is gone with the runner
				w.Record(runner.TurnEnded{Effect: e.ID, Stop: runner.StopError, Cut: true, Seen: runner.SeenNo})
				continue
			}
			w.Record(runner.TurnEnded{Effect: e.ID, Stop: runner.StopError, Cut: true,
				Seen: pick(w.Chooser, "seen", runner.SeenYes, runner.SeenNo, runner.SeenUnknown)})
		case runner.RunExec:
			if !unbegun { // else it is performed with the same id
				w.Record(runner.ExecEnded{Effect: e.ID, Exit: -1, Class: "unknown"})
			}
		}
	}
	w.loseSessions()
}

func (w *world) loseSessions() {
	for _, m := range w.Machine.View().Members {
		w.Record(runner.SessionLost{Member: m.Name, Epoch: m.Epoch, Class: "gone"})
	}
}
