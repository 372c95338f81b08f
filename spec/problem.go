package spec

import "fmt"

// Pos is a place in a file. Line and Col count from 1, Col in characters; the
// zero Pos is no place.
type Pos struct {
	File string // as the user named it or would name it
	Line int
	Col  int
}

// String is FILE:LINE:COL, or the file alone where there is no line.
func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Severity says whether a problem refuses the spec.
type Severity string

// The severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Problem is one thing wrong with a spec, at its place.
type Problem struct {
	Pos
	// Len is the number of characters the caret line marks, at least 1.
	Len      int
	Severity Severity
	// Code is a stable kebab-case word that `teamrun help CODE` explains.
	Code string
	// Msg is complete with place, problem and remedy, without position and code.
	Msg string
}

// String is the first line of the problem as users see it, complete in itself.
func (p Problem) String() string {
	return fmt.Sprintf("%s: %s: %s [%s]", p.Pos, p.Severity, p.Msg, p.Code)
}
