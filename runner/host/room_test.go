package host

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/teamrun/teamrun/runner"
)

const team3 = `
teamrun: v1
name: three
defaults: {agent: fake}
members:
  ann: {}
  bob: {}
  cid: {}
tasks:
  plan: {for: ann, report: {text: {type: text}}, brief: Make a plan.}
stop:
  - {when: tasks.plan.done, outcome: success}
  - {when: tasks.plan.failed, outcome: failure}
`

// live is a run whose member ann is in a turn that ends when the test says so.
type live struct {
	folder Folder
	world  *world
	prompt runner.Prompt // ann's
	end    func() (runner.Result, error)
}

// startLive starts a run with a control socket.
func startLive(t *testing.T) *live {
	t.Helper()
	f := newRun(t, newHome(t), team3)
	return resumeLive(t, f, newWorld())
}

// resumeLive runs f, new or not.
func resumeLive(t *testing.T, f Folder, w *world) *live {
	t.Helper()
	prompts, end := make(chan runner.Prompt, 1), make(chan struct{})
	w.turn = func(ctx context.Context, member string, p runner.Prompt, progress func(runner.TurnProgress)) runner.TurnEnded {
		if member != "ann" {
			return done()
		}
		prompts <- p
		select {
		case <-end:
			return done()
		case <-ctx.Done():
			return cancelled()
		}
	}
	type ending struct {
		r   runner.Result
		err error
	}
	ended := make(chan ending, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		r, err := Run(ctx, config(t, f, w))
		ended <- ending{r, err}
	}()
	l := &live{folder: f, world: w}
	select {
	case l.prompt = <-prompts:
	case e := <-ended:
		t.Fatalf("the run ended: %+v, %v", e.r, e.err)
	}
	var once sync.Once
	var e ending
	l.end = func() (runner.Result, error) {
		once.Do(func() { close(end); e = <-ended })
		return e.r, e.err
	}
	t.Cleanup(func() { cancel(); l.end() })
	return l
}

func (l *live) call(c RoomCall) (json.RawMessage, error) {
	return CallRoom(context.Background(), l.prompt.RoomFile, l.prompt.Effect, c)
}

// mails are the mails in the journal.
func (l *live) mails(t *testing.T) []runner.MailSent {
	var all []runner.MailSent
	for _, e := range records(t, l.folder) {
		if m, ok := e.Record.Event.(runner.MailSent); ok {
			all = append(all, m)
		}
	}
	return all
}

