package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/teamrun/teamrun/cmd/teamrun/document"
	"github.com/teamrun/teamrun/runner/host"
)

func newRoomSend(a *app) *cobra.Command {
	var to []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "send --to NAME [TEXT | -]",
		Short:   "send mail to members",
		Example: "teamrun room send --to lead \"the tests are red\"\ngit diff --stat | teamrun room send --to lead --to tests -",
		Long: `send sends a message to one or several members; --to '*' means everyone you may write
to. Without TEXT, or with -, the text is read from standard input. When the message is
durable its id goes to standard error, for what a member prints may be its report;
--json prints it on standard output.`,
		Args: verbArgs(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(to) == 0 {
				return usage(cmd, "teamrun room send needs --to NAME")
			}
			if _, err := a.roomFile(); err != nil {
				return err
			}
			text, err := a.input(args)
			if err != nil {
				return err
			}
			doc := document.RoomSend{Schema: document.RoomSendSchema}
			return a.ask(cmd.Context(), host.RoomCall{Verb: "send", To: to, Body: text}, &doc, asJSON, func() { a.say(sent(doc)) })
		},
	}
	cmd.Flags().StringArrayVar(&to, "to", nil, "`name` of a member, or '*'; repeatable")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON (schema teamrun/room-send/v1)")
	return cmd
}

// sent says what became of a message: one line, and one on who gets it later.
func sent(doc document.RoomSend) string {
	text := "sent\n"
	if doc.ID != nil {
		text = "sent " + *doc.ID + "\n"
	}
	if len(doc.Waiting) > 0 {
		text += "waiting: " + strings.Join(doc.Waiting, ", ") + " (down; they get it when they come back)\n"
	}
	return text
}
