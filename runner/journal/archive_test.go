package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/teamrun/teamrun/runner"
)

// The format of journal.ndjson is read by other programs: it changes only with
// a new version of it.
func TestArchiveIsStable(t *testing.T) {
	j := create(t, 4)
	must(t, j.Append([]Entry{{Record: runner.Record{Seq: 5, At: start, Event: runner.MailSent{
		From: "a", To: []string{"b"}, Body: "one\n{\"seq\":9}\r\u2028<&>\x1b[31m\u202e", Size: 1}}}}))
	const want = `{"seq":1,"at":1764000000001,"kind":"turn_ended","event":{"effect":"1.1","stop":"end_turn","seen":"yes"},"effects":[{"id":"1.1","digest":"00000001"},{"id":"1.2","digest":"00000000"}]}
{"seq":2,"at":1764000000002,"kind":"reported","event":{"call":0,"member":"tests","epoch":2,"body":{"count":2,"ok":true}},"effects":[]}
{"seq":3,"at":1764000000003,"kind":"timer_fired","event":{"effect":"3.1"},"effects":[]}
{"seq":4,"at":1764000000004,"kind":"mail_sent","event":{"call":4,"from":"security","epoch":1,"to":["lead"],"body":"please look at the second half of the diff, line 4","size":50},"effects":[{"id":"4.1","digest":"deadbeef"}]}
`
	var got bytes.Buffer
	must(t, j.Archive(&got))
	if !strings.HasPrefix(got.String(), want) {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
	if n := strings.Count(got.String(), "\n"); n != 5 {
		t.Errorf("%d lines, want 5: a text broke out of its record", n)
	}
	last := got.String()[len(want):]
	var back struct {
		Event struct{ Body string }
	}
	if err := json.Unmarshal([]byte(last), &back); err != nil || !strings.HasPrefix(back.Event.Body, "one\n{") {
		t.Errorf("%q reads back as %q, %v", last, back.Event.Body, err)
	}
}

// Line is the line of the archive, for whoever prints entries as they come.
func TestLineIsTheArchivesLine(t *testing.T) {
	j := create(t, 12)
	var archive, lines bytes.Buffer
	must(t, j.Archive(&archive))
	must(t, j.Replay(func(e Entry) error {
		b, err := Line(e)
		lines.Write(b)
		return err
	}))
	if archive.String() != lines.String() {
		t.Errorf("got\n%swant\n%s", lines.String(), archive.String())
	}
}

func TestArchiveReportsAFailingDisk(t *testing.T) {
	full := errors.New("no space left")
	if err := create(t, 3).Archive(failing{full}); !errors.Is(err, full) {
		t.Errorf("error is %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// An ended run is one file that takes nothing more.
func TestSealLeavesOneFile(t *testing.T) {
	j := create(t, 10)
	must(t, j.Seal())
	if names := beside(t, j.Path()); len(names) != 1 {
		t.Errorf("files are %v", names)
	}
	wantContent(t, j, samples(1, 10))
	must(t, j.Seal())
	must(t, j.Close())
	sealed := readDisk(t, j.Path())

	again, err := Open(j.Path())
	must(t, err)
	must(t, again.Close())
	if now := readDisk(t, j.Path()); !reflect.DeepEqual(now, sealed) {
		t.Error("opening an ended run changed its file")
	}

	again, err = Open(j.Path())
	must(t, err)
	defer again.Close()
	_, leaseErr := again.Lease(start, 1, "here")
	for name, err := range map[string]error{"append": again.Append(samples(11, 11)), "beat": again.Beat(start), "lease": leaseErr} {
		if e := wantStateError(t, err); !strings.Contains(e.Problem, "ended") {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t, again.Seal())
	wantContent(t, again, samples(1, 10))
	must(t, again.Close())
	if names := beside(t, j.Path()); len(names) != 1 {
		t.Errorf("opening an ended run left %v", names)
	}
}
