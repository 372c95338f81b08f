package command

import (
	"bytes"
	"sync"
	"time"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/safe"
)

// signs tells that a process prints: a sign of life with its last line, at most
// one a second. None comes once the process has ended and its streams are read.
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
	if time.Since(s.last) < time.Second {
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
