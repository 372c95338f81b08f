package safe

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// O1: a terminal that shows a document obeys nothing in it, and a program that
// reads it gets every character.
func TestO1_JSON(t *testing.T) {
	value := "a\x7f\u0085\u009b31m\u202e\u2066\u200b\ufeff\U000e0041z \"ä\\ \U0001f600\x1b[0m"
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		t.Fatal(err)
	}
	got := JSON(b.String())
	want := `"a\u007f\u0085\u009b31m\u202e\u2066\u200b\ufeff\udb40\udc41z \"ä\\ ` + "\U0001f600" + `\u001b[0m"` + "\n"
	if got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
	if strings.TrimSuffix(got, "\n") != Text(strings.TrimSuffix(got, "\n")) {
		t.Errorf("%q holds what Text changes", got)
	}
	var back string
	if err := json.Unmarshal([]byte(got), &back); err != nil || back != value {
		t.Errorf("reads back as %q, %v", back, err)
	}
}
