package schemas_test

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/teamrun/teamrun/cmd/teamrun/document"
	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/schemas"
	"github.com/teamrun/teamrun/spec"
	"github.com/teamrun/teamrun/stepsx"
	"github.com/teamrun/teamrun/stepsx/report"
)

const base = "https://raw.githubusercontent.com/teamrun/teamrun/main/schemas/"

// documents are the schemas that come from one Go type each.
var documents = []struct {
	file, name, title string
	of                reflect.Type
}{
	{"result", "teamrun/result/v1", "what a run ended with", reflect.TypeFor[runner.Result]()},
	{"findings", report.FindingsSchema, "the findings of a run", reflect.TypeFor[report.Findings]()},
	{"tasks", report.TasksSchema, "the tasks of a run", reflect.TypeFor[report.Tasks]()},
	{"ps", document.RunsSchema, "runs of this machine", reflect.TypeFor[document.Runs]()},
	{"validate", document.ValidationSchema, "the check of a team file", reflect.TypeFor[document.Validation]()},
	{"version", document.VersionSchema, "the build of teamrun", reflect.TypeFor[document.Version]()},
	{"room-send", document.RoomSendSchema, "mail that was sent", reflect.TypeFor[document.RoomSend]()},
	{"room-report", document.RoomReportSchema, "a report that was handed in", reflect.TypeFor[document.RoomReport]()},
	{"room-members", document.RoomMembersSchema, "the roster of a room", reflect.TypeFor[document.RoomMembers]()},
	{"room-task-list", document.RoomTasksSchema, "the task board of a room", reflect.TypeFor[document.RoomTasks]()},
}

// TestSchemasAreCurrent fails when a schema file is not what the types say: a
// field was added, removed or retyped.
func TestSchemasAreCurrent(t *testing.T) {
	want := map[string][]byte{
		"team.schema.json":   team(t),
		"record.schema.json": record(t),
	}
	for _, d := range documents {
		want[d.file+".schema.json"] = render(t, describe(t, d.file, d.name, d.title, d.of))
	}
	for name, text := range want {
		if os.Getenv("TEAMRUN_UPDATE") != "" {
			if err := os.WriteFile(name, text, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		have, err := schemas.Files.ReadFile(name)
		if err != nil {
			t.Errorf("%v; TEAMRUN_UPDATE=1 go test ./schemas writes it", err)
		} else if !bytes.Equal(have, text) {
			t.Errorf("%s is not what the types say; look at the change, then TEAMRUN_UPDATE=1 go test ./schemas", name)
		}
	}
	entries, err := schemas.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if want[e.Name()] == nil {
			t.Errorf("%s comes from no type", e.Name())
		}
	}
}

// team is the schema of the team file with the kinds of this build.
func team(t *testing.T) []byte {
	var out bytes.Buffer
	if err := json.Indent(&out, spec.JSONSchema(stepsx.Standard().SpecKinds()), "", "  "); err != nil {
		t.Fatal(err)
	}
	return append(bytes.TrimSpace(out.Bytes()), '\n')
}

// record is the schema of a line of the journal: what all have, and per kind
// the fields of its event.
func record(t *testing.T) []byte {
	s := describe(t, "record", "", "one line of a journal", reflect.TypeFor[document.Record]())
	for _, e := range []runner.Event{
		runner.RunStarted{}, runner.Leased{}, runner.SessionStarted{}, runner.SessionStopped{}, runner.SessionLost{},
		runner.TurnProgress{}, runner.TurnEnded{}, runner.ExecEnded{}, runner.BackoffDue{}, runner.TimerFired{},
		runner.FinishEnded{}, runner.MailSent{}, runner.Reported{}, runner.Control{},
	} {
		event, err := jsonschema.ForType(reflect.TypeOf(e), types)
		if err != nil {
			t.Fatal(err)
		}
		s.OneOf = append(s.OneOf, &jsonschema.Schema{Properties: map[string]*jsonschema.Schema{
			"kind": {Const: jsonschema.Ptr[any](e.EventKind())}, "event": event,
		}})
	}
	return render(t, s)
}

// types are the schemas of types that are not what they look like.
var types = &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[map[string]any]():  {Types: []string{"null", "object"}}, // a nil map is null
	reflect.TypeFor[json.RawMessage](): {},
	reflect.TypeFor[map[string]map[string]any](): {Types: []string{"null", "object"},
		AdditionalProperties: &jsonschema.Schema{Types: []string{"null", "object"}}},
	reflect.TypeFor[runner.Optional](): {Types: []string{"null", "string"}},
	reflect.TypeFor[runner.Moment]():   {Type: "string", Format: "date-time"},
}}

// describe is the schema of a document: from its type, with the name it bears.
func describe(t *testing.T, file, name, title string, of reflect.Type) *jsonschema.Schema {
	s, err := jsonschema.ForType(of, types)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	s.Schema, s.ID, s.Title = "https://json-schema.org/draft/2020-12/schema", base+file+".schema.json", title
	if name != "" {
		s.Properties["schema"].Const = jsonschema.Ptr[any](name)
	}
	return s
}

func render(t *testing.T, s *jsonschema.Schema) []byte {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}
