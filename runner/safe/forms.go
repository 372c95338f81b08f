package safe

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf16"
)

// forms are the ways a secret may be written.
func forms(secret string) []string {
	var list []string
	// The line end of a file a value was read from is not part of the secret, and
	// of one with several lines, as a key in PEM, each is one by itself.
	values := []string{secret, strings.TrimSpace(secret)}
	for line := range strings.Lines(values[1]) {
		values = append(values, strings.TrimSpace(line))
	}
	for _, v := range values {
		if len(v) < minSecret {
			continue
		}
		list = append(list, v)
		list = append(list, base64Forms(v)...)
		list = append(list, urlForms(v)...)
		list = append(list, jsonForms(v)...)
	}
	return list
}

// base64Forms are those of the secret alone, and of the secret inside of
// something longer, as "user:secret": there its bytes begin at one of three
// places of a group, and only the digits that no neighbor has a part in are
// known.
func base64Forms(v string) []string {
	var list []string
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		list = append(list, e.EncodeToString([]byte(v)), e.WithPadding(base64.NoPadding).EncodeToString([]byte(v)))
		for before := range 3 {
			digits := e.EncodeToString([]byte(strings.Repeat("\x00", before) + v))
			list = append(list, digits[(before*8+5)/6:(before+len(v))*8/6])
		}
	}
	return list
}

var percentHex = regexp.MustCompile(`%[0-9A-F]{2}`)

func urlForms(v string) []string {
	query, path := url.QueryEscape(v), url.PathEscape(v)
	all := strings.ReplaceAll(query, "+", "%20") // as encodeURIComponent writes it
	list := []string{query, path, all}
	for _, s := range list {
		list = append(list, percentHex.ReplaceAllStringFunc(s, strings.ToLower))
	}
	return list
}

// jsonForms are the inside of a JSON string: as it is commonly written, with
// <, > and & escaped too, and with all but ASCII escaped.
func jsonForms(v string) []string {
	var plain strings.Builder
	e := json.NewEncoder(&plain)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil // a string can always be written
	}
	inside := strings.TrimSuffix(strings.TrimPrefix(plain.String(), `"`), "\"\n")
	html := strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`).Replace(inside)
	list := []string{inside, html, strings.ReplaceAll(inside, "/", `\/`)}
	var ascii strings.Builder
	for _, r := range inside {
		if r < 0x80 {
			ascii.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&ascii, `\u%04x`, unit)
		}
	}
	return append(list, ascii.String())
}
