package main

import "github.com/teamrun/teamrun/spec"

// runCodes explain what this program itself can say.
var runCodes = []spec.Code{
	{Code: "usage", Title: "the command line is wrong", Text: `
Nothing was started. The line below the error shows how the verb is used;
teamrun help VERB explains it.`},
	{Code: "no-such-run", Title: "an argument names no single run", Text: `
A RUN is an id, the start of one, or a team name, which means its newest run.
Without an argument it is the only run that lives or can be resumed, for result
the newest that has ended. When none
or several fit, the error lists them: name one. teamrun ps -a lists all.`},
	{Code: "run-held", Title: "another process drives this run", Text: `
A run has one runner at a time; the error names its process and machine. Look
on with teamrun logs -f, wait with teamrun wait, end it with teamrun down.`},
	{Code: "state-unusable", Title: "the files of a run cannot be read or written", Text: `
The run's folder is damaged, on a full disk, not yours, or of another version of
teamrun. The error says which and what to do. The files are left as they are.`},
	{Code: "environment", Title: "something this machine lacks", Text: `
A folder that cannot be written, a home that cannot be found. It was found before anything started. teamrun help environment names
the variables that say where things are.`},
	{Code: "out-unwritable", Title: "the folder of --out cannot be written", Text: `
up tries the folder for the artifacts out before it starts anything. Make it
writable or name another one; without --out they go into the run's folder.`},
	{Code: "missing-program", Title: "a program that the team runs is not there", Text: `
up looks for the programs of command members and run tasks before it starts
anything: a name in PATH, an absolute path where it says. A path below the work
folder is not looked for, since an earlier task may make the file. Install what
is missing or correct run; resume and validate do not look.`},
	{Code: "output-lost", Title: "standard output cannot be written", Text: `
A full disk, for one. What was printed is incomplete. A run is not touched by
it: teamrun result prints its result again. The exit code stays what it was,
but 0 becomes 1.`},
	{Code: "not-started", Title: "the background process ended at once", Text: `
up -d starts a process that drives the run and waits until it holds it. It ended
before that. Its output is in the file the hint names; the run is kept and can
be taken up with teamrun resume.`},
	{Code: "not-ended", Title: "the run has no result yet", Text: `
A result exists when a run has ended. teamrun ps shows where it is, teamrun wait
waits for its end.`},
	{Code: "has-ended", Title: "the run has ended before", Text: `
down ends a run that lives or is interrupted. This one has its outcome already,
which nothing changes: teamrun result prints it.`},
	{Code: "not-live", Title: "nobody drives the run", Text: `
The run is interrupted: its runner was stopped or killed. Waiting would never
end. teamrun resume goes on with it, teamrun down ends it for good.`},
	{Code: "not-in-a-room", Title: "teamrun room was called outside a run", Text: `
room verbs act as the member that calls them. They find the room by the variable
TEAMRUN_ROOM, which the runner sets for the processes of a member. Call them from
a member's command, or set the variable to its room file.`},
	{Code: "unreachable", Title: "no runner answers the room", Text: `
The run's process does not answer: it was stopped, or the run has ended. Nothing
was sent. Call again when teamrun ps shows the run as live.`},
	{Code: "bad-report", Title: "a report that is no JSON object", Text: `
A report is one JSON object with the fields of the task's schema, from a file,
from standard input, or put together with --set field=text and
--set field:=json.`},
	{Code: "too-large", Title: "more input than a call can carry", Text: `
A message or report may have 16 MiB. Write large things to a file and send its
path.`},
	{Code: "frozen-spec", Title: "the spec of a run was changed", Text: `
A run keeps the spec it was started with. The copy in its folder is not what was
frozen, so nothing that depends on it can go on. Start the run anew.`},
	{Code: "internal-error", Title: "a defect of teamrun", Text: `
This should not happen; exit 6. The run, if one was under way, is kept and can be
resumed. TEAMRUN_DEBUG=1 shows where it happened; please report it.`},
}
