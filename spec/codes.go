package spec

import (
	_ "embed"
	"slices"
	"strings"
)

// codesPage holds the help pages of the codes of this package, each below a
// line "## CODE: Title".
//
//go:embed codes.md
var codesPage string

// Codes is the help page of every code that Load can report, sorted by code.
func Codes() []Code {
	codes := condCodes()
	for section := range strings.SplitSeq(codesPage, "\n## ") {
		head, text, _ := strings.Cut(section, "\n")
		if code, title, ok := strings.Cut(head, ": "); ok {
			codes = append(codes, Code{Code: code, Title: title, Text: strings.Trim(text, "\n") + "\n"})
		}
	}
	slices.SortFunc(codes, func(a, b Code) int { return strings.Compare(a.Code, b.Code) })
	return codes
}
