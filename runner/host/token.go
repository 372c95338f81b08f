package host

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"strconv"
)

// roomName is the file, 0600, by which a member's processes find their room and
// prove who they are. Each epoch has its own.
const roomName = "room.json"

// roomFile is the text of room.json.
type roomFile struct {
	Run     string `json:"run"`
	Member  string `json:"member"`
	Epoch   int    `json:"epoch"`
	Socket  string `json:"socket"`
	Program string `json:"program,omitempty"` // whose room verbs reach this room
	Token   string `json:"token"`             // 256 random bits, in hex
}

// token is what the runner remembers of a token: enough to know it, too little
// to use it.
type token struct {
	epoch int
	hash  [sha256.Size]byte
}

func (t token) is(text string) bool {
	hash := sha256.Sum256([]byte(text))
	return subtle.ConstantTimeCompare(t.hash[:], hash[:]) == 1
}

// epochFolder is the folder of one session of a member, below the run's.
func epochFolder(member string, epoch int) string {
	return path.Join("members", member, strconv.Itoa(epoch))
}

// grant makes sure that an epoch has its room file and returns the token in it.
// A token that is already there stays: the session may be using it.
func grant(root *os.Root, f roomFile) (token, error) {
	folder := epochFolder(f.Member, f.Epoch)
	name := path.Join(folder, roomName)
	if err := root.MkdirAll(path.Join(folder, "prompts"), 0o700); err != nil {
		return token{}, err
	}
	old, err := readRoomFile(root, name)
	switch {
	case err == nil && old.Run == f.Run && old.Member == f.Member && old.Epoch == f.Epoch && len(old.Token) == hex.EncodedLen(sha256.Size):
		f.Token = old.Token
	default:
		f.Token = newSecret()
	}
	if f != old {
		text, err := json.Marshal(f)
		if err != nil {
			return token{}, err
		}
		if err := writeState(root, name, append(text, '\n'), false); err != nil {
			return token{}, err
		}
	}
	return token{f.Epoch, sha256.Sum256([]byte(f.Token))}, nil
}

func readRoomFile(root *os.Root, name string) (roomFile, error) {
	text, err := readState(root, name)
	if err != nil {
		return roomFile{}, err
	}
	var f roomFile
	if err := json.Unmarshal(text, &f); err != nil {
		return roomFile{}, fmt.Errorf("%s is not a room file", name)
	}
	return f, nil
}
