package view

import (
	"strings"

	"github.com/teamrun/teamrun/runner/safe"
)

// Glyphs says which signs a stream may carry beside words.
type Glyphs int

// The sets of signs.
const (
	Unicode Glyphs = iota
	ASCII
	NoGlyphs // words alone, for screen readers
)

// Style is how text may look on one stream.
type Style struct {
	Color  bool
	Glyphs Glyphs
}

// The colors, out of the 16 every theme defines.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
)

// paint colors text, or returns it untouched: without color there is not one
// escape byte.
func (s Style) paint(code, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// none stands for a value that does not exist.
func (s Style) none() string {
	if s.Glyphs == Unicode {
		return "–"
	}
	return "-"
}

// mark is the sign of an outcome with the space behind it, "" without signs.
func (s Style) mark(outcome string) string {
	sign := "✗"
	switch outcome {
	case "success":
		sign = "✓"
	case "human":
		sign = "!"
	}
	switch s.Glyphs {
	case NoGlyphs:
		return ""
	case ASCII:
		sign = strings.NewReplacer("✓", "+", "✗", "x").Replace(sign)
	}
	return s.paint(outcomeColor(outcome), sign) + " "
}

func outcomeColor(outcome string) string {
	switch outcome {
	case "success":
		return green
	case "limit", "cancelled", "human":
		return yellow
	}
	return red
}

// oneLine is foreign text as part of one line of ours.
func oneLine(text string, max int) string { return safe.Line(text, max) }
