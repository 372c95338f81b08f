package command

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// bootID is different after every boot: a start time counts from it.
func bootID() (string, error) {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(b)), err
}

// lookup reads the row of one process.
func lookup(pid int) (entry, bool) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return entry{}, false
	}
	// The name stands in parentheses and may hold anything, these included.
	open, end := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')')
	if open < 0 || end < open {
		return entry{}, false
	}
	f := strings.Fields(string(b[end+1:]))
	if len(f) < 20 {
		return entry{}, false
	}
	e := entry{pid: pid, name: string(b[open+1 : end]), dead: f[0] == "Z" || f[0] == "X"}
	e.parent, _ = strconv.Atoi(f[1])
	e.group, _ = strconv.Atoi(f[2])
	e.start, err = strconv.ParseUint(f[19], 10, 64)
	return e, err == nil
}

// table reads the rows of all processes whose pid is at least from.
func table(from int) []entry {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var rows []entry
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || pid < from {
			continue
		}
		if e, ok := lookup(pid); ok {
			rows = append(rows, e)
		}
	}
	return rows
}

// lastPid is the pid the system gave out last.
func lastPid() int {
	b, _ := os.ReadFile("/proc/loadavg")
	f := strings.Fields(string(b))
	if len(f) == 0 {
		return 0
	}
	pid, _ := strconv.Atoi(f[len(f)-1])
	return pid
}

// carries reports whether the process was started with the variable, as
// NAME=value. What another user runs cannot be read and carries nothing.
func carries(e entry, variable string) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(e.pid) + "/environ")
	if err != nil {
		return false
	}
	return bytes.Contains(append([]byte{0}, b...), []byte("\x00"+variable+"\x00"))
}

// holders are the other processes that have the other end of a pipe. Those of
// another user cannot be looked into.
func holders(pipe *os.File) []entry {
	info, err := pipe.Stat()
	if err != nil {
		return nil
	}
	link := "pipe:[" + strconv.FormatUint(info.Sys().(*syscall.Stat_t).Ino, 10) + "]"
	var found []entry
	for _, e := range table(0) {
		dir := "/proc/" + strconv.Itoa(e.pid) + "/fd/"
		fds, err := os.ReadDir(dir)
		if err != nil || e.pid == os.Getpid() {
			continue
		}
		if slices.ContainsFunc(fds, func(fd os.DirEntry) bool { to, _ := os.Readlink(dir + fd.Name()); return to == link }) {
			found = append(found, e)
		}
	}
	return found
}

// deliver signals the very process of the row: the handle is opened first and
// the row compared after, so that a pid used again is never hit.
func deliver(e entry, sig syscall.Signal) {
	if e.pid <= 1 {
		return // to the system these are not one process
	}
	fd, err := unix.PidfdOpen(e.pid, 0)
	if err != nil && !errors.Is(err, unix.ENOSYS) {
		return
	}
	if err == nil {
		defer unix.Close(fd)
	}
	if now, ok := lookup(e.pid); !ok || now.start != e.start {
		return
	}
	if err != nil {
		_ = syscall.Kill(e.pid, sig) // a kernel without process handles
		return
	}
	_ = unix.PidfdSendSignal(fd, sig, nil, 0)
}

// awaitExit blocks until the child has ended and leaves it unreaped: until
// then its pid, and so the name of its group, cannot be used again.
func awaitExit(pid int) {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}
