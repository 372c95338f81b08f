package safe

import "os"

// Environment is a redactor for the values of the named variables of this
// process. It is nil when there is nothing to mask.
func Environment(names []string) *Redactor {
	var values []string
	for _, name := range names {
		if v := os.Getenv(name); len(v) >= minSecret {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return nil
	}
	return NewRedactor(values...)
}
