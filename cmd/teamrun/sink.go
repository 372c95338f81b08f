package main

import "fmt"

// sink writes lines in a goroutine of its own: a terminal that stands still
// must not hold a run up. When its reader falls far behind, lines are left out
// and counted; the journal has them all.
type sink struct {
	lines   chan string
	missing int
	done    chan struct{}
}

// sinkLines is how far a reader may fall behind.
const sinkLines = 4096

func newSink(say func(string)) *sink {
	s := &sink{lines: make(chan string, sinkLines), done: make(chan struct{})}
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
		line = fmt.Sprintf("… %d lines left out, teamrun logs has them\n", s.missing) + line
	}
	select {
	case s.lines <- line:
		s.missing = 0
	default:
		s.missing++
	}
}

// close waits until all lines are written.
func (s *sink) close() {
	close(s.lines)
	<-s.done
}
