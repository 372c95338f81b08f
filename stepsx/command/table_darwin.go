package command

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// bootID is different after every boot: a start time counts from it.
func bootID() (string, error) { return unix.Sysctl("kern.bootsessionuuid") }

// lookup reads the row of one process.
func lookup(pid int) (entry, bool) {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(k.Proc.P_pid) != pid {
		return entry{}, false
	}
	return row(*k), true
}

// table reads the rows of all processes whose pid is at least from.
func table(from int) []entry {
	ks, _ := unix.SysctlKinfoProcSlice("kern.proc.all")
	var rows []entry
	for _, k := range ks {
		if int(k.Proc.P_pid) >= from {
			rows = append(rows, row(k))
		}
	}
	return rows
}

func row(k unix.KinfoProc) entry {
	const zombie = 5 // SZOMB
	return entry{
		pid: int(k.Proc.P_pid), parent: int(k.Eproc.Ppid), group: int(k.Eproc.Pgid),
		start: uint64(k.Proc.P_starttime.Sec)*1e6 + uint64(k.Proc.P_starttime.Usec),
		dead:  k.Proc.P_stat == zombie,
		name:  unix.ByteSliceToString(k.Proc.P_comm[:]),
	}
}

// lastPid is not known here; 0 makes every search a full one.
func lastPid() int { return 0 }

// carries reports whether the process was started with the variable. The
// environment of a process cannot be read here: what escapes its group and its
// tree is not found.
func carries(entry, string) bool { return false }

// holders are the other processes that have the other end of a pipe: here they
// cannot be found.
func holders(*os.File) []entry { return nil }

// deliver signals the very process of the row. There are no process handles
// here: the row is compared right before.
func deliver(e entry, sig syscall.Signal) {
	if now, ok := lookup(e.pid); e.pid > 1 && ok && now.start == e.start {
		_ = syscall.Kill(e.pid, sig)
	}
}

// awaitExit blocks until the child has ended and leaves it unreaped: until
// then its pid, and so the name of its group, cannot be used again.
func awaitExit(pid int) {
	kq, err := unix.Kqueue()
	if err != nil {
		return
	}
	defer unix.Close(kq)
	var change unix.Kevent_t
	unix.SetKevent(&change, pid, unix.EVFILT_PROC, unix.EV_ADD|unix.EV_ONESHOT)
	change.Fflags = unix.NOTE_EXIT
	events := make([]unix.Kevent_t, 1)
	for {
		_, err := unix.Kevent(kq, []unix.Kevent_t{change}, events, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}
