package document

import "github.com/teamrun/teamrun/runner"

// The schemas of the room verbs.
const (
	RoomSendSchema    = "teamrun/room-send/v1"
	RoomReportSchema  = "teamrun/room-report/v1"
	RoomMembersSchema = "teamrun/room-members/v1"
	RoomTasksSchema   = "teamrun/room-task-list/v1"
)

// RoomSend is what `teamrun room send --json` prints.
type RoomSend struct {
	Schema  string   `json:"schema"`
	ID      *string  `json:"id"`      // of the message; null: an earlier try of this call was recorded
	To      []string `json:"to"`      // who gets it; null: as id
	Waiting []string `json:"waiting"` // those of them that are down; null: none
}

// RoomReport is what `teamrun room report --json` prints.
type RoomReport struct {
	Schema string  `json:"schema"`
	ID     *string `json:"id"` // of the report; null: an earlier try of this call was recorded
}

// RoomMembers is what `teamrun room members --json` prints.
type RoomMembers struct {
	Schema  string              `json:"schema"`
	Members []runner.MemberView `json:"members"`
}

// RoomTasks is what `teamrun room task-list --json` prints.
type RoomTasks struct {
	Schema string            `json:"schema"`
	Tasks  []runner.TaskView `json:"tasks"`
}
