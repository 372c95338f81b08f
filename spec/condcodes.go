package spec

// Code explains one code of a problem.
type Code struct {
	Code, Title, Text string
}

// The codes of problems in conditions.
const (
	codeSyntax    = "condition-syntax"
	codeForbidden = "condition-forbidden"
	codeName      = "condition-name"
	codeField     = "condition-field"
	codeType      = "condition-type"
	codeNever     = "condition-never"
	codeConstant  = "condition-constant"
	codeTooLong   = "condition-too-long"
)

// condCodes are the help pages of the codes above.
func condCodes() []Code {
	return []Code{
		{codeSyntax, "The condition cannot be read", `A condition is one expression that is true or false. Compare with == and not with =, join with
and, or and not, and put texts in quotes. A text has to end, and comments belong into the file.

wrong:  when: tasks.qa.state = "done"
right:  when: tasks.qa.state == "done"
`},
		{codeForbidden, "The condition uses something it may not", `Conditions read values and compare them. They have no variables, choices, ranges, records or
joined texts, and only these functions: all any none one count filter map sum len first last min
max abs lower upper trim hasPrefix hasSuffix. There is no clock: time is written as limits and
timeouts. What is absent is not compared with nil: it makes the condition unknown, and x ?? y
gives y while x is absent.

wrong:  when: now() > 100
right:  limits: {wall: 30m}
`},
		{codeName, "The condition names something that does not exist", `Every name in a condition is checked against the file: params.P, members.M.FIELD,
tasks.T.FIELD, findings and run.FIELD. Names are written out, so a misspelled one is found before
anything starts. A name with a hyphen, or one that begins with a digit, stands in brackets.

wrong:  when: members.my-lead.reported
right:  when: members["my-lead"].reported
`},
		{codeField, "The condition reads a value that can never exist", `The name is known, but nothing ever has this value: a run task has output and no report, a
task without report: has no report, a task with several performers has reports.MEMBER, and
findings exist only when a task reports findings.

wrong:  vet: {run: [go, vet, ./...]}       when: tasks.vet.report.summary == "ok"
right:  vet: {run: [go, vet, ./...]}       when: tasks.vet.output == "ok"
`},
		{codeType, "The types in the condition do not fit", `Texts are compared with texts and numbers with numbers. not binds to the next value only, so
not x == y means (not x) == y. The whole has to be true or false.

wrong:  when: tasks.qa.report.score == "10"
right:  when: tasks.qa.report.score == 10
wrong:  when: not tasks.qa.report.verdict == "fail"
right:  when: not (tasks.qa.report.verdict == "fail")
`},
		{codeNever, "The condition can never be true as it stands", `A state or an enum has a fixed set of values, and one that is not among them is never met; or
two parts joined by and exclude each other.

wrong:  when: tasks.qa.state == "finished"
right:  when: tasks.qa.finished
wrong:  when: run.turns > 3 and run.turns < 2
right:  when: run.turns > 3 and run.turns < 20
`},
		{codeConstant, "The condition never changes", `A condition decides by what happens in the run, so it has to name a value of the run. One that
names none is the same for ever. A bound on the whole run is written under limits.

wrong:  when: 1 < 2
right:  when: run.turns >= 2
`},
		{codeTooLong, "The condition is too long", `A condition has at most 4096 bytes and 200 parts, and a pattern of matches at most 256
characters. Split it into several stops, or let a member report the answer as a field.

wrong:  when: tasks.a.done and … and tasks.z99.done
right:  when: tasks.last.done        # last: {needs: [a, …, z99]}
`},
	}
}
