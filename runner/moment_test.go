package runner

import (
	"encoding/json"
	"testing"
	"time"
)

// A moment is RFC 3339 text in UTC and loses nothing on the way there and back.
func TestMomentIsText(t *testing.T) {
	local := time.Local
	time.Local = time.FixedZone("far", 5*3600)
	defer func() { time.Local = local }()
	for m, want := range map[Moment]string{
		0:                 `"1970-01-01T00:00:00.000Z"`,
		1_700_000_000_007: `"2023-11-14T22:13:20.007Z"`,
	} {
		text, err := json.Marshal(m)
		if err != nil || string(text) != want {
			t.Errorf("%d: %s, %v, want %s", m, text, err, want)
		}
		var back Moment
		if err := json.Unmarshal(text, &back); err != nil || back != m {
			t.Errorf("%s: %d, %v, want %d", text, back, err, m)
		}
	}
	for _, text := range []string{`1700000000007`, `"yesterday"`, `{}`} {
		var m Moment
		if err := json.Unmarshal([]byte(text), &m); err == nil {
			t.Errorf("%s is taken for %d", text, m)
		}
	}
}
