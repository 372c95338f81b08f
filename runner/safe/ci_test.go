package safe

import (
	"regexp"
	"testing"
)

func TestCI8_Commands(t *testing.T) {
	for in, want := range map[string]string{
		"":                                   "",
		"a :: b::c":                          "a :: b::c",
		"std::vector":                        "std::vector",
		"::error file=a.go::x":               ": :error file=a.go::x",
		"  \t::add-mask::e":                  "  \t: :add-mask::e",
		"a\n::warning::b\n ::c\nd::e":        "a\n: :warning::b\n : :c\nd::e",
		"a\r::error::b":                      "a\r: :error::b",
		"a\r\n::error::b":                    "a\r\n: :error::b",
		"\u00a0::error::b":                   "\u00a0: :error::b",
		":::x":                               ": ::x",
		"::":                                 ": :",
		"security | ##[add-mask]e":           "security | # #[add-mask]e",
		"##[group]x ##[endgroup]":            "# #[group]x # #[endgroup]",
		"###[x]":                             "## #[x]",
		"##vso[task.setvariable]x":           "# #vso[task.setvariable]x",
		"##VSO[task.complete]":               "# #VSO[task.complete]",
		"a ##teamcity[buildProblem] b":       "a # #teamcity[buildProblem] b",
		"## Heading\n### [link](x)\n#[x]":    "## Heading\n### [link](x)\n#[x]",
		"::##[error]x":                       ": :# #[error]x",
		"::stop-commands::t\n::set-output::": ": :stop-commands::t\n: :set-output::",
	} {
		if got := CI(in); got != want {
			t.Errorf("CI(%q) = %q, want %q", in, got, want)
		}
	}
}

// An escape sequence inside a command hides it from CI alone.
func TestCI8_AfterText(t *testing.T) {
	for in, want := range map[string]string{
		"#\x1b[0m#[error]x":   "# #[error]x",
		":\x1b[0m:error::x":   ": :error::x",
		"50%\r::error::x":     "50%\n: :error::x",
		"\x1b[1m::error::x":   ": :error::x",
		"\u200b::error::x":    `\u{200B}::error::x`,
		"#\x00#vso[task.x]ok": "# #vso[task.x]ok",
	} {
		if got := CI(Text(in)); got != want {
			t.Errorf("CI(Text(%q)) = %q, want %q", in, got, want)
		}
	}
}

func FuzzCI(f *testing.F) {
	for _, s := range []string{"::a", "##[a", " ::", "####[", "\r::\n::", "##a##b[", "::::"} {
		f.Add(s)
	}
	obeyed := regexp.MustCompile(`(?m)##\w*\[|^[ \t]*::|\r[ \t]*::`)
	f.Fuzz(func(t *testing.T, s string) {
		got := CI(s)
		if at := obeyed.FindString(got); at != "" {
			t.Errorf("CI(%q) = %q holds %q", s, got, at)
		}
		if again := CI(got); again != got {
			t.Errorf("CI twice: %q, then %q", got, again)
		}
	})
}
