package safe

import (
	"os"
	"slices"
)

// Environment is a redactor for the values of the named variables of this
// process, apart from those that are one of the words. It is nil when there is
// nothing to mask.
func Environment(names []string, words ...string) *Redactor {
	var values []string
	for _, name := range names {
		if v := os.Getenv(name); len(v) >= minSecret && !slices.Contains(words, v) {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return nil
	}
	return NewRedactor(values...)
}
