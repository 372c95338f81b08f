package host

import (
	"errors"
	"fmt"
	"net"

	"golang.org/x/sys/unix"
)

// peerUID is the user on the other end of a connection.
func peerUID(c *net.UnixConn) (int, error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, err
	}
	var cred *unix.Ucred
	var failed error
	err = raw.Control(func(fd uintptr) {
		cred, failed = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	})
	if err != nil || failed != nil {
		return 0, fmt.Errorf("the other end is unknown: %w", errors.Join(err, failed))
	}
	return int(cred.Uid), nil
}
