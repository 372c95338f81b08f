package host

import (
	"errors"
	"fmt"
	"net"
)

// peerUID is the user on the other end of a connection.
func peerUID(c *net.UnixConn) (int, error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, err
	}
	uid := 0
	var failed error
	err = raw.Control(func(fd uintptr) { uid, failed = socketUID(int(fd)) })
	if err := errors.Join(err, failed); err != nil {
		return 0, fmt.Errorf("the other end is unknown: %w", err)
	}
	return uid, nil
}
