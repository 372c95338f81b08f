package view

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLine bounds a log line in bytes, without its line end.
const maxLine = 500

// quoted is a value that is always quoted: words of people and agents.
type quoted string

// pairs is a list of key=value, keys and values in turn. A value that is nil
// or "" leaves the pair out; quoted values go last at the hand of the caller.
func pairs(kv ...any) string {
	var b strings.Builder
	for i := 0; i+1 < len(kv); i += 2 {
		text, ok := value(kv[i+1])
		if !ok {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(kv[i].(string) + "=" + text)
	}
	return b.String()
}

func value(v any) (string, bool) {
	switch v := v.(type) {
	case nil:
		return "", false
	case quoted:
		text := oneLine(string(v), 120)
		return strconv.Quote(text), text != ""
	case *float64:
		if v == nil {
			return "unknown", true
		}
		return fmt.Sprintf("%.2f", *v), true
	case []string:
		return value(strings.Join(v, ","))
	case string:
		text := oneLine(v, 120)
		return bare(text), text != ""
	}
	return fmt.Sprint(v), true
}

// bare quotes a value only where a reader of logfmt needs it.
func bare(text string) string {
	plain := strings.IndexFunc(text, func(r rune) bool {
		return r == '"' || r == '=' || r == '\\' || unicode.IsSpace(r) || !unicode.IsPrint(r)
	}) < 0
	if plain {
		return text
	}
	return strconv.Quote(text)
}

// bounded cuts a line at maxLine bytes, between characters.
func bounded(line string) string {
	if len(line) <= maxLine {
		return line
	}
	cut := maxLine - len("…")
	for cut > 0 && !utf8.RuneStart(line[cut]) {
		cut--
	}
	return line[:cut] + "…"
}
