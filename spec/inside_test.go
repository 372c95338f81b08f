package spec

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"
)

// The character to find is the only X of each file.
func TestInsideFindsTheCharacter(t *testing.T) {
	for name, src := range map[string]string{
		"plain":                         "when: a and X\n",
		"plain with umlauts":            "when: äöü and X\n",
		"plain over lines":              "when: a and\n  b and\n    X or c\n",
		"plain over an empty line":      "when: a\n\n\n  X\n",
		"plain with trailing blanks":    "when: a   \n  b X\n",
		"plain in a flow map":           "{when: a and X, reason: b}\n",
		"plain in a list":               "- - a\n  - b X\n",
		"plain on its own line":         "when:\n  a and X\n",
		"plain with a tab":              "when: a\tX\n",
		"single":                        "when: 'a and X'\n",
		"single with a quote":           "when: 'a == ''b'' and X'\n",
		"single over lines":             "when: 'a\n  and ''b''\n\n  X'\n",
		"double":                        "when: \"a and X\"\n",
		"double with quotes":            "when: \"a == \\\"b\\\" and X\"\n",
		"double with a tab":             "when: \"a\\t\\\"b\\\" X\"\n",
		"double with a written newline": "when: \"a\\nX\"\n",
		"double with \\x":               "when: \"\\x41\\x20X\"\n",
		"double with \\u":               "when: \"\\u00e9 X\"\n",
		"double with \\U":               "when: \"\\U0001F600 X\"\n",
		"double with a null":            "when: \"\\0\\a\\e\\\\X\"\n",
		"double with wide blanks":       "when: \"a\\_\\N\\L\\PX\"\n",
		"double over lines":             "when: \"a\n  and X\"\n",
		"double with a hidden break":    "when: \"a\\\n   b\\\n  X\"\n",
		"double with a kept blank":      "when: \"a\\\n  \\ b X\"\n",
		"double with two breaks":        "when: \"a \\\n\n  b X\"\n",
		"literal":                       "when: |\n  a and\n  X\n",
		"literal with indentation":      "when: |\n  a and\n    b\n      X\n",
		"literal with empty lines":      "when: |\n\n\n  a\n\n  X\n",
		"literal stripped":              "when: |-\n  a\n  X\n",
		"literal with its indentation":  "when: |2-\n    a\n   X\n",
		"literal with a comment":        "when: | # why\n  a and\n  X\n",
		"literal with quotes":           "when: |\n  a == \"\\b\" and ''\n  X\n",
		"folded":                        "when: >\n  a and\n  X\n",
		"folded with more indentation":  "when: >-\n  a and\n    b and\n  X\n",
		"folded with a comment":         "when: >- # why\n\n  a and\n\n  X\n",
		"anchor":                        "when: &c a and X\n",
		"anchor before a block":         "when: &c |\n  a and\n  X\n",
		"anchor before quotes":          "when: &c   'a ''X'\n",
		"anchor on a line of its own":   "when: &c # why\n  a and X\n",
		"tag":                           "when: !!str a and X\n",
		"anchor and tag":                "when: &c !!str >\n  a X\n",
		"windows lines":                 "a: b\r\nwhen: |\r\n  a and\r\n  X\r\n",
		"windows lines, folded quotes":  "when: \"a\r\n  b \\\r\n  X\"\r\n",
		"byte order mark":               "\ufeffwhen: a X\n",
		"byte order mark and lines":     "\ufeffa: b\nwhen: >\n  a\n  X\n",
		"no newline at the end":         "when: a X",
		"no-break space":                "when: a\u00a0\u00a0X\n",
		"a later line":                  "a: ä\nb: |\n  x\nwhen: [a, 'b X']\n",
	} {
		t.Run(name, func(t *testing.T) {
			n := scalarWith(t, src, 'X')
			off := strings.IndexRune(n.Value, 'X')
			line, col := inside([]byte(src), n, len([]rune(n.Value[:off])))
			if got := charAt(src, line, col); got != "X" {
				t.Errorf("%q: %d:%d is %q", src, line, col, got)
			}
		})
	}
}

func TestInsideOfJSONEscapes(t *testing.T) {
	src := `{"when": "\/\ud83d\ude00X"}`
	n := &yaml.Node{Kind: yaml.ScalarNode, Style: yaml.DoubleQuotedStyle, Value: "/😀X", Line: 1, Column: 10}
	line, col := inside([]byte(src), n, 2)
	if got := charAt(src, line, col); got != "X" {
		t.Errorf("%d:%d is %q", line, col, got)
	}
}

