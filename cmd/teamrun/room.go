package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/host"
)

// maxInput bounds what a room verb reads, in bytes: the room takes less.
const maxInput = 1 << 20

func newRoom(a *app) *cobra.Command {
	room := &cobra.Command{
		Use:     "room VERB",
		Short:   "mail, report and look around, from inside a member",
		Example: "teamrun room send --to lead \"the tests are red\"\nteamrun room report --set verdict=approve --set summary=fine",
		Long: `room is for members: agents and scripts that only have a shell. The room is found by
TEAMRUN_ROOM, which the runner sets for the processes of a member; who calls is known
by it and cannot be claimed. A refusal is exit 1 and changes nothing.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownVerb(cmd, args[0])
			}
			return usage(cmd, "teamrun room needs a verb: send, report, members or task-list")
		},
	}
	room.AddCommand(newRoomSend(a), newRoomReport(a), newRoomMembers(a), newRoomTaskList(a))
	return room
}

// roomFile is the room file of the member that runs this process. Whoever reads
// input asks first: outside a room nobody should have to type it.
func (a *app) roomFile() (string, error) {
	file := a.getenv("TEAMRUN_ROOM")
	if file == "" {
		return "", &failure{exit: exitUsage, code: "not-in-a-room", msg: "this process belongs to no member: TEAMRUN_ROOM is not set",
			hints: []string{"call teamrun room from the command of a member of a running team"}}
	}
	return file, nil
}

// call asks the room of the member that runs this process.
func (a *app) call(ctx context.Context, c host.RoomCall) (json.RawMessage, error) {
	file, err := a.roomFile()
	if err != nil {
		return nil, err
	}
	raw, err := host.CallRoom(ctx, file, a.getenv("TEAMRUN_TURN"), c)
	var refusal *runner.Refusal
	if err != nil && !errors.As(err, &refusal) {
		return nil, &failure{exit: exitRefused, code: "unreachable", msg: err.Error()}
	}
	return raw, err
}

// input is a text given as argument, or standard input for none and for "-".
func (a *app) input(args []string) (string, error) {
	if len(args) > 0 && args[0] != "-" {
		return args[0], nil
	}
	return readAll(a.in)
}

// inputFile is the content of a file, or standard input for none and for "-".
func (a *app) inputFile(args []string) (string, error) {
	if len(args) == 0 || args[0] == "-" {
		return readAll(a.in)
	}
	f, err := os.Open(args[0])
	if err != nil {
		return "", &failure{exit: exitUsage, code: "usage", msg: args[0] + " cannot be read: " + reason(err)}
	}
	defer f.Close()
	return readAll(f)
}

func readAll(r io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	switch {
	case err != nil:
		return "", &failure{exit: exitUsage, code: "usage", msg: "the input cannot be read: " + reason(err)}
	case len(text) > maxInput:
		return "", &failure{exit: exitUsage, code: "too-large", msg: "the input has more than 1 MiB"}
	}
	return strings.ToValidUTF8(string(text), "\uFFFD"), nil
}

// ask calls the room, fills the document with the answer and prints it, as JSON
// or by show. Nothing is the answer to a call of which an earlier try was
// recorded.
func (a *app) ask(ctx context.Context, c host.RoomCall, doc any, asJSON bool, show func()) error {
	raw, err := a.call(ctx, c)
	if err != nil {
		return err
	}
	if len(raw) > 0 && json.Unmarshal(raw, doc) != nil {
		return errors.New("the runner answered something this program does not understand; both must be of one version")
	}
	if asJSON {
		return a.printJSON(doc)
	}
	show()
	return nil
}
