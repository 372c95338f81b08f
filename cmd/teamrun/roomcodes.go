package main

import "github.com/teamrun/teamrun/spec"

// roomCodes explain why a room refuses a call. A refusal changes nothing.
var roomCodes = []spec.Code{
	{Code: "no-recipient", Title: "mail to nobody", Text: `
Name at least one member with --to.`},
	{Code: "mail-to-self", Title: "mail to yourself", Text: `
A member cannot write to itself. What it wants to remember belongs in a file.`},
	{Code: "mail-empty", Title: "mail without text", Text: `
A message needs some text. Without an argument it is read from standard input,
which was empty.`},
	{Code: "mail-too-big", Title: "a message over the bound", Text: `
Messages are for people and prompts. Write large things to a file in the work
folder and send its path.`},
	{Code: "mailbox-full", Title: "the recipient does not keep up", Text: `
The member has too many unread messages. Send again when it has read some.`},
	{Code: "limit-messages", Title: "the limit of messages is reached", Text: `
limits: {messages: N} of the team file bounds the messages of a run. Reaching it
ends the run with exit code 3.`},
	{Code: "report-invalid", Title: "a report that breaks its schema", Text: `
The error says which field is missing or wrong. In a run, report again in the
same turn; the last valid report counts. In the script of a scripted agent,
write the report as the schema of its task wants it.`},
	{Code: "report-too-big", Title: "a report over the bound", Text: `
Put the bulk into a file and report its path.`},
	{Code: "run-ending", Title: "the run is ending", Text: `
A stop was met, a limit was reached or the run was taken down. What comes now is
not taken any more; finish quietly.`},
	{Code: "session-over", Title: "the session was replaced or has ended", Text: `
The member works in a newer session, or not at all. Calls of the old one count
no more.`},
	{Code: "stale-epoch", Title: "the token of an earlier session", Text: `
Each session of a member has its own token. This one belongs to a session that
is over.`},
	{Code: "bad-token", Title: "a token that is not of this room", Text: `
The file TEAMRUN_ROOM names was changed or belongs to something else. Do not copy
room files.`},
	{Code: "other-run", Title: "the token of another run", Text: `
The room file belongs to another run than the one that answered.`},
	{Code: "unknown-verb", Title: "the room does not know the verb", Text: `
The calling program and the runner are of different versions. Use the program
that started the run; it is on the PATH of its members.`},
}