func TestInsideAfterTheEnd(t *testing.T) {
	for src, want := range map[string]string{
		"when: a and\n":           "1:12",
		"when: 'a and'\n":         "1:13",
		"when: |\n  a\n  and\n\n": "3:6",
		"when: \"\"\n":            "1:8",
	} {
		n := scalarWith(t, src, 0)
		line, col := inside([]byte(src), n, len([]rune(n.Value)))
		if got := fmt.Sprintf("%d:%d", line, col); got != want {
			t.Errorf("%q: %s, want %s", src, got, want)
		}
	}
}

func TestInsideOfAForeignNode(t *testing.T) {
	line, col := inside([]byte("a: b\n"), &yaml.Node{Value: "x", Line: 9, Column: 3}, 0)
	if line != 9 || col != 3 {
		t.Errorf("%d:%d, want the node's own place", line, col)
	}
}

// Whatever the style, every visible character of a condition is found again.
func TestInsideProperty(t *testing.T) {
	words := rapid.SliceOfN(rapid.SampledFrom([]string{
		"and", "or", "not", "(a)", `"é"`, "'x'", `"\\d"`, "members.qa.turns", ">= 3", "[1,2]", "any(findings, .confirmed)", "a\\b", "😀",
	}), 1, 12)
	rapid.Check(t, func(t *rapid.T) {
		text := words.Draw(t, "words")
		style := rapid.SampledFrom(slices.Sorted(maps.Keys(renderings))).Draw(t, "style")
		src := renderings[style](text)
		if rapid.Bool().Draw(t, "windows") {
			src = strings.ReplaceAll(src, "\n", "\r\n")
		}
		if rapid.Bool().Draw(t, "mark") {
			src = "\ufeff" + src
		}
		n := scalarWith(t, src, 0)
		if !strings.HasSuffix(strings.Join(strings.Fields(n.Value), " "), strings.Join(text, " ")) {
			t.Fatalf("%s: %q reads as %q", style, src, n.Value)
		}
		for i, r := range []rune(n.Value) {
			if isBlank(r) {
				continue
			}
			line, col := inside([]byte(src), n, i)
			got := charAt(src, line, col)
			if got == `\` && style[:6] == "double" && (r == '"' || r == '\\') || got == `'` && r == '\'' {
				continue
			}
			if got != string(r) {
				t.Fatalf("%s: %q: character %d (%q) at %d:%d, which is %q", style, src, i, r, line, col, got)
			}
		}
	})
}

// renderings write words as the value of when.
var renderings = map[string]func(words []string) string{
	"single on a line": func(words []string) string {
		return "  when: '" + strings.ReplaceAll(strings.Join(words, " "), "'", "''") + "'\n"
	},
	"single over lines": func(words []string) string {
		return "  when: '" + strings.ReplaceAll(strings.Join(words, "\n    "), "'", "''") + "'\n"
	},
	"double on a line": func(words []string) string {
		return "  when: \"" + doubleQuoted(strings.Join(words, " ")) + "\"\n"
	},
	"double over lines": func(words []string) string {
		return "  when: \"" + doubleQuoted(strings.Join(words, "\n\n   ")) + "\"\n"
	},
	"double with hidden breaks": func(words []string) string {
		return "  when: \"" + strings.Join(eachWord(words, doubleQuoted), " \\\n   ") + "\"\n"
	},
	"literal": func(words []string) string { return "  when: | # why\n     " + strings.Join(words, "\n     ") + "\n" },
	"folded":  func(words []string) string { return "  when: &a >-\n   " + strings.Join(words, "\n\n   ") + "\n" },
	"indented": func(words []string) string {
		return "  when: |4-\n        " + strings.Join(words, "\n       ") + "\n"
	},
	"plain over lines": func(words []string) string {
		return "  when: " + strings.Join(append([]string{"a"}, words...), "\n    ") + "\n"
	},
}

func doubleQuoted(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)
}

func eachWord(words []string, f func(string) string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = f(w)
	}
	return out
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// scalarWith is the scalar of src that holds r, or the last one if r is 0.
func scalarWith(t fataler, src string, r rune) *yaml.Node {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(src), &doc); err != nil {
		t.Fatalf("%q: %v", src, err)
	}
	var found *yaml.Node
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode && (r == 0 || strings.ContainsRune(n.Value, r)) {
			found = n
		}
		for _, kid := range n.Content {
			walk(kid)
		}
	}
	walk(&doc)
	if found == nil {
		t.Fatalf("%q has no scalar with %q", src, r)
	}
	return found
}

// charAt is the character at a place as an editor counts, "" past the end.
func charAt(src string, line, col int) string {
	lines := strings.Split(strings.TrimPrefix(src, "\ufeff"), "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	runes := []rune(strings.TrimSuffix(lines[line-1], "\r"))
	if col < 1 || col > len(runes) {
		return ""
	}
	return string(runes[col-1])
}
