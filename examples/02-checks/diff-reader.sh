# Finds conflict markers (errors) and leftover debug prints (warnings) in the
# lines that are new since $1, and reports them to the room.
set -eu
base=$1

# The report is made only from a difference that git could make: piped on, a
# failure of git would look like a difference without a fault.
git rev-parse --quiet --verify "$base^{commit}" >/dev/null || {
  echo "$PWD has no commit $base" >&2
  exit 1
}
patch=$(git diff --unified=0 --no-color --no-ext-diff --src-prefix=a/ --dst-prefix=b/ "$base" --)

printf '%s\n' "$patch" | awk '
function json(s,  i, c, out) {
  for (i = 1; i <= length(s); i++) {
    c = substr(s, i, 1)
    if (c == "\\" || c == "\"") c = "\\" c
    else if (c == "\t") c = "\\t"
    else if (c < " ") c = ""
    out = out c
  }
  return "\"" out "\""
}
function finding(severity, title) {
  printf "%s{\"file\":%s,\"line\":%d,\"severity\":\"%s\",\"title\":\"%s\",\"detail\":%s,\"confirmed\":true}",
    sep, json(file), line, severity, title, json(text)
  sep = ","
}
BEGIN { printf "{\"findings\":[" }
/^diff --git /         { body = 0; ours = 0 }
!body && /^\+\+\+ b\// { file = substr($0, 7) }
/^@@ /                 { body = 1; split($3, at, ","); line = substr(at[1], 2) - 1 }
body && /^\+/ {
  line++
  text = substr($0, 2)
  # A line of seven = alone also underlines a title: it counts after a <<<<<<<.
  if (text ~ /^<<<<<<<( |$)/) { ours = 1; finding("error", "conflict marker") }
  else if (text ~ /^>>>>>>>( |$)/) { ours = 0; finding("error", "conflict marker") }
  else if (ours && text == "=======") finding("error", "conflict marker")
  else if (file ~ /\.go$/ && text ~ /(fmt\.Print(ln|f)?|println|print)\(.*(DEBUG|debug)/) finding("warning", "leftover debug print")
}
END { printf "]}" }
' | teamrun room report -
