package view

import (
	"fmt"
	"strings"
	"time"
)

// span is a duration as people write it: 340ms, 7s, 4m43s, 1h02m, 3d4h.
func span(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%dms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%dd%dh", int(d.Hours())/24, int(d.Hours())%24)
}

func spanMS(ms int64) string { return span(time.Duration(ms) * time.Millisecond) }

// limit is a configured duration, exact: 1h, 30m, 90s.
func limit(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// clock is the elapsed time of a log line: minutes, seconds, milliseconds.
func clock(ms int64) string {
	ms = max(ms, 0)
	return fmt.Sprintf("%02d:%02d.%03d", ms/60000, ms/1000%60, ms%1000)
}

// money is an amount in USD.
func money(v float64) string { return fmt.Sprintf("$%.2f", v) }

// cost is an amount that may be unknown.
func (s Style) cost(v *float64) string {
	if v == nil {
		return s.none()
	}
	return money(*v)
}

// Count is a number with its noun.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
