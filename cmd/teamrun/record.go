package main

import (
	"io"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/host"
	"github.com/teamrun/teamrun/runner/journal"
)

// printRecord writes a record of a journal to standard output, one line of JSON.
func (a *app) printRecord(e journal.Entry) error {
	line, err := journal.Line(e)
	if err != nil {
		return err
	}
	_, _ = io.WriteString(a.out, a.harmlessJSON(string(line)))
	return nil
}

// stepLine is the line a step has in the journal, "" for a step that cannot be
// one: the journal itself would have refused it.
func stepLine(s host.Step) string {
	e := journal.Entry{Record: s.Record}
	for _, effect := range s.Effects {
		e.Effects = append(e.Effects, journal.Stamp{ID: effect.ID, Digest: runner.EffectDigest(effect)})
	}
	line, err := journal.Line(e)
	if err != nil {
		return ""
	}
	return string(line)
}

// sayJSON writes lines of JSON to standard error.
func (a *app) sayJSON(line string) { _, _ = io.WriteString(a.err, a.harmlessJSON(line)) }
