package scripted

import (
	"bytes"
	"encoding/json"
	"iter"
	"os"

	"github.com/teamrun/teamrun/runner"
)

// mark is a line of the marks of a session: a turn that begins, or one that
// ended.
type mark struct {
	Begun string            `json:"begun,omitempty"` // its effect
	Task  string            `json:"task,omitempty"`
	Round int               `json:"round,omitempty"`
	Ended *runner.TurnEnded `json:"ended,omitempty"`
}

// begin marks the begin of a turn. The mark is on the disk when begin returns:
// after a loss of power too nothing that was perhaps begun looks as if it never
// was.
func (s *session) begin(p runner.Prompt) error {
	m := mark{Begun: p.Effect, Task: p.Task, Round: p.Round}
	file, err := s.append(m)
	if err != nil {
		return err
	}
	defer file.Close()
	s.count(m)
	return file.Sync()
}

// end marks the end of a turn. It need not outlive a loss of power.
func (s *session) end(e runner.TurnEnded) {
	if file, err := s.append(mark{Ended: &e}); err == nil {
		file.Close()
	}
}

func (s *session) append(m mark) (*os.File, error) {
	line, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	file, err := s.root.OpenFile(turnsFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	// The line break comes first: it ends a line that a crash tore.
	if _, err := file.Write(append([]byte("\n"), line...)); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// marks are the marks that can be read. A torn one was never acted on.
func (s *session) marks() iter.Seq[mark] {
	data, _ := s.root.ReadFile(turnsFile)
	return func(yield func(mark) bool) {
		for line := range bytes.Lines(data) {
			var m mark
			if json.Unmarshal(line, &m) == nil && !yield(m) {
				return
			}
		}
	}
}

// ended is the outcome the effect was marked with.
func (s *session) ended(effect string) (runner.TurnEnded, bool) {
	for m := range s.marks() {
		if m.Ended != nil && m.Ended.Effect == effect {
			return *m.Ended, true
		}
	}
	return runner.TurnEnded{}, false
}
