package runner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// The bounds of what a member may send.
const (
	maxMailBytes   = 64 << 10
	maxReportBytes = 256 << 10
	maxQueue       = 1000
)

// Admit says whether a call may become a record: nil, or a *Refusal that its
// caller can act on. It reads the state and changes nothing, so only valid
// calls are ever recorded.
func (m *Machine) Admit(e Event) error {
	switch e := e.(type) {
	case MailSent:
		return m.admitMail(e)
	case Reported:
		return m.admitReport(e)
	}
	return nil
}

func (m *Machine) admitMail(e MailSent) error {
	if err := m.admitCaller(e.From, e.Epoch); err != nil {
		return err
	}
	switch {
	case strings.TrimSpace(e.Body) == "":
		return refuse("mail-empty", "the mail has no text; give one")
	case len(e.Body) > maxMailBytes:
		return refuse("mail-too-big", "the mail has %d bytes; send at most %d, and put the rest into a file", len(e.Body), maxMailBytes)
	}
	for _, name := range e.To {
		if b := m.s.byName[name]; b == nil || b.gone == memberClosed {
			return m.noSuchMember(name)
		} else if b.unread() >= maxQueue {
			return refuse("mailbox-full", "%s has %d unread messages; wait until it has read some", name, maxQueue)
		}
	}
	if len(e.To) == 0 {
		return refuse("no-recipient", "the mail has no recipient; name one")
	}
	if limit := m.s.limits.Messages; m.s.messages+len(e.To) > limit {
		r := refuse("limit-messages", "the limit of messages (%d) is reached; the run ends", limit)
		r.Recorded = true
		return r
	}
	return nil
}

// admitReport accepts what the member's turn asks for. A late report is
// accepted too: it is kept, and changes nothing.
func (m *Machine) admitReport(e Reported) error {
	if m.s.byName[e.Member] == nil {
		return m.noSuchMember(e.Member)
	}
	if m.s.latch != nil {
		return refuse("run-ending", "the run is ending; nothing is taken any more")
	}
	return nil
}

func (m *Machine) admitCaller(name string, epoch int) error {
	b := m.s.byName[name]
	switch {
	case b == nil:
		return m.noSuchMember(name)
	case m.s.latch != nil:
		return refuse("run-ending", "the run is ending; nothing is taken any more")
	case epoch == 0 || epoch != b.epoch || b.session == "" && b.start == "":
		return refuse("session-over", "this session of %s was replaced or ended; its calls are not taken any more", name)
	}
	return nil
}

// ReportBody checks the body of a report against what the member's turn has to
// report and completes it; the error is a *Refusal in words the agent can act
// on. turn is the turn the caller names, "" for none. A late report is kept as
// it is: it changes nothing, and nobody can mend it any more.
func (m *Machine) ReportBody(member, turn string, raw []byte) (map[string]any, error) {
	b := m.s.byName[member]
	if b == nil {
		return nil, m.noSuchMember(member)
	}
	if b.turn == nil || turn != "" && turn != b.turn.id {
		return freeReport(raw)
	}
	schema := b.def.Spec.Report
	if t := b.turn.work.task; t != nil && t.def.Spec.Report != nil {
		schema = t.def.Spec.Report
	}
	if schema == nil {
		return freeReport(raw)
	}
	body, err := schema.Check(raw)
	if err != nil {
		return nil, refuse("report-invalid", "%s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return body, nil
}

// freeReport takes the report of a turn that owes none: any JSON object.
func freeReport(raw []byte) (map[string]any, error) {
	if len(raw) > maxReportBytes {
		return nil, refuse("report-too-big", "the report has %d bytes; report at most %d, and put the rest into a file", len(raw), maxReportBytes)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var body map[string]any
	if err := d.Decode(&body); err != nil || body == nil || d.More() {
		return nil, refuse("report-invalid", "a report is one JSON object, as {\"summary\": \"done\"}")
	}
	return settleNumbers(body).(map[string]any), nil
}

// Recipients resolves the names mail goes to: "*" is everyone the sender may
// reach but itself. The error is a *Refusal.
func (m *Machine) Recipients(from string, to []string) ([]string, error) {
	var names []string
	for _, name := range to {
		if name == "*" {
			for _, b := range m.s.members {
				if b.def.Name() != from {
					names = append(names, b.def.Name())
				}
			}
			continue
		}
		if m.s.byName[name] == nil {
			return nil, m.noSuchMember(name)
		}
		if name == from {
			return nil, refuse("mail-to-self", "%s cannot send mail to itself", name)
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// Unreachable are those of the recipients that are down: their mail waits.
func (m *Machine) Unreachable(to []string) []string {
	return slices.DeleteFunc(slices.Clone(to), func(n string) bool {
		b := m.s.byName[n]
		return b == nil || b.gone != memberDown
	})
}

func (m *Machine) noSuchMember(name string) *Refusal {
	var names []string
	for _, b := range m.s.members {
		names = append(names, b.def.Name())
	}
	return refuse("unknown-member", "no member %q; members: %s", name, strings.Join(names, ", "))
}

func refuse(code, format string, args ...any) *Refusal {
	return &Refusal{Code: code, Msg: fmt.Sprintf(format, args...)}
}
