package host

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// lockFile is held with flock by the runner of a run. The kernel lets go of it
// when the process ends, however it ends; what the file says of its holder is
// information, never proof.
const lockFile = "lock"

// holder is what a runner says of itself in the lock file.
type holder struct {
	PID    int    `json:"pid"`
	Host   string `json:"host"`
	Since  int64  `json:"since"`  // Unix time in milliseconds
	Boot   string `json:"boot"`   // boot id of the machine
	Start  string `json:"start"`  // start time of the process, in the system's own form
	Socket string `json:"socket"` // of the control socket
}

// thisProcess is the holder that this process would be.
func thisProcess(now int64, socket string) holder {
	name, _ := os.Hostname()
	pid := os.Getpid()
	return holder{PID: pid, Host: name, Since: now, Boot: bootID(), Start: startTime(pid), Socket: socket}
}

// alive reports whether the process that wrote h provably still lives.
func (h holder) alive() bool {
	return h.PID > 0 && h.Boot != "" && h.Boot == bootID() && h.Start != "" && h.Start == startTime(h.PID)
}

// lock is a held lock.
type lock struct{ file *os.File }

// Somebody who only looks (probe) holds a shared lock for some microseconds. A
// runner that meets one tries again before it believes in another runner.
const (
	lockTries = 20
	lockPause = 5 * time.Millisecond
)

// takeLock takes the lock of a run, or says in a *HeldError who holds it.
func takeLock(root *os.Root, run string, self holder) (*lock, error) {
	f, err := openState(root, lockFile, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		err = flock(f, unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			break
		}
		h := readHolder(f)
		if errors.Is(err, unix.EWOULDBLOCK) && !h.alive() && try < lockTries {
			time.Sleep(lockPause)
			continue
		}
		f.Close()
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return nil, &EnvError{Problem: "the run cannot be locked", Remedy: "put TEAMRUN_HOME on a local disk", Err: err}
		}
		return nil, &HeldError{Run: run, PID: h.PID, Host: h.Host, Since: h.Since}
	}
	l := &lock{f}
	if err := l.say(self); err != nil {
		l.release()
		return nil, err
	}
	return l, nil
}

func (l *lock) say(h holder) error {
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err = l.file.WriteAt(append(text, '\n'), 0)
	return err
}

// release lets go of the lock; the file then names nobody.
func (l *lock) release() {
	l.file.Truncate(0) //nolint:errcheck // the name of a holder that is gone misleads nobody: flock decides
	l.file.Close()
}

// probe says whether a runner holds the run, and which, without taking it.
func probe(root *os.Root) (h holder, held bool, err error) {
	f, err := openState(root, lockFile, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return holder{}, false, nil
	}
	if err != nil {
		return holder{}, false, err
	}
	defer f.Close()
	err = flock(f, unix.LOCK_SH|unix.LOCK_NB)
	if !errors.Is(err, unix.EWOULDBLOCK) {
		return holder{}, false, err
	}
	// A runner that has just taken the lock says in a moment who it is.
	for try := 1; ; try++ {
		if h = readHolder(f); h.PID > 0 || try == lockTries {
			return h, true, nil
		}
		time.Sleep(lockPause)
	}
}

// readHolder reads who holds a lock; the zero holder while it is being written.
func readHolder(f *os.File) holder {
	text, _ := io.ReadAll(io.NewSectionReader(f, 0, 4096))
	var h holder
	if json.Unmarshal(text, &h) != nil {
		return holder{}
	}
	return h
}

// flock is the system call, repeated when a signal cuts it.
func flock(f *os.File, how int) error {
	for {
		if err := unix.Flock(int(f.Fd()), how); err != unix.EINTR {
			return err
		}
	}
}
