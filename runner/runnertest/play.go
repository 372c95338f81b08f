package runnertest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/teamrun/teamrun/runner"
)

// Play runs a script against a team and returns the script with, below each
// command, what the machine decided (one line a fact) and what it wants done
// (one line an effect, behind an arrow). Commands begin with "$ ":
//
//	start MEMBER [CLASS]      the session came up, or failed with a class
//	end MEMBER [k=v …]        its turn ended; stop=end_turn seen=yes cost=0 class= text= cut=
//	report MEMBER JSON        it reported through the room
//	mail FROM TO[,TO] TEXT    it sent mail ("*" is everyone)
//	sign MEMBER [max_tokens]  it gave a sign of life
//	exec TASK [k=v …]         the process of a run task ended; exit=0 out= class=
//	due MEMBER                the host computed the delay of its backoff: 5s
//	fire WHAT                 time passes until the timer of that kind fires
//	sleep DURATION            time passes
//	stopped MEMBER            its session was stopped
//	lost MEMBER               its session ended by itself
//	finish                    the artifacts are written
//	down                      the person ends the run
//	crash                     the runner dies, another takes over a minute later;
//	                          what it asks of the world is gone
//	show                      members and tasks as they stand
func Play(t testing.TB, teamYAML, script string) string {
	var out strings.Builder
	play(t, teamYAML, script, &out)
	return out.String()
}

// Recorded runs a script as Play does and returns the run with its journal.
func Recorded(t testing.TB, teamYAML, script string) *Sim {
	return play(t, teamYAML, script, &strings.Builder{})
}

func play(t testing.TB, teamYAML, script string, out *strings.Builder) *Sim {
	s := New(t, Program(t, teamYAML))
	p := &player{Sim: s, out: out}
	p.print()
	for line := range strings.Lines(script) {
		if cmd, ok := strings.CutPrefix(line, "$ "); ok {
			out.WriteString(line)
			p.run(strings.TrimSpace(cmd))
		} else if strings.HasPrefix(line, "#") {
			out.WriteString(line)
		}
	}
	return s
}

type player struct {
	*Sim
	out *strings.Builder
}

func (p *player) run(cmd string) {
	p.T.Helper()
	verb, rest, _ := strings.Cut(cmd, " ")
	name, rest, _ := strings.Cut(rest, " ")
	switch verb {
	case "start":
		p.record(runner.SessionStarted{Effect: p.Pending("session_start", name).ID, OK: rest == "", Class: rest})
	case "end":
		p.record(p.turnEnded(name, options(rest)))
	case "report":
		p.report(name, rest)
	case "mail":
		to, text, _ := strings.Cut(rest, " ")
		p.mail(name, strings.Split(to, ","), text)
	case "sign":
		what := runner.ProgressSign
		if rest != "" {
			what = rest
		}
		p.record(runner.TurnProgress{Effect: p.Pending("turn", name).ID, What: what})
	case "exec":
		p.record(p.execEnded(name, options(rest)))
	case "due":
		p.record(runner.BackoffDue{Effect: p.Pending("backoff", name).ID, At: p.Now + 5000})
	case "fire":
		e := p.Pending("timer", name)
		p.Now = max(p.Now, e.Op.(runner.SetTimer).At)
		p.record(runner.TimerFired{Effect: e.ID})
	case "sleep":
		d, err := time.ParseDuration(name)
		if err != nil {
			p.T.Fatal(err)
		}
		p.Now += d.Milliseconds()
	case "stopped":
		p.record(runner.SessionStopped{Effect: p.Pending("session_stop", name).ID})
	case "lost":
		p.record(runner.SessionLost{Member: name, Epoch: p.Machine.Epoch(name)})
	case "finish":
		p.record(runner.FinishEnded{Effect: p.Pending("finish", "").ID, OK: true})
	case "down":
		p.record(runner.Control{Act: runner.ControlDown})
	case "crash":
		p.crash()
	case "show":
		p.show()
	default:
		p.T.Fatalf("no command %q", verb)
	}
}

func (p *player) record(e runner.Event) {
	p.T.Helper()
	p.Record(e)
	p.print()
}

