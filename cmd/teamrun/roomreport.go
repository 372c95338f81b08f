package main

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"github.com/teamrun/teamrun/cmd/teamrun/document"
	"github.com/teamrun/teamrun/runner/host"
)

func newRoomReport(a *app) *cobra.Command {
	var set []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "report [FILE | -]",
		Short:   "hand in the report of the turn",
		Example: "teamrun room report findings.json\nteamrun room report --set verdict=approve --set score:=7",
		Long: `report hands in what this turn produced: one JSON object with the fields of the task's
schema, from FILE, from standard input, or put together with --set. field=text is a
text, field:=json is anything else. A report that does not fit is answered with what
is wrong and can be handed in again; the last one counts. The answer goes to standard
error, for what a member prints may be its report; --json prints it on standard output.`,
		Args: verbArgs(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := a.roomFile(); err != nil {
				return err
			}
			report, err := a.report(cmd, args, set)
			if err != nil {
				return err
			}
			doc := document.RoomReport{Schema: document.RoomReportSchema}
			return a.ask(cmd.Context(), host.RoomCall{Verb: "report", Report: report}, &doc, asJSON, func() { a.say("reported\n") })
		},
	}
	cmd.Flags().StringArrayVar(&set, "set", nil, "`field=text` or field:=json; repeatable")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON (schema teamrun/room-report/v1)")
	return cmd
}

// report is the report of the command line: its fields, a file or standard
// input.
func (a *app) report(cmd *cobra.Command, args, set []string) (json.RawMessage, error) {
	if len(set) > 0 {
		if len(args) > 0 {
			return nil, usage(cmd, "a report comes from --set or from %s, not from both", args[0])
		}
		return fields(cmd, set)
	}
	text, err := a.inputFile(args)
	if err != nil {
		return nil, err
	}
	first := strings.TrimSpace(text)
	if json.Valid([]byte(text)) && strings.ContainsAny(first[:1], "{[") { // a list stands for findings
		return json.RawMessage(text), nil
	}
	return nil, badReport("the report is not one JSON object")
}

// fields is a report out of single fields.
func fields(cmd *cobra.Command, set []string) (json.RawMessage, error) {
	object := map[string]json.RawMessage{}
	for _, pair := range set {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, usage(cmd, "--set %s is not field=text or field:=json", pair)
		}
		raw := json.RawMessage(value)
		if field, typed := strings.CutSuffix(name, ":"); typed {
			name = field
			if !json.Valid(raw) {
				return nil, badReport("--set " + pair + ": " + value + " is not JSON; a text is " + name + "=" + value)
			}
		} else {
			raw, _ = json.Marshal(value) // a string always marshals
		}
		if _, twice := object[name]; twice {
			return nil, badReport("--set " + name + " is given twice")
		}
		object[name] = raw
	}
	return json.Marshal(object)
}

func badReport(msg string) error {
	return &failure{exit: exitUsage, code: "bad-report", msg: msg}
}
