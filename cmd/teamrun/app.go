package main

import (
	"encoding/json"
	"io"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/teamrun/teamrun/cmd/teamrun/view"
	"github.com/teamrun/teamrun/runner/safe"
)

// app is what every verb works with: the streams, the environment and the clock
// of one call of the program, and the flags all verbs share.
type app struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string
	now      func() time.Time
	terminal func(stream any) bool

	color    string // --color
	progress string // --progress
}

// print writes data for people to standard output. A reader that went away is
// no reason to fail: whoever closes the stream has seen enough.
func (a *app) print(text string) { _, _ = io.WriteString(a.out, a.harmless(text)) }

// say writes to standard error.
func (a *app) say(text string) { _, _ = io.WriteString(a.err, a.harmless(text)) }

// printJSON writes one document to standard output.
func (a *app) printJSON(doc any) error {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return err
	}
	_, _ = io.WriteString(a.out, a.harmlessJSON(b.String()))
	return nil
}

// harmless keeps text from being read as commands by the CI system that scans
// our streams.
func (a *app) harmless(text string) string {
	if a.scanned() {
		return safe.CI(text)
	}
	return text
}

// harmlessJSON does the same for JSON without changing its values: a document
// cannot begin a line with ::, and ## only occurs inside strings. Nothing in it
// is obeyed by a terminal or hidden from a reader.
func (a *app) harmlessJSON(text string) string {
	text = safe.JSON(text)
	if a.scanned() {
		return strings.ReplaceAll(text, "##", `#\u0023`)
	}
	return text
}

// scanned reports whether a CI system reads commands from our output.
func (a *app) scanned() bool {
	return a.getenv("GITHUB_ACTIONS") != "" || a.getenv("TF_BUILD") != "" || a.getenv("TEAMCITY_VERSION") != ""
}

// style is how text may look on a stream.
func (a *app) style(stream any) view.Style {
	return view.Style{Color: view.Color(a.color, a.getenv, a.terminal(stream)), Glyphs: view.Signs(a.getenv)}
}

// attended reports whether somebody sits at a terminal who can be asked.
func (a *app) attended() bool {
	return a.getenv("CI") == "" && (a.terminal(a.in) || a.terminal(a.err))
}

// log is where the parts below report what only a developer wants to know.
func (a *app) log() hclog.Logger {
	if a.getenv("TEAMRUN_DEBUG") == "" {
		return hclog.NewNullLogger()
	}
	return hclog.New(&hclog.LoggerOptions{Name: "teamrun", Level: hclog.Debug, Output: a.err})
}
