package command

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/teamrun/teamrun/runner/safe"
)

// streams are the standard streams of a process.
type streams struct {
	stdin     *os.File
	out, errs *stream
}

// stream is one stream of a process on its way into a capture.
type stream struct {
	read, write *os.File
	capture     *capture
	secrets     *safe.Redactor
	done        chan struct{} // everyone who could write has ended
}

// linger is how long what a process printed last may still be on its way once
// it has ended.
const linger = time.Second

// openStreams opens what the process reads and where it prints. What it reads
// is a file or nothing, never an open pipe: no process can wait for more.
func (l launch) openStreams() (s *streams, err error) {
	s = &streams{}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if l.stdin == "" {
		s.stdin, err = os.Open(os.DevNull)
	} else {
		s.stdin, err = l.folder.root.Open(l.stdin)
	}
	if err != nil {
		return s, err
	}
	if s.out, err = l.openStream(stdoutFile); err != nil {
		return s, err
	}
	if err := s.out.capture.open(); err != nil { // records name it, also when it is empty
		return s, err
	}
	s.errs, err = l.openStream(stderrFile)
	return s, err
}

func (l launch) openStream(name string) (*stream, error) {
	file := func() (*os.File, error) {
		return l.folder.root.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	}
	s := &stream{capture: newCapture(file, l.printed), secrets: l.secrets, done: make(chan struct{})}
	var err error
	s.read, s.write, err = os.Pipe()
	return s, err
}

// follow begins to read. The process has its own handle of the other end.
func (s *streams) follow() {
	for _, st := range []*stream{s.out, s.errs} {
		st.write.Close()
		go func() {
			defer close(st.done)
			st.copy()
		}()
	}
}

// copy reads until nobody can write any more, or it is told to stop.
func (s *stream) copy() {
	from := io.TeeReader(s.read, &s.capture.plain)
	if s.secrets == nil {
		_, _ = io.Copy(s.capture, from)
		return
	}
	w := safe.NewWriter(s.capture, s.secrets)
	_, _ = io.Copy(w, from)
	_ = w.Close() // a capture takes everything
}

// ended reports whether nobody can write any more, and waits for it no longer
// than linger.
func (s *streams) ended(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, linger)
	defer cancel()
	for _, st := range []*stream{s.out, s.errs} {
		select {
		case <-st.done:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// holders are the processes that can write to one of the streams.
func (s *streams) holders() []entry {
	return append(holders(s.out.read), holders(s.errs.read)...)
}

// finish stops to read, also when somebody still could write.
func (s *streams) finish() {
	for _, st := range []*stream{s.out, s.errs} {
		_ = st.read.SetReadDeadline(time.Now())
		<-st.done
	}
}

func (s *streams) close() {
	if s.stdin != nil {
		s.stdin.Close()
	}
	for _, st := range []*stream{s.out, s.errs} {
		if st != nil {
			st.read.Close()
			st.write.Close()
			st.capture.close()
		}
	}
}