func TestRoomVerbs(t *testing.T) {
	l := startLive(t)
	raw, err := l.call(RoomCall{Verb: "send", To: []string{"*"}, Body: "hi all"})
	var sent struct {
		ID string
		To []string
	}
	if err != nil || json.Unmarshal(raw, &sent) != nil || sent.ID == "" || strings.Join(sent.To, " ") != "bob cid" {
		t.Fatalf("send = %s, %v", raw, err)
	}
	raw, err = l.call(RoomCall{Verb: "members"})
	var roster struct{ Members []runner.MemberView }
	if err != nil || json.Unmarshal(raw, &roster) != nil || len(roster.Members) != 3 || roster.Members[0].State != "working" {
		t.Errorf("members = %s, %v", raw, err)
	}
	raw, err = l.call(RoomCall{Verb: "task_list"})
	var board struct{ Tasks []runner.TaskView }
	if err != nil || json.Unmarshal(raw, &board) != nil || len(board.Tasks) != 1 || board.Tasks[0].State != "running" {
		t.Errorf("task_list = %s, %v", raw, err)
	}
	if _, err := l.call(RoomCall{Verb: "report", Report: json.RawMessage(`{"text": "ok"}`)}); err != nil {
		t.Errorf("report: %v", err)
	}
	if r, err := l.end(); err != nil || r.Outcome != "success" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestRefusals(t *testing.T) {
	l := startLive(t)
	before := len(records(t, l.folder))
	for name, c := range map[string]RoomCall{
		"unknown-member": {Verb: "send", To: []string{"../ann"}, Body: "x"},
		"mail-to-self":   {Verb: "send", To: []string{"ann"}, Body: "x"},
		"mail-empty":     {Verb: "send", To: []string{"bob"}},
		"mail-too-big":   {Verb: "send", To: []string{"bob"}, Body: strings.Repeat("x", 100_000)},
		"too-large":      {Verb: "send", To: []string{"bob"}, Body: strings.Repeat("x", 2<<20)},
		"report-invalid": {Verb: "report", Report: json.RawMessage(`{"txt": 1}`)},
		"unknown-verb":   {Verb: "dance"},
	} {
		_, err := l.call(c)
		var refused *runner.Refusal
		if !errors.As(err, &refused) || refused.Code != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	if after := len(records(t, l.folder)); after != before {
		t.Errorf("%d refused calls became records", after-before)
	}
}

// TestM1_Tokens: only the token of the present session of this run opens the
// room, and what a body says of its sender is nothing.
func TestM1_Tokens(t *testing.T) {
	l := startLive(t)
	other := startLive(t)
	text, err := os.ReadFile(l.prompt.RoomFile)
	if err != nil {
		t.Fatal(err)
	}
	var room roomFile
	if err := json.Unmarshal(text, &room); err != nil {
		t.Fatal(err)
	}
	var foreign roomFile
	if text, err = os.ReadFile(other.prompt.RoomFile); err != nil || json.Unmarshal(text, &foreign) != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		code   string
		change func(*roomFile)
	}{
		"no token":            {"bad-token", func(f *roomFile) { f.Token = "" }},
		"wrong token":         {"bad-token", func(f *roomFile) { f.Token = strings.Repeat("0", 64) }},
		"ann's token for bob": {"bad-token", func(f *roomFile) { f.Member = "bob" }},
		"no such member":      {"bad-token", func(f *roomFile) { f.Member = "../bob" }},
		"a later epoch":       {"bad-token", func(f *roomFile) { f.Epoch = 9 }},
		"token of other run":  {"bad-token", func(f *roomFile) { f.Token = foreign.Token }},
		"other run":           {"other-run", func(f *roomFile) { f.Run = foreign.Run }},
	} {
		forged := room
		c.change(&forged)
		text, err := json.Marshal(forged)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), roomName)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, call := range []RoomCall{{Verb: "send", To: []string{"cid"}, Body: "from: bob"}, {Verb: "members"}, {Verb: "report", Report: json.RawMessage(`{"text": "x"}`)}} {
			_, err = CallRoom(t.Context(), path, "", call)
			var refused *runner.Refusal
			if !errors.As(err, &refused) || refused.Code != c.code {
				t.Errorf("%s, %s: %v", name, call.Verb, err)
			}
		}
	}
	if _, err := l.call(RoomCall{Verb: "send", To: []string{"cid"}, Body: "from: bob"}); err != nil {
		t.Fatal(err)
	}
	if m := l.mails(t); len(m) != 1 || m[0].From != "ann" {
		t.Errorf("mails: %+v", m)
	}
}

