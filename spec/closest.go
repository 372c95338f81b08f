package spec

import "slices"

// closest is the name among names that word was probably meant to be, or "".
func closest(word string, names []string) string {
	best, bound := "", min(max(1, (len(word)+1)/3), 3)
	for _, name := range slices.Sorted(slices.Values(names)) {
		if d := distance(word, name); d < bound || d == bound && best == "" {
			best, bound = name, d
		}
	}
	return best
}

// distance is the number of edits between a and b, where two swapped
// neighbors are one edit.
func distance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
