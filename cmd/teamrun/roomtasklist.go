package main

import (
	"github.com/spf13/cobra"

	"github.com/teamrun/teamrun/cmd/teamrun/document"
	"github.com/teamrun/teamrun/cmd/teamrun/view"
	"github.com/teamrun/teamrun/runner/host"
)

func newRoomTaskList(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "task-list",
		Short:   "list the tasks of the board",
		Example: "teamrun room task-list\nteamrun room task-list --json",
		Long:    "task-list lists the tasks of the run, who performs them and where they are.",
		Args:    verbArgs(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			doc := document.RoomTasks{Schema: document.RoomTasksSchema}
			return a.ask(cmd.Context(), host.RoomCall{Verb: "task_list"}, &doc, asJSON, func() {
				a.print(view.Tasks(doc.Tasks, a.style(a.out)))
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON (schema teamrun/room-task-list/v1)")
	return cmd
}