// TestCallsCountOnce: a call that is made again under its number is answered as
// the first time and recorded once; one whose number was lost is made anew.
func TestCallsCountOnce(t *testing.T) {
	l := startLive(t)
	first, err := l.call(RoomCall{Verb: "send", To: []string{"bob"}, Body: "one"})
	if err != nil {
		t.Fatal(err)
	}
	var room roomFile
	text, err := os.ReadFile(l.prompt.RoomFile)
	if err != nil || json.Unmarshal(text, &room) != nil {
		t.Fatal(err)
	}
	again := request{Verb: "send", Run: room.Run, Member: "ann", Epoch: 1, Token: room.Token, Call: 1, To: []string{"bob"}, Body: "one"}
	line, err := json.Marshal(again)
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := exchange(t.Context(), room.Socket, append(line, '\n'))
	if err != nil || !r.OK || !r.Duplicate || r.Last != 1 {
		t.Errorf("again: %+v, %v", r, err)
	}
	var a, b struct{ ID string }
	if json.Unmarshal(first, &a) != nil || json.Unmarshal(r.Result, &b) != nil || a.ID == "" || a.ID != b.ID {
		t.Errorf("answered %s, then %s", first, r.Result)
	}
	if err := os.Remove(filepath.Join(filepath.Dir(l.prompt.RoomFile), seqName)); err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{"two", "three"} {
		if _, err := l.call(RoomCall{Verb: "send", To: []string{"bob"}, Body: body}); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
	var bodies []string
	for _, m := range l.mails(t) {
		bodies = append(bodies, m.Body)
	}
	if got := strings.Join(bodies, " "); got != "one two three" {
		t.Errorf("mails: %s", got)
	}
}

// TestCallsOfManyProcesses of one member are all recorded, each once.
func TestCallsOfManyProcesses(t *testing.T) {
	l := startLive(t)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if _, err := l.call(RoomCall{Verb: "send", To: []string{"bob"}, Body: "x"}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := len(l.mails(t)); n != 20 {
		t.Errorf("%d mails of 20", n)
	}
}

// leaky are words of the language this is written in.
var leaky = regexp.MustCompile(`\bGo\b|(^|[^.])json:|host\.|invalid character|\b(open|mkdir|rename|unlink)(at)? `)

// TestH4_Garbage on the socket disturbs nobody.
func TestH4_Garbage(t *testing.T) {
	l := startLive(t)
	var room roomFile
	text, err := os.ReadFile(l.prompt.RoomFile)
	if err != nil || json.Unmarshal(text, &room) != nil {
		t.Fatal(err)
	}
	for name, junk := range map[string]string{
		"no json": "hello\n", "array": "[]\n", "unknown field": `{"verb":"ping","from":"ann"}` + "\n", "nul": "\x00\n",
		"deep": strings.Repeat("[", 100_000) + "\n", "endless": strings.Repeat("x", maxLine+1), "half a line": `{"verb":`, "nothing": "",
	} {
		conn, err := net.Dial("unix", room.Socket)
		if err != nil {
			t.Fatal(err)
		}
		go conn.Write([]byte(junk)) //nolint:errcheck // the runner may hang up first
		if strings.HasSuffix(junk, "\n") || len(junk) > maxLine {
			answer, err := bufio.NewReader(conn).ReadString('\n')
			var r response
			if err != nil || json.Unmarshal([]byte(answer), &r) != nil || r.OK || r.Refusal == nil || leaky.MatchString(answer) {
				t.Errorf("%s: answered %q, %v", name, answer, err)
			}
		}
		conn.Close()
	}
	for range 2 * maxLines { // connections that are left open, then closed
		conn, err := net.Dial("unix", room.Socket)
		if err != nil {
			t.Fatal(err)
		}
		conn.Close()
	}
	if _, err := l.call(RoomCall{Verb: "members"}); err != nil {
		t.Error(err)
	}
	info, err := os.Lstat(room.Socket)
	if err != nil || info.Mode().Perm() != 0o600 || info.Mode().Type() != os.ModeSocket {
		t.Errorf("the socket: %v, %v", info, err)
	}
	folder, err := os.Lstat(filepath.Dir(room.Socket))
	if err != nil || folder.Mode().Perm() != 0o700 {
		t.Errorf("its folder: %v, %v", folder, err)
	}
	if _, err := l.call(RoomCall{Verb: "report", Report: json.RawMessage(`{"text": "ok"}`)}); err != nil {
		t.Error(err)
	}
	if _, err := l.end(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(room.Socket); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket of an ended run: %v", err)
	}
}

func TestPingNeedsNoToken(t *testing.T) {
	l := startLive(t)
	h, held := holderOf(t, l.folder)
	if r, _, err := exchange(t.Context(), h.Socket, []byte(`{"verb":"ping"}`+"\n")); !held || err != nil || !r.OK {
		t.Errorf("ping: %+v, %v", r, err)
	}
	if r, _, err := exchange(t.Context(), h.Socket, []byte(`{"verb":"send","to":["bob"],"body":"x"}`+"\n")); err != nil || r.OK || r.Refusal == nil {
		t.Errorf("a send without token: %+v, %v", r, err)
	}
}

func holderOf(t *testing.T, f Folder) (holder, bool) {
	t.Helper()
	root, err := f.open()
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	h, held, err := probe(root)
	if err != nil {
		t.Fatal(err)
	}
	return h, held
}

func TestDownThroughTheSocket(t *testing.T) {
	l := startLive(t)
	if err := Down(t.Context(), l.folder); err != nil {
		t.Fatal(err)
	}
	if err := Down(t.Context(), l.folder); err != nil && !errors.Is(err, ErrNotLive) {
		t.Errorf("a second down: %v", err)
	}
	r, err := l.end()
	if err != nil || r.Outcome != "cancelled" || r.Exit != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if err := Down(t.Context(), l.folder); !errors.Is(err, ErrNotLive) {
		t.Errorf("down of an ended run: %v", err)
	}
}

// TestUnreachable: a call while no runner is there says so, and its number is
// not used for another call.
func TestUnreachable(t *testing.T) {
	l := startLive(t)
	if _, err := l.call(RoomCall{Verb: "report", Report: json.RawMessage(`{"text": "ok"}`)}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.end(); err != nil {
		t.Fatal(err)
	}
	_, err := callRoom(t.Context(), 0, l.prompt.RoomFile, "", RoomCall{Verb: "send", To: []string{"bob"}, Body: "x"})
	var away *UnreachableError
	if !errors.As(err, &away) || away.Socket == "" {
		t.Errorf("err = %v", err)
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(l.prompt.RoomFile), seqName))
	if err != nil || strings.TrimLeft(strings.TrimSpace(string(text)), "0") != "2" {
		t.Errorf("the last number is %q, %v", text, err)
	}
}
