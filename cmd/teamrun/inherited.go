package main

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// keepInherited keeps the files that were open when the program was started, but
// for the standard streams, from the processes it starts: members get nothing
// that they were not given.
func keepInherited() {
	open, err := os.ReadDir("/dev/fd")
	if err != nil {
		return // a system that does not list them
	}
	for _, e := range open {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
}
