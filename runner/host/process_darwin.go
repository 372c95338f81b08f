package host

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// bootID names this boot of the machine, "" when unknown.
func bootID() string {
	id, _ := unix.Sysctl("kern.bootsessionuuid")
	return id
}

// startTime is when a process was started, in Unix time; "" when there is no
// such process.
func startTime(pid int) string {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d.%06d", info.Proc.P_starttime.Sec, info.Proc.P_starttime.Usec)
}
