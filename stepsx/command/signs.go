package command

import (
	"bytes"
	"sync"
	"time"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/safe"
)

// signs tells that a process prints: a sign of life with its last line, at most
// one a second and none once the turn is over.
type signs struct {
	mu     sync.Mutex
	effect string
	tell   func(runner.TurnProgress)
	clean  func(string) string
	last   time.Time
}

// signChars bounds the line of a sign, in characters.
const signChars = 100

func (s *signs) printed(p []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tell == nil || time.Since(s.last) < time.Second {
		return
	}
	s.last = time.Now()
	line := bytes.TrimSpace(p)
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	line = line[:min(len(line), overlap)]
	s.tell(runner.TurnProgress{
		Effect: s.effect, What: runner.ProgressSign, Text: safe.Line(s.clean(string(line)), signChars),
	})
}

// end returns when no sign is on its way; none follows.
func (s *signs) end() {
	s.mu.Lock()
	s.tell = nil
	s.mu.Unlock()
}
