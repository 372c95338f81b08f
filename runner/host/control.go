package host

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"strings"
)

// controlName is the file, 0600, with the secret by which a runner knows the owner
// of its run. It is not in a folder of a member.
const controlName = "control"

// newSecret is 256 random bits, in hex.
func newSecret() string {
	var bits [sha256.Size]byte
	rand.Read(bits[:]) //nolint:errcheck // never fails, see crypto/rand
	return hex.EncodeToString(bits[:])
}

// ownControl makes the owner's secret of this lease.
func ownControl(root *os.Root) (token, error) {
	secret := newSecret()
	if err := writeState(root, controlName, []byte(secret+"\n"), false); err != nil {
		return token{}, err
	}
	return token{hash: sha256.Sum256([]byte(secret))}, nil
}

// readControl is the owner's secret of the newest lease, "" before there is one.
func readControl(root *os.Root) (string, error) {
	text, err := readState(root, controlName)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(text)), err
}
