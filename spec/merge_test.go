package spec

import (
	"strings"
	"testing"
)

// TestA06_Merge: a key of the mapping wins over a merged one, an earlier merge
// over a later, and lists are replaced.
func TestA06_Merge(t *testing.T) {
	team := good(t, `teamrun: v1
x-a: &a {agent: able, tools: [read], turn_timeout: 1m}
x-b: &b {tools: [other], turn_timeout: 2m, stall_after: 3m, writes: none}
x-all: &all
  one: {agent: fake}
  two: {agent: fake, brief: merged}
members:
  <<: *all
  two: {agent: fake, brief: own}
  three: {<<: [*a, *b], tools: [write]}
`)
	if got := strings.Join(team.memberNames(), " "); got != "two three one" {
		t.Errorf("members: %s", got)
	}
	if got := team.Tasks[0].Brief.String(); got != "own" {
		t.Errorf("brief: %s", got)
	}
	three := team.Members[1]
	if three.Agent.Name != "able" || strings.Join(three.Agent.Tools, " ") != "write" || three.TurnTimeout.String() != "1m0s" || three.StallAfter.String() != "3m0s" || three.Writes.Mode != "none" {
		t.Errorf("%+v", three)
	}
}

func TestA06_MergeIntoFreeData(t *testing.T) {
	team := good(t, `teamrun: v1
x-a: &a {k: merged, other: 1}
agents: {s: {kind: script, script: {turns: [{data: {<<: *a, k: own}}]}}}
members: {m: {agent: s, brief: x}}
`)
	data := team.Agents[0].Settings.(*scriptSettings).Script.Turns[0].Data
	if data["k"] != "own" || data["other"] != 1 {
		t.Errorf("%v", data)
	}
}