func (p *player) turnEnded(name string, o map[string]string) runner.TurnEnded {
	e := runner.TurnEnded{Effect: p.Pending("turn", name).ID, Stop: runner.StopEndTurn, Seen: runner.SeenYes, Class: o["class"], Text: o["text"], Cut: o["cut"] != ""}
	if e.Class != "" {
		e.Stop = runner.StopError
	}
	if o["stop"] != "" {
		e.Stop = o["stop"]
	}
	if o["seen"] != "" {
		e.Seen = o["seen"]
	}
	if o["cost"] != "unknown" {
		cost, _ := strconv.ParseFloat(o["cost"], 64)
		e.Cost = &cost
	}
	return e
}

func (p *player) execEnded(name string, o map[string]string) runner.ExecEnded {
	exit, _ := strconv.Atoi(o["exit"])
	return runner.ExecEnded{Effect: p.Pending("exec", name).ID, Exit: exit, Class: o["class"], Output: &runner.Output{Head: o["out"]}}
}

func (p *player) report(name, raw string) {
	body, err := p.Machine.ReportBody(name, "", []byte(raw))
	if err != nil {
		fmt.Fprintf(p.out, "refused: %v\n", err)
		return
	}
	p.record(runner.Reported{Call: p.call(name), Member: name, Epoch: p.Machine.Epoch(name), Body: body})
}

func (p *player) mail(from string, to []string, text string) {
	names, err := p.Machine.Recipients(from, to)
	e := runner.MailSent{From: from, Epoch: p.Machine.Epoch(from), To: names, Body: text, Size: len(text)}
	if err == nil {
		err = p.Machine.Admit(e)
	}
	if err != nil {
		fmt.Fprintf(p.out, "refused: %v\n", err)
		if r, ok := err.(*runner.Refusal); !ok || !r.Recorded {
			return
		}
	}
	e.Call = p.call(from)
	p.record(e)
}

func (p *player) call(name string) uint64 { return p.Machine.LastCall(name) + 1 }

func (p *player) crash() {
	p.Machine = p.Replay()
	before := p.Machine.Pending()
	p.Now += time.Minute.Milliseconds()
	p.Lease(time.Minute.Milliseconds())
	p.print()
	for _, e := range before {
		switch e.Op.(type) {
		case runner.TakeTurn:
			p.record(runner.TurnEnded{Effect: e.ID, Stop: runner.StopError, Cut: true, Seen: runner.SeenUnknown})
		case runner.RunExec:
			p.record(runner.ExecEnded{Effect: e.ID, Exit: -1, Class: "unknown"})
		}
	}
	for _, m := range p.Machine.View().Members {
		p.record(runner.SessionLost{Member: m.Name, Epoch: m.Epoch, Class: "gone"})
	}
}

func (p *player) print() {
	for _, f := range p.Facts {
		var words []string
		for _, w := range []string{f.Kind, f.Member, f.Task, f.Class} {
			if w != "" {
				words = append(words, w)
			}
		}
		if f.Mail != "" {
			words = append(words, "#"+f.Mail)
		}
		line := strings.Join(words, " ")
		if f.Text != "" {
			line += ": " + f.Text
		}
		fmt.Fprintln(p.out, line)
	}
	for _, e := range p.Effects {
		op, err := json.Marshal(e.Op)
		if err != nil {
			p.T.Fatal(err)
		}
		fmt.Fprintf(p.out, "  -> %s %s %s\n", e.ID, e.Op.EffectKind(), op)
	}
}

func (p *player) show() {
	v := p.Machine.View()
	for _, m := range v.Members {
		fmt.Fprintf(p.out, "%s %s epoch=%d turns=%d failures=%d unread=%d\n", m.Name, m.State, m.Epoch, m.Turns, m.Failures, m.Unread)
	}
	for _, k := range v.Tasks {
		fmt.Fprintf(p.out, "%s %s %s\n", k.Name, k.State, k.Reason)
	}
	fmt.Fprintf(p.out, "run %s turns=%d messages=%d outcome=%s reason=%s\n", v.State, v.Turns, v.Messages, v.Outcome, v.Reason)
}

// options reads k=v words; a value may be in double quotes.
func options(s string) map[string]string {
	o := map[string]string{}
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		k, rest, _ := strings.Cut(s, "=")
		if quoted, err := strconv.QuotedPrefix(rest); err == nil {
			o[k], _ = strconv.Unquote(quoted)
			s = rest[len(quoted):]
			continue
		}
		o[k], s, _ = strings.Cut(rest, " ")
	}
	return o
}
