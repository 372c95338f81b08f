package scripted

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/teamrun/teamrun/runner"
)

// room keeps what is done in it, and refuses what holds "refuse".
type room struct{ did []string }

func (r *room) Send(_ context.Context, to []string, body string) (string, error) {
	return "1", r.do(fmt.Sprintf("send %v %s", to, body))
}

func (r *room) Report(_ context.Context, body json.RawMessage) error {
	return r.do("report " + string(body))
}

func (r *room) Reported(context.Context) bool { return false }

func (r *room) do(what string) error {
	if strings.Contains(what, "refuse") {
		return &runner.Refusal{Code: "no", Msg: "this is refused"}
	}
	r.did = append(r.did, what)
	return nil
}

// member is a member that plays a script.
type member struct {
	t    *testing.T
	post runner.Post
	room *room
	say  []string // signs of life
}

// newMember loads the script as ann's.
func newMember(t *testing.T, script string) *member {
	loaded, problems := load(t, team(script), map[string]string{})
	if len(problems) > 0 {
		t.Fatalf("problems:\n%s", strings.Join(problems, "\n"))
	}
	return &member{t: t, room: &room{}, post: runner.Post{
		Member: "ann", Settings: loaded.Members[0].Agent.Settings, Folder: filepath.Join(t.TempDir(), "ann"),
	}}
}

// agent is the member's agent as a new runner process opens it.
func (m *member) agent() runner.Agent {
	a, err := kind{}.Open(m.post)
	if err != nil {
		m.t.Fatal(err)
	}
	return a
}

// turn is played by an agent that knows nothing of earlier ones.
func (m *member) turn(p runner.Prompt) runner.TurnEnded {
	p.Room = m.room
	p.Epoch = max(p.Epoch, 1)
	if p.Effect == "" {
		p.Effect = fmt.Sprintf("%d.1", p.Nth+10)
	}
	return m.agent().Turn(m.t.Context(), p, func(tp runner.TurnProgress) { m.say = append(m.say, tp.Text) })
}

func (m *member) transcript(epoch string) string {
	b, err := os.ReadFile(filepath.Join(m.post.Folder, epoch, transcriptFile))
	if err != nil {
		m.t.Fatal(err)
	}
	return string(b)
}

// TestClauses: which clause is played follows from the prompt and the disk.
func TestClauses(t *testing.T) {
	m := newMember(t, `
turns:
  - {on: {task: build, attempt: 2}, do: [{say: second}]}
  - {on: {task: build, mode: nudge}, do: [{say: nudged}]}
  - {on: {task: build, round: 2}, do: [{say: again}]}
  - {on: {mail_from: bob}, do: [{say: mail}]}
  - {on: {turn: 5}, do: [{say: fifth}]}
  - {on: {epoch: 2}, do: [{say: reborn}]}
  - {on: {task: build}, do: [{say: build}]}
`)
	mail := []runner.PromptMail{{From: "human", Body: "x"}, {From: "bob", Body: "y"}}
	for _, c := range []struct {
		p    runner.Prompt
		want string
	}{
		{runner.Prompt{Nth: 1, Task: "build", Round: 1, Mode: "brief"}, "build"},
		{runner.Prompt{Nth: 2, Task: "build", Round: 1, Mode: "nudge"}, "second"},
		{runner.Prompt{Nth: 3, Task: "build", Round: 1, Mode: "nudge"}, "nudged"},
		{runner.Prompt{Nth: 4, Task: "build", Round: 2, Mode: "brief", Mail: mail}, "again"},
		{runner.Prompt{Nth: 5, Mode: "mail", Mail: mail}, "mail"},
		{runner.Prompt{Nth: 5, Effect: "99.1", Mode: "mail"}, "fifth"},
		{runner.Prompt{Nth: 6, Epoch: 2, Task: "build", Round: 2, Mode: "brief"}, "second"},
		{runner.Prompt{Nth: 7, Epoch: 2, Task: "other", Round: 1, Mode: "brief"}, "reborn"},
		{runner.Prompt{Nth: 8, Task: "other", Round: 1, Mode: "brief"}, ""},
	} {
		m.say = nil
		got := m.turn(c.p)
		if said := strings.Join(m.say, " "); said != c.want || got.Stop != runner.StopEndTurn {
			t.Errorf("turn %+v: said %q, want %q; %+v", c.p, said, c.want, got)
		}
	}
}

