package command

import "github.com/teamrun/teamrun/runner/safe"

// cleaner makes text of a process fit for records: nothing a terminal obeys, and
// *** for secrets that only show when that is gone.
func cleaner(secrets *safe.Redactor) func(string) string {
	return func(s string) string { return secrets.Redact(safe.Text(s)) }
}
