package main

import "time"

// sink writes lines in a goroutine of its own: a terminal that stands still
// must not hold a run up. When its reader falls far behind, lines are left out
// and counted; the journal has them all.
type sink struct {
	lines   chan string
	lost    func(lines int) string // the line that says how many were left out
	missing int
	done    chan struct{}
}

const (
	// sinkLines is how far a reader may fall behind.
	sinkLines = 4096
	// lastWords is how long the end of the program waits for its reader.
	lastWords = time.Second
)

func newSink(say func(string), lost func(lines int) string) *sink {
	s := &sink{lines: make(chan string, sinkLines), lost: lost, done: make(chan struct{})}
	go func() {
		defer close(s.done)
		for line := range s.lines {
			say(line)
		}
	}()
	return s
}

// write takes a line with its line end and returns at once. It is called by
// one goroutine at a time.
func (s *sink) write(line string) {
	if s.missing > 0 {
		line = s.lost(s.missing) + line
	}
	select {
	case s.lines <- line:
		s.missing = 0
	default:
		s.missing++
	}
}

// close waits until all lines are written, but no longer than lastWords: a
// reader that stands still must not keep the program from ending.
func (s *sink) close() {
	close(s.lines)
	over := time.NewTimer(lastWords)
	defer over.Stop()
	select {
	case <-s.done:
	case <-over.C:
	}
}