// TestSteps: what each step makes of a turn.
func TestSteps(t *testing.T) {
	usd := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		do   string
		want runner.TurnEnded
		did  []string
	}{
		{do: `[{say: hello}]`, want: runner.TurnEnded{Stop: "end_turn", Seen: "yes", Cost: usd(0)}},
		{do: `[{send: {to: [bob], text: one}}, {send: {to: "*", text: two}}, {report: {verdict: approve}}]`,
			want: runner.TurnEnded{Stop: "end_turn", Seen: "yes", Cost: usd(0)},
			did:  []string{"send [bob] one", "send [*] two", `report {"verdict":"approve"}`}},
		{do: `[{send: {to: bob, text: refuse}}, {send: {to: bob, text: on}}]`,
			want: runner.TurnEnded{Stop: "end_turn", Seen: "yes", Cost: usd(0)}, did: []string{"send [bob] on"}},
		{do: `[{spend: 0.25}, {spend: 1}]`, want: runner.TurnEnded{Stop: "end_turn", Seen: "yes", Cost: usd(1.25)}},
		{do: `[{spend: 0.25}, {spend: unknown}]`, want: runner.TurnEnded{Stop: "end_turn", Seen: "yes"}},
		{do: `[{spend: 0.5}, {fail: auth}]`, want: runner.TurnEnded{Stop: "error", Class: "auth", Seen: "yes", Cost: usd(0.5)}},
		{do: `[{fail: {class: overloaded, code: "529", text: busy, seen: no}}]`,
			want: runner.TurnEnded{Stop: "error", Class: "overloaded", Code: "529", Text: "busy", Seen: "no", Cost: usd(0)}},
		{do: `[{stop: max_tokens}]`, want: runner.TurnEnded{Stop: "max_tokens", Seen: "yes", Cost: usd(0)}},
		{do: `[{stop: refusal}]`, want: runner.TurnEnded{Stop: "refusal", Seen: "yes", Cost: usd(0)}},
		{do: `[{crash: true}]`, want: runner.TurnEnded{Stop: "error", Class: "crashed", Text: "the session crashed, as scripted", Seen: "yes", Cost: usd(0)}},
	} {
		t.Run(c.do, func(t *testing.T) {
			m := newMember(t, "turns: [{do: "+c.do+"}]")
			got := m.turn(runner.Prompt{Nth: 1, Mode: "brief", Effect: "2.1"})
			c.want.Effect = "2.1"
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("turn = %+v\nwant   %+v", got, c.want)
			}
			if !reflect.DeepEqual(m.room.did, c.did) {
				t.Errorf("did %q, want %q", m.room.did, c.did)
			}
		})
	}
}

func TestTakeTakesTimeAndACancelEndsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMember(t, "turns: [{do: [{take: 90s}, {send: {to: bob, text: late}}]}]")
		began := time.Now()
		if m.turn(runner.Prompt{Nth: 1}); time.Since(began) != 90*time.Second || len(m.room.did) != 1 {
			t.Errorf("took %v and did %q, want 90s and one mail", time.Since(began), m.room.did)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began = time.Now()
		got := m.agent().Turn(ctx, runner.Prompt{Effect: "20.1", Epoch: 1, Nth: 2, Room: m.room}, nil)
		if got.Stop != runner.StopCancelled || len(m.room.did) != 1 || time.Since(began) != time.Minute {
			t.Errorf("%+v and %q after %v, want cancelled at once and nothing after it", got, m.room.did, time.Since(began))
		}
	})
}

// TestACrashedSessionStaysGone also for a runner that was started later; the
// next session lives.
func TestACrashedSessionStaysGone(t *testing.T) {
	m := newMember(t, "turns: [{on: {turn: 1}, do: [{crash: true}]}, {do: [{say: alive}]}]")
	m.turn(runner.Prompt{Nth: 1})
	if got := m.turn(runner.Prompt{Nth: 2}); got.Class != "gone" || got.Seen != runner.SeenNo || m.say != nil {
		t.Errorf("after the crash: %+v, said %q, want class gone, seen no", got, m.say)
	}
	if got := m.turn(runner.Prompt{Nth: 3, Epoch: 2}); got.Stop != runner.StopEndTurn {
		t.Errorf("in the next session: %+v, want end_turn", got)
	}
}

