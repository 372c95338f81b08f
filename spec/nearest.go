package spec

import (
	"fmt"
	"strings"
)

// Nearest is the word of a list that someone who wrote word may have meant, or
// "" when none is near.
func Nearest(word string, of []string) string { return closest(word, of) }

// didYouMean is the remedy of an unknown word where the known ones were just
// listed; meant lists them itself.
func didYouMean(word string, of []string) string {
	if w := Nearest(word, of); w != "" {
		return fmt.Sprintf(" (did you mean %q?)", w)
	}
	return ""
}

// list joins words for a sentence: "a, b and c".
func list(words []string, last string) string {
	n := len(words)
	if n < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n-1], ", ") + " " + last + " " + words[n-1]
}
