package command

import (
	"os"
	"slices"
	"strings"

	"github.com/teamrun/teamrun/runner/safe"
)

// secretWords are what the name of a variable with a secret holds.
var secretWords = []string{"KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL", "AUTH"}

// cleaner makes text of a process fit for records: nothing a terminal obeys,
// and *** for the values of the passed variables that are secrets by their
// name.
func cleaner(names []string) func(string) string {
	var values []string
	for _, name := range names {
		secret := slices.ContainsFunc(secretWords, func(w string) bool { return strings.Contains(strings.ToUpper(name), w) })
		if v := os.Getenv(name); secret && v != "" {
			values = append(values, v)
		}
	}
	red := safe.NewRedactor(values...)
	return func(s string) string { return red.Redact(safe.Text(s)) }
}