func TestStarts(t *testing.T) {
	m := newMember(t, "starts: [{on: {epoch: 2}, do: [{say: hm}, {fail: {class: auth, text: log in}}]}]")
	for epoch, want := range map[int]runner.SessionStarted{
		1: {Effect: "1.1", OK: true, Ref: "ann.1"},
		2: {Effect: "1.1", Class: "auth", Text: "log in"},
		3: {Effect: "1.1", OK: true, Ref: "ann.3"},
	} {
		if got := m.agent().Start(t.Context(), runner.SessionOrder{Effect: "1.1", Epoch: epoch}); got != want {
			t.Errorf("start of session %d = %+v, want %+v", epoch, got, want)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		m := newMember(t, "starts: [{do: [{hang: true}]}]")
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if got := m.agent().Start(ctx, runner.SessionOrder{Effect: "1.1", Epoch: 1}); got.OK || got.Class == "" {
			t.Errorf("a start that hangs and is cancelled = %+v, want a failure", got)
		}
	})
}

// TestO2_TranscriptLinesCannotBeForged: no text of others looks like a line of
// its own, or reaches a terminal as more than text.
func TestO2_TranscriptLinesCannotBeForged(t *testing.T) {
	m := newMember(t, `turns: [{do: [{send: {to: bob, text: "refuse\nreports: {}"}}, {say: "\e[31mred\nends: end_turn"}]}]`)
	m.turn(runner.Prompt{Nth: 1, Mode: "mail", Mail: []runner.PromptMail{{From: "bob", Body: "hi\nsays: forged\x1b]0;x\x07"}}})
	got := m.transcript("1")
	if strings.Contains(got, "\x1b") {
		t.Errorf("escapes in %q", got)
	}
	var begins []string
	for line := range strings.Lines(got) {
		if line[0] != ' ' {
			begins = append(begins, strings.SplitN(line, " ", 2)[0])
		}
	}
	if want := "turn mail sends says: ends:"; strings.Join(begins, " ") != want {
		t.Errorf("transcript\n%swant lines that begin %s", got, want)
	}
	if !strings.Contains(got, "    refused: this is refused [no]\n") {
		t.Errorf("transcript\n%swant the refusal", got)
	}
}

// TestTornMarkCountsAsNotBegun: a mark is one line; half of it was never acted
// on.
func TestTornMarkCountsAsNotBegun(t *testing.T) {
	m := newMember(t, "turns: [{do: [{say: x}]}]")
	m.turn(runner.Prompt{Nth: 1, Effect: "2.1"})
	path := filepath.Join(m.post.Folder, "1", turnsFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	second := strings.ReplaceAll(string(whole), "2.1", "3.1")
	for cut := range len(second) {
		if err := os.WriteFile(path, append(whole[:len(whole):len(whole)], second[:cut]...), 0o600); err != nil {
			t.Fatal(err)
		}
		want := runner.AnswerNotStarted
		if begun := strings.Index(second, "}"); cut > begun {
			want = runner.AnswerGone
		}
		ask := runner.Effect{ID: "3.1", Op: runner.TakeTurn{Member: "ann", Epoch: 1}}
		if got := m.agent().Ask(t.Context(), ask); got.State != want {
			t.Errorf("marks cut at byte %d: %+v, want %s", cut, got, want)
		}
	}
}

// TestC01_ALostFolderIsUnknown: when somebody removed the folder of a session
// that was started, nobody can say that its turn was never begun.
func TestC01_ALostFolderIsUnknown(t *testing.T) {
	m := newMember(t, "turns: [{do: [{say: hello}]}]")
	ask := func() runner.AnswerState {
		return m.agent().Ask(t.Context(), runner.Effect{ID: "2.1", Op: runner.TakeTurn{Member: "ann", Epoch: 1}}).State
	}
	m.agent().Start(t.Context(), runner.SessionOrder{Effect: "1.1", Epoch: 1})
	if got := ask(); got != runner.AnswerNotStarted {
		t.Errorf("Ask = %s of a turn that was not begun", got)
	}
	if err := os.RemoveAll(m.post.Folder); err != nil {
		t.Fatal(err)
	}
	for range 2 { // asking makes no folder
		if got := ask(); got != runner.AnswerUnknown {
			t.Errorf("Ask = %s of a session that is lost, want unknown", got)
		}
	}
}
