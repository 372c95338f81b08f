package journal

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// The head file names the last acknowledged record. It is written after each
// commit and never waited for: after a loss of power it may be old, which
// harms nothing, but it can never be ahead of what the disk had acknowledged.
const headSuffix = "-head"

const headSize = 16

func openHead(path string) (*os.File, error) {
	f, err := os.OpenFile(path+headSuffix, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, explainFile(path+headSuffix, err)
	}
	if err := f.Chmod(0o600); err != nil { // whatever the umask
		f.Close()
		return nil, explainFile(path+headSuffix, err)
	}
	return f, nil
}

func writeHead(f *os.File, end link) error {
	var b [headSize]byte
	binary.LittleEndian.PutUint64(b[0:], end.seq)
	binary.LittleEndian.PutUint32(b[8:], end.sum)
	binary.LittleEndian.PutUint32(b[12:], crc32.Checksum(b[:12], castagnoli))
	_, err := f.WriteAt(b[:], 0)
	return err
}

// readHead returns link{} when there is no head or it is not whole.
func readHead(path string) (link, error) {
	f, err := os.OpenFile(path+headSuffix, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return link{}, nil
	}
	if err != nil {
		return link{}, explainFile(path+headSuffix, err)
	}
	defer f.Close()
	var b [headSize]byte
	if _, err := io.ReadFull(f, b[:]); err != nil {
		return link{}, nil
	}
	if crc32.Checksum(b[:12], castagnoli) != binary.LittleEndian.Uint32(b[12:]) {
		return link{}, nil
	}
	return link{binary.LittleEndian.Uint64(b[0:]), binary.LittleEndian.Uint32(b[8:])}, nil
}
