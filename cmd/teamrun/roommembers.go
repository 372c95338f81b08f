package main

import (
	"github.com/spf13/cobra"

	"github.com/teamrun/teamrun/cmd/teamrun/document"
	"github.com/teamrun/teamrun/cmd/teamrun/view"
	"github.com/teamrun/teamrun/runner/host"
)

func newRoomMembers(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "members",
		Short:   "list the members of the room",
		Example: "teamrun room members\nteamrun room members --json",
		Long:    "members lists who is in the room, who manages whom, and what each does now.",
		Args:    verbArgs(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			doc := document.RoomMembers{Schema: document.RoomMembersSchema}
			return a.ask(cmd.Context(), host.RoomCall{Verb: "members"}, &doc, asJSON, func() {
				a.print(view.Members(doc.Members, a.style(a.out)))
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON (schema teamrun/room-members/v1)")
	return cmd
}
