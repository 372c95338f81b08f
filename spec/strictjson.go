package spec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"
)

// maxJSONDepth bounds how deep lists and objects of a report are nested.
const maxJSONDepth = 16

// strictJSON reads exactly one JSON value: UTF-8, no key twice, nothing after
// it. Numbers are int when whole and small enough, else float64.
func strictJSON(body []byte) (any, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, errors.New("the report is empty: it must be JSON")
	}
	if !utf8.Valid(body) {
		return nil, errors.New("the report is not UTF-8 text")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	v, err := jsonValue(d, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("the report must be one JSON value, but something follows it")
	}
	return v, nil
}

func jsonValue(d *json.Decoder, depth int) (any, error) {
	if depth > maxJSONDepth {
		return nil, fmt.Errorf("the report is nested more than %d deep", maxJSONDepth)
	}
	t, err := d.Token()
	if err != nil {
		return nil, notJSON(err)
	}
	switch t := t.(type) {
	case json.Number:
		return number(t)
	case json.Delim:
		if t == '{' {
			return jsonObject(d, depth)
		}
		return jsonList(d, depth)
	}
	return t, nil
}

func jsonObject(d *json.Decoder, depth int) (any, error) {
	object := map[string]any{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, notJSON(err)
		}
		key := t.(string)
		if _, twice := object[key]; twice {
			return nil, fmt.Errorf("the report has the key %s twice", quoteKey(key))
		}
		if object[key], err = jsonValue(d, depth+1); err != nil {
			return nil, err
		}
	}
	_, err := d.Token()
	return object, notJSON(err)
}

func jsonList(d *json.Decoder, depth int) (any, error) {
	list := []any{}
	for d.More() {
		v, err := jsonValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := d.Token()
	return list, notJSON(err)
}

func notJSON(err error) error {
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the report is not JSON: it ends too early")
	case errors.As(err, &syntax):
		return fmt.Errorf("the report is not JSON: %v, after %d bytes", syntax, syntax.Offset)
	}
	return errors.New("the report is not JSON")
}

func number(n json.Number) (any, error) {
	if i, err := strconv.Atoi(n.String()); err == nil {
		return i, nil
	}
	f, err := n.Float64()
	if err != nil {
		return nil, fmt.Errorf("the number %.40s is too large", n)
	}
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return int(f), nil
	}
	return f, nil
}

// jsonWord is a value in words, short enough for a line.
func jsonWord(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case string:
		return "the text " + quoteKey(v)
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return fmt.Sprintf("the number %v", v)
}

// quoteKey quotes s, cut to a length that fits a line.
func quoteKey(s string) string {
	if r := []rune(s); len(r) > 40 {
		s = string(r[:40]) + "…"
	}
	return strconv.Quote(s)
}
