package scripted

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/teamrun/teamrun/spec"
)

// team is a team file whose member ann plays the script.
func team(script string) string {
	return `teamrun: v1
name: t
schemas: {verdict: {verdict: {enum: [approve, block]}}}
members:
  ann: {agent: player}
  bob: {agent: other}
tasks:
  build: {for: ann, report: verdict, brief: build it}
  test: {for: bob, brief: test it}
  tidy: {for: ann, brief: tidy up}
agents:
  other: {kind: scripted, script: {}}
  player:
    kind: scripted
` + "    script:\n" + indent(script)
}

func indent(s string) string {
	return "      " + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n      ") + "\n"
}

// load loads a team file that stands with files in a folder of its own.
func load(t testing.TB, text string, files map[string]string) (*spec.Team, []string) {
	t.Helper()
	dir := t.TempDir()
	files["team.yaml"] = text
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	loaded, problems := spec.Load(filepath.Join(dir, "team.yaml"), spec.LoadOptions{Kinds: []spec.Kind{New().Spec()}})
	var said []string
	for _, p := range problems {
		p.File = filepath.Base(p.File)
		said = append(said, p.String())
	}
	return loaded, said
}

const goodScript = `
starts:
  - on: {epoch: 1}
    do: [{say: waking}, {take: 1s}, {fail: auth}]
turns:
  - on: {task: build, attempt: 1}
    do:
      - say: compiling
      - take: 1m30s
      - {fail: {class: rate_limited, code: "429", text: slow down, seen: no}}
  - on: {task: build, mode: nudge}
    do: [{stop: max_tokens}]
  - on: {task: build}
    do:
      - send: {to: bob, text: "costs ${params.x} and $5"}
      - send: {to: "*", text: "two\\nlines"}
      - report: {verdict: approve}
      - spend: 0.25
      - spend: unknown
  - on: {mode: mail, mail_from: bob}
    do: [{report: {any: thing}}]
  - on: {task: tidy}
    do: [{report: {any: thing}}]
  - on: {mail_from: bob, turn: 7}
    do: [{hang: true}]
  - on: {mail_from: human}
    do: [{crash: true}]
  - do: [{say: nothing}]
`

func TestScriptsLoad(t *testing.T) {
	loaded, problems := load(t, team(strings.TrimLeft(goodScript, "\n")), map[string]string{})
	if len(problems) > 0 {
		t.Fatalf("problems of a good script:\n%s", strings.Join(problems, "\n"))
	}
	script := loaded.Members[0].Agent.Settings.(*Settings).Script
	if got := *script.Turns[0].Do[2].Fail; got != (Fail{"rate_limited", "429", "slow down", "no"}) {
		t.Errorf("fail = %+v", got)
	}
	if got := *script.Starts[0].Do[2].Fail; got != (Fail{Class: "auth", Seen: "yes"}) {
		t.Errorf("short fail = %+v", got)
	}
	if got := script.Turns[2].Do[0].Send.Text; got != "costs ${params.x} and $5" {
		t.Errorf("text = %q: nothing is expanded in a script", got)
	}
}

