package command

import "github.com/teamrun/teamrun/spec"

// codes explain what is wrong with a command.
var codes = []spec.Code{
	{Code: "output-form", Title: "the output cannot be the report", Text: `
Standard output becomes the report only in the form of its schema: text fills a
single field of type text, lines a single field {list: text}, findings the
schema findings, json any. Else the program has to report by teamrun room
report, and via: tool says that it does.

wrong:  agents: {check: {kind: command, run: [./check]}}     report: findings
right:  agents: {check: {kind: command, run: [./check], output: findings}}
right:  agents: {check: {kind: command, run: [./check], via: tool}}
`},
}
