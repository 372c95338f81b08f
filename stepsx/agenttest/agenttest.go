// Package agenttest is the contract of the kinds of agents: what the host may
// rely on, whatever the technology. Every kind passes it, the scripted one
// included, so that no fake is looser than the real thing.
package agenttest

import (
	"testing"
	"testing/synctest"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/spec"
)

// Behavior is what an agent under test does in every turn.
type Behavior string

// The behaviors a harness has to offer.
const (
	Quiet   Behavior = "quiet"   // ends the turn at once
	Reports Behavior = "reports" // hands in Report, then ends the turn
	Hangs   Behavior = "hangs"   // gives a sign of life and never ends the turn
	Noisy   Behavior = "noisy"   // says Weird, then ends the turn
)

// Schema is the schema of Report.
func Schema() *spec.Schema {
	return &spec.Schema{Name: "note", Fields: []spec.Field{{Name: "note", Type: "text"}}}
}

// Report is the report of the behavior Reports.
const Report = `{"note":"done"}`

// Weird is what a terminal, a log and a decoder like least: half a character,
// escape sequences, NUL, a bell, a separator some take for a line break, and a
// line without an end.
const Weird = "\xf0\x28 \x1b[31mred\x1b]0;title\x07 \x00 \u2028 \u202e {\"half\": \r"

// Harness is a kind under test.
type Harness struct {
	Kind runner.Kind
	// Settings are settings of the kind under which its agents behave that way.
	Settings func(t *testing.T, b Behavior) any
	// Living names the processes that still live of those the post's agent
	// started. It is nil for a kind without processes; its tests then run on a
	// clock of their own.
	Living func(p runner.Post) []string
}

// Run tests the kind.
func Run(t *testing.T, h Harness) {
	for _, c := range contract {
		t.Run(c.name, func(t *testing.T) {
			if h.Living == nil {
				synctest.Test(t, func(t *testing.T) { c.test(t, h) })
				return
			}
			c.test(t, h)
		})
	}
}
