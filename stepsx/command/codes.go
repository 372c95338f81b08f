package command

import "github.com/teamrun/teamrun/spec"

// codes explain what is wrong with a command.
var codes = []spec.Code{
	{Code: "param-program", Title: "a param names the program", Text: `
What a param holds is data. The program a command runs is written in the file.

wrong:  run: ["${params.tool}", check]
right:  run: [tool, check, "${params.base}"]
`},
	{Code: "param-option", Title: "the value of a param would be an option", Text: `
A value that begins with - would change what the program does. Behind -- it is
an argument like any other.

wrong:  run: [git, log, "${params.base}"]        --set base=--exec=evil
right:  run: [git, log, --, "${params.base}"]
`},
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
