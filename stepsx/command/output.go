package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/teamrun/teamrun/spec"
)

// errNoReport is wrapped by what makes an output useless as a report.
var errNoReport = errors.New("no report")

// maxReport bounds an output that is taken as a report, in bytes.
const maxReport = 256 << 10

// asReport is the output as a report of the schema: nil when it is empty or of
// another form than the schema, so that the report has to come another way.
func asReport(mode string, schema *spec.Schema, out plain) (json.RawMessage, error) {
	if out.bytes == 0 || !takes(mode, schema) {
		return nil, nil
	}
	if out.bytes > maxReport {
		return nil, fmt.Errorf("%w: %d bytes, and at most %d are taken; print less or use `teamrun room report`", errNoReport, out.bytes, maxReport)
	}
	text := strings.ToValidUTF8(string(out.text), "\uFFFD")
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	switch mode {
	case "text":
		return json.Marshal(map[string]string{schema.Fields[0].Name: strings.TrimRight(text, "\r\n")})
	case "lines":
		lines := strings.Split(strings.TrimRight(text, "\r\n"), "\n")
		for i := range lines {
			lines[i] = strings.TrimSuffix(lines[i], "\r")
		}
		return json.Marshal(map[string][]string{schema.Fields[0].Name: lines})
	}
	return oneValue(mode, []byte(text))
}

// takes reports whether output of the mode has the form of the schema.
func takes(mode string, schema *spec.Schema) bool {
	only := func(typ, item string) bool {
		return len(schema.Fields) == 1 && schema.Fields[0].Type == typ && schema.Fields[0].Item == item
	}
	switch mode {
	case "text":
		return only("text", "")
	case "lines":
		return only("list", "text")
	case "findings":
		return schema.Name == "findings"
	}
	return true
}

// oneValue insists on a single JSON value of the form the mode asks for.
func oneValue(mode string, text []byte) (json.RawMessage, error) {
	text = bytes.TrimSpace(text)
	if !json.Valid(text) {
		var v any
		return nil, fmt.Errorf("%w: not one JSON value: %v", errNoReport, json.Unmarshal(text, &v))
	}
	if text[0] == '{' || mode == "findings" && text[0] == '[' {
		return text, nil
	}
	if mode == "findings" {
		return nil, fmt.Errorf("%w: neither a JSON list nor an object", errNoReport)
	}
	return nil, fmt.Errorf("%w: not a JSON object", errNoReport)
}
