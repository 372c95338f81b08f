package view

import (
	"strings"
	"unicode/utf8"
)

// table is rows under a head. Columns are as wide as their longest cell and
// parted by two spaces; a column whose head starts with ">" is set to the right.
type table struct {
	indent string
	head   []string
	rows   [][]string
}

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

// text is the table, one line a row.
func (t *table) text(s Style) string {
	var b strings.Builder
	t.write(&b, s)
	return b.String()
}

// write appends the table to b, one line a row, without trailing blanks.
func (t *table) write(b *strings.Builder, s Style) {
	right := make([]bool, len(t.head))
	head := make([]string, len(t.head))
	width := make([]int, len(t.head))
	for i, h := range t.head {
		head[i], right[i] = strings.CutPrefix(h, ">")
		width[i] = utf8.RuneCountInString(head[i])
		for _, r := range t.rows {
			width[i] = max(width[i], utf8.RuneCountInString(r[i]))
		}
	}
	line := func(cells []string) string {
		var l strings.Builder
		for i, c := range cells {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(c))
			if i > 0 {
				l.WriteString("  ")
			}
			if right[i] {
				l.WriteString(pad + c)
			} else {
				l.WriteString(c + pad)
			}
		}
		return strings.TrimRight(l.String(), " ")
	}
	b.WriteString(t.indent + s.paint(dim, line(head)) + "\n")
	for _, r := range t.rows {
		b.WriteString(strings.TrimRight(t.indent+line(r), " ") + "\n")
	}
}
