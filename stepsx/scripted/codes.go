package scripted

import "github.com/teamrun/teamrun/spec"

// codes explain what is wrong with a script.
var codes = []spec.Code{
	{Code: "never-played", Title: "a part of a script that no turn reaches", Text: `
In a turn the first clause that matches is played, and a step that ends the turn
is the last. What stands behind a clause that always matches, or waits for a
turn that never comes, would be lost.

wrong:  turns: [{do: [{say: hi}]}, {on: {turn: 2}, do: [{say: again}]}]
right:  turns: [{on: {turn: 2}, do: [{say: again}]}, {do: [{say: hi}]}]
`},
	{Code: "bad-step", Title: "a step of a script that is none, or two", Text: `
A step is one of say, send, report, spend, take, fail, stop, hang: true and
crash: true. When a session starts it is one of say, take, fail and hang: true.

wrong:  do: [{say: hi, hang: true}]
right:  do: [{say: hi}, {hang: true}]
`},
	{Code: "bad-spend", Title: "an amount that is none", Text: `
spend is an amount in USD, which is added up, or unknown.

wrong:  do: [{spend: 0.25 USD}]
right:  do: [{spend: 0.25}]
`},
}
