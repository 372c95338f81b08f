package document

import "github.com/teamrun/teamrun/spec"

// ValidationSchema names the schema of Validation.
const ValidationSchema = "teamrun/validate/v1"

// Validation is what `teamrun validate --json` prints.
type Validation struct {
	Schema   string    `json:"schema"`
	Spec     string    `json:"spec"` // the file, as a user names it
	OK       bool      `json:"ok"`   // nothing refuses it
	Team     *string   `json:"team"` // name of the team; null: refused
	Members  *int      `json:"members"`
	Tasks    *int      `json:"tasks"`
	Problems []Problem `json:"problems"`
}

// Problem is one thing wrong with a spec.
type Problem struct {
	File     string `json:"file"`
	Line     int    `json:"line"`   // from 1; 0: the whole file
	Column   int    `json:"column"` // in characters, from 1
	Length   int    `json:"length"` // in characters
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Message  string `json:"message"`
}

// NewValidation is the document about the spec file; team is nil when it was
// refused.
func NewValidation(file string, team *spec.Team, problems []spec.Problem) Validation {
	v := Validation{Schema: ValidationSchema, Spec: file, OK: team != nil, Problems: []Problem{}}
	if team != nil {
		members, tasks := len(team.Members), len(team.Tasks)
		v.Team, v.Members, v.Tasks = &team.Name, &members, &tasks
	}
	for _, p := range problems {
		v.Problems = append(v.Problems, Problem{
			File: p.File, Line: p.Line, Column: p.Col, Length: p.Len,
			Severity: string(p.Severity), Code: p.Code, Message: p.Msg,
		})
	}
	return v
}
