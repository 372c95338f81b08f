package host

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// bootID names this boot of the machine, "" when unknown.
func bootID() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(id))
}

// startTime is when a process was started, in clock ticks since boot; "" when
// there is no such process or it is a zombie.
func startTime(pid int) string {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return ""
	}
	// The name of the program, in brackets, may hold spaces and brackets.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	const state, start = 0, 19 // counted behind the name
	if len(fields) <= start || string(fields[state]) == "Z" {
		return ""
	}
	return string(fields[start])
}
