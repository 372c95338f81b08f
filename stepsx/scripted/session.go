package scripted

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/teamrun/teamrun/runner/safe"
)

// The files of a session, in the member's folder for its epoch.
const (
	turnsFile      = "turns.ndjson"   // marks, the truth about what was begun
	crashedFile    = "crashed"        // the session died
	transcriptFile = "transcript.txt" // for people
)

// session is the folder of one epoch.
type session struct {
	epoch      int
	root       *os.Root
	transcript *os.File
	begun      map[string]bool // effects, as the marks say
	tries      map[work]int    // turns begun for a task in a round
}

// work is what the turns of one chain are for.
type work struct {
	task  string
	round int
}

// openSession opens the folder of an epoch below folder and makes it if need
// be.
func openSession(folder string, epoch int) (*session, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	top, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer top.Close()
	name := strconv.Itoa(epoch)
	if err := top.MkdirAll(name, 0o700); err != nil {
		return nil, err
	}
	root, err := top.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	transcript, err := root.OpenFile(transcriptFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		root.Close()
		return nil, err
	}
	s := &session{epoch: epoch, root: root, transcript: transcript, begun: map[string]bool{}, tries: map[work]int{}}
	for m := range s.marks() {
		s.count(m)
	}
	return s, nil
}

func (s *session) close() {
	s.transcript.Close()
	s.root.Close()
}

func (s *session) count(m mark) {
	if m.Begun != "" {
		s.begun[m.Begun] = true
		s.tries[work{m.Task, m.Round}]++
	}
}

// tell writes a line of the transcript. Line breaks within it are indented, so
// that no text looks like a line of its own.
func (s *session) tell(format string, args ...any) {
	text := safe.Text(fmt.Sprintf(format, args...))
	text = strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
	_, _ = s.transcript.WriteString(text + "\n")
}

// done tells what was done in the room, or why the room refused it.
func (s *session) done(err error, format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	if err != nil {
		what += "\nrefused: " + err.Error()
	}
	s.tell("%s", what)
}

func (s *session) crash() {
	_ = s.root.WriteFile(crashedFile, nil, 0o600)
}

func (s *session) crashed() bool {
	_, err := s.root.Lstat(crashedFile)
	return err == nil
}
