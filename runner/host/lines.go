package host

import (
	"net"
	"slices"
	"sync"
)

// maxLines is how many connections a control socket has at a time.
const maxLines = 64

// lines are the open connections of a control socket. Whoever says nothing keeps
// nobody out: when all are taken, the one that has been idle the longest goes.
type lines struct {
	mu      sync.Mutex
	changed *sync.Cond      // one has ended, or is idle again
	idle    []*net.UnixConn // waiting for their caller, the longest first
	busy    map[*net.UnixConn]bool
	closed  bool
}

func newLines() *lines {
	l := &lines{busy: map[*net.UnixConn]bool{}}
	l.changed = sync.NewCond(&l.mu)
	return l
}

// add takes a new connection in, as idle. It waits while all others are being
// answered, and reports false when the socket is closed.
func (l *lines) add(c *net.UnixConn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.closed && len(l.busy) >= maxLines {
		l.changed.Wait()
	}
	if l.closed {
		c.Close()
		return false
	}
	if len(l.idle)+len(l.busy) >= maxLines {
		l.idle[0].Close()
		l.idle = l.idle[1:]
	}
	l.idle = append(l.idle, c)
	return true
}

// begin notes that a call came in over c, which now stays until it is answered.
// It reports false when c had to go.
func (l *lines) begin(c *net.UnixConn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.Index(l.idle, c)
	if i < 0 {
		return false
	}
	l.idle = slices.Delete(l.idle, i, i+1)
	l.busy[c] = true
	return true
}

// end notes that the call over c has its answer.
func (l *lines) end(c *net.UnixConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.busy[c] {
		delete(l.busy, c)
		l.idle = append(l.idle, c)
		l.changed.Signal()
	}
}

// drop closes c and forgets it.
func (l *lines) drop(c *net.UnixConn) {
	c.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.busy, c)
	l.idle = slices.DeleteFunc(l.idle, func(o *net.UnixConn) bool { return o == c })
	l.changed.Signal()
}

// close closes all, and every one that comes later.
func (l *lines) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for _, c := range l.idle {
		c.Close()
	}
	for c := range l.busy {
		c.Close()
	}
	l.idle, l.busy = nil, map[*net.UnixConn]bool{}
	l.changed.Broadcast()
}
