package scripted

import (
	"testing"

	"github.com/teamrun/teamrun/stepsx/agenttest"
)

func TestContract(t *testing.T) {
	say := func(text string) Step { return Step{Say: &text} }
	scripts := map[agenttest.Behavior][]Step{
		agenttest.Quiet:   nil,
		agenttest.Reports: {{Report: map[string]any{"note": "done"}}},
		agenttest.Hangs:   {say("here"), {Hang: new(true)}},
		agenttest.Noisy:   {say(agenttest.Weird)},
	}
	agenttest.Run(t, agenttest.Harness{
		Kind: New(),
		Settings: func(_ *testing.T, b agenttest.Behavior) any {
			return &Settings{Script: Script{Turns: []Clause{{Do: scripts[b]}}}}
		},
	})
}