// TestScriptProblems: each mistake is refused at its place, in the team file
// and in a file of its own.
func TestScriptProblems(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"recipient", `turns: [{do: [{send: {to: bop, text: hi}}]}]`,
			`1:27: error: no member "bop" (did you mean "bob"?) [unknown-member]`},
		{"recipient in a list", `turns: [{do: [{send: {to: [bob, bop], text: hi}}]}]`,
			`1:33: error: no member "bop" (did you mean "bob"?) [unknown-member]`},
		{"task", `turns: [{on: {task: buidl}, do: [{say: x}]}]`,
			`1:21: error: no task "buidl" (did you mean "build"?) [unknown-task]`},
		{"another's task", `turns: [{on: {task: test}, do: [{say: x}]}]`,
			`1:21: warning: no member of agent player performs task "test" [never-played]`},
		{"sender", `turns: [{on: {mail_from: bop}, do: [{say: x}]}]`,
			`1:26: error: no member "bop" (did you mean "bob"?) [unknown-member]`},
		{"mode", `turns: [{on: {mode: nugde}, do: [{say: x}]}]`,
			`1:21: error: agents.player.script.turns[0].on.mode must be brief, mail, nudge or go_on, not "nugde" (did you mean "nudge"?) [unknown-value]`},
		{"class", `turns: [{do: [{fail: rate_limit}]}]`,
			`1:22: error: agents.player.script.turns[0].do[0].fail.class must be exit, no_report, max_tokens, rate_limited, overloaded, usage_cap, auth, context_full, refusal, tool_denied, turn_limit, network, provider, crashed, stalled, blocked, protocol, gone or unknown, not "rate_limit" (did you mean "rate_limited"?) [unknown-value]`},
		{"class in the long form", `turns: [{do: [{fail: {class: rate_limit}}]}]`,
			`1:30: error: agents.player.script.turns[0].do[0].fail.class must be exit, no_report, max_tokens, rate_limited, overloaded, usage_cap, auth, context_full, refusal, tool_denied, turn_limit, network, provider, crashed, stalled, blocked, protocol, gone or unknown, not "rate_limit" (did you mean "rate_limited"?) [unknown-value]`},
		{"seen", `turns: [{do: [{fail: {class: auth, seen: maybe}}]}]`,
			`1:42: error: agents.player.script.turns[0].do[0].fail.seen must be yes, no or unknown, not "maybe" [unknown-value]`},
		{"turn 0", `turns: [{on: {turn: 0}, do: [{say: x}]}]`,
			`1:21: error: agents.player.script.turns[0].on.turn must be at least 1, not 0 [out-of-range]`},
		{"turn past the limit", `turns: [{on: {turn: 201}, do: [{say: x}]}]`,
			`1:21: error: turn 201 never comes: limits.turns is 200 [never-played]`},
		{"mail turn with a task", `turns: [{on: {mode: mail, task: build}, do: [{say: x}]}]`,
			`1:21: error: a turn for mail alone has no task; leave out task or mode [never-played]`},
		{"mail turn with an attempt", `turns: [{on: {mode: mail, attempt: 2}, do: [{say: x}]}]`,
			`1:21: error: a turn for mail alone has no round and no attempt; leave them out or the mode [never-played]`},
		{"report of another form", `turns: [{on: {task: build}, do: [{report: {verdict: aprove}}]}]`,
			`1:43: error: the report breaks its schema: verdict must be one of approve, block, not the text "aprove" [report-invalid]`},
		{"report without its field", `turns: [{do: [{report: {}}]}]`,
			`1:24: error: the report breaks its schema: verdict is missing: it must be one of approve, block [report-invalid]`},
		{"nudge for a task without a report", "turns: [{on: {task: tidy, mode: nudge}, do: [{say: x}]}]",
			`1:33: error: nobody is nudged for task "tidy", which has no report [never-played]`},
		{"step after the end", `turns: [{do: [{hang: true}, {say: x}]}]`,
			`1:29: error: this step is never reached: hang before it ends the turn [never-played]`},
		{"two verbs", `turns: [{do: [{say: x, hang: true}]}]`,
			`1:15: error: a step is one of say, send, report, spend, take, fail, stop, hang: true and crash: true, not say and hang at once; write one step for each [bad-step]`},
		{"no verb", `turns: [{do: [{hang: false}]}]`,
			`1:15: error: false says nothing; write hang: true or leave the step out [bad-step]`},
		{"unknown verb", `turns: [{do: [{tell: x}]}]`,
			`1:16: error: unknown key "tell" in agents.player.script.turns[0].do[0] (say, send, report, spend, take, fail, stop, hang, crash) [unknown-key]`},
		{"take without a unit", `turns: [{do: [{take: 2}]}]`,
			`1:22: error: agents.player.script.turns[0].do[0].take: 2 has no unit; write 2s or 2m [duration-unit]`},
		{"spend that is no amount", `turns: [{do: [{spend: -1}]}]`,
			`1:23: error: spend must be an amount in USD such as 0.25, or unknown, not -1 [bad-spend]`},
		{"stop", `turns: [{do: [{stop: max_token}]}]`,
			`1:22: error: agents.player.script.turns[0].do[0].stop must be max_tokens or refusal, not "max_token" (did you mean "max_tokens"?) [unknown-value]`},
		{"never played", `turns: [{on: {task: build}, do: [{say: x}]}, {on: {task: build, turn: 2}, do: [{say: y}]}]`,
			`1:46: error: this clause is never played: clause 1 of the list matches whenever it does; put this one before it or make it differ [never-played]`},
		{"after a clause that always matches", `turns: [{do: [{say: x}]}, {on: {turn: 2}, do: [{say: y}]}]`,
			`1:27: error: this clause is never played: clause 1 of the list matches whenever it does; put this one before it or make it differ [never-played]`},
		{"start with more than an epoch", `starts: [{on: {turn: 1}, do: [{say: x}]}]`,
			`1:16: error: unknown key "turn" in agents.player.script.starts[0].on (epoch) [unknown-key]`},
		{"start with a report", `starts: [{do: [{report: {verdict: approve}}]}]`,
			`1:17: error: unknown key "report" in agents.player.script.starts[0].do[0] (say, take, fail, hang) [unknown-key]`},
		{"an empty start", `starts: [{do: [{}]}]`,
			`1:16: error: an empty step; write one of say, take, fail and hang: true [bad-step]`},
		{"a start that says nothing", `starts: [{do: [{hang: false}]}]`,
			`1:16: error: false says nothing; write hang: true or leave the step out [bad-step]`},
		{"no steps", `turns: [{on: {turn: 1}}]`,
			`1:9: error: agents.player.script.turns[0] needs the key "do"; write do: [{say: hi}] [missing-key]`},
		{"unknown key", `tunrs: []`,
			`1:1: error: unknown key "tunrs" in agents.player.script (did you mean "turns"?) [unknown-key]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, own := load(t, strings.Replace(team(""), "    script:\n", "    script: {file: ann.yaml}\n", 1), map[string]string{"ann.yaml": c.script})
			if got, want := strings.Join(own, "\n"), "ann.yaml:"+c.want; got != want {
				t.Errorf("problems\n%s\nwant\n%s", got, want)
			}
		})
	}
}
