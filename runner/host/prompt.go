package host

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/spec"
)

// prompt renders the prompt of a turn. The same journal gives the same text: it
// is a function of the effect and of the records before it.
func (e *engine) prompt(id string, op runner.TakeTurn) (runner.Prompt, error) {
	def := e.core.program.Member(op.Member)
	if def == nil {
		return runner.Prompt{}, fmt.Errorf("the team has no member %s", op.Member)
	}
	p := runner.Prompt{
		Effect: id, Epoch: op.Epoch, Nth: op.Nth, Task: op.Task, Round: op.Round, Mode: op.Mode,
		RoomFile: e.order(id, op.Member, op.Epoch).RoomFile,
		Room:     &innerRoom{e.room, e.submit, caller{member: op.Member, epoch: op.Epoch, turn: id}},
	}
	w := words{fences: fences{run: e.core.meta.ID, turn: id}, team: e.core.program.Team(), member: def, dir: e.core.meta.Dir}
	for _, m := range w.team.Members {
		w.names = append(w.names, m.Name)
	}
	if op.Task != "" {
		if t := e.core.program.Task(op.Task); t != nil {
			w.task, p.Report = &t.Spec, t.Spec.Report
		}
	}
	mail, err := e.mail(slices.Concat(op.Again, op.Mail))
	if err != nil {
		return runner.Prompt{}, err
	}
	for _, m := range mail {
		p.Mail = append(p.Mail, m.PromptMail)
	}
	if !def.Kind.Sessions || e.core.ledger.taught[op.Member] != op.Epoch {
		w.rules()
		w.role()
	}
	switch op.Mode {
	case runner.ModeBrief:
		w.brief()
		for _, task := range op.Inputs {
			w.input(task, e.core.m.Reports(task))
		}
	case runner.ModeNudge:
		w.say("Your turn ended without the report of task %s. Hand it in now; the work itself need not be done again.", op.Task)
	case runner.ModeGoOn:
		w.say("You were interrupted. Go on where you stopped%s.", w.ofTask())
	}
	w.mail(mail)
	w.reporting()
	p.Text = w.text.String()
	return p, nil
}

// letter is mail of a prompt.
type letter struct {
	runner.PromptMail
	doubtful bool
}

// mail fetches the bodies of mail from the journal.
func (e *engine) mail(deliveries []runner.Delivery) ([]letter, error) {
	var all []letter
	for _, d := range deliveries {
		l := letter{runner.PromptMail{ID: d.ID, From: d.From, Body: d.Text}, d.Doubtful}
		if d.Seq > 0 {
			event, err := e.core.log.Event(d.Seq)
			if err != nil {
				return nil, err
			}
			sent, ok := event.(runner.MailSent)
			if !ok {
				return nil, fmt.Errorf("record %d holds no mail", d.Seq)
			}
			l.Body = sent.Body
		}
		all = append(all, l)
	}
	return all, nil
}

// words puts a prompt together, one paragraph after the other.
type words struct {
	fences
	team   *spec.Team
	member *runner.MemberDef
	task   *spec.Task // nil: the turn has none
	dir    string
	text   strings.Builder
}

func (w *words) say(format string, args ...any) {
	if w.text.Len() > 0 {
		w.text.WriteString("\n")
	}
	fmt.Fprintf(&w.text, format+"\n", args...)
}

func (w *words) ofTask() string {
	if w.task == nil {
		return ""
	}
	return " with task " + w.task.Name
}

func (w *words) role() {
	if !w.member.Spec.Role.Empty() {
		w.say("# Your role\n\n%s", w.prose(w.member.Spec.Role))
	}
}

func (w *words) brief() {
	w.say("# Your task: %s", w.task.Name)
	if !w.task.Brief.Empty() {
		w.say("%s", w.prose(w.task.Brief))
	}
}

// prose is a text of the spec. What came from outside by an untrusted param
// stands between fences.
func (w *words) prose(t spec.Text) string {
	var b strings.Builder
	for _, p := range t.Parts {
		if !p.Untrusted {
			b.WriteString(p.Text)
			continue
		}
		if s := b.String(); s != "" && !strings.HasSuffix(s, "\n") {
			b.WriteString("\n")
		}
		b.WriteString(w.block("param", "name="+p.Param, p.Text))
	}
	return strings.TrimRight(b.String(), "\n")
}

// input is the report of a task that this one needs.
func (w *words) input(task string, reports map[string]map[string]any) {
	if len(reports) == 0 {
		w.say("Task %s left no report.", task)
		return
	}
	w.say("The report of task %s:", task)
	for _, member := range slices.Sorted(maps.Keys(reports)) {
		w.say("%s", strings.TrimRight(w.block("report", "task="+task+" from="+member, indented(reports[member])), "\n"))
	}
}

// indented is a report as JSON for a reader.
func indented(report map[string]any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // the fences escape what has to be
	e.SetIndent("", "  ")
	if err := e.Encode(report); err != nil {
		return err.Error() // a report came as JSON; shown rather than hidden
	}
	return b.String()
}

func (w *words) mail(mail []letter) {
	if len(mail) == 0 {
		return
	}
	w.say("# Mail")
	for _, m := range mail {
		label := "id=" + m.ID + " from=" + m.From
		if m.doubtful {
			label += " seen=maybe"
		}
		w.say("%s", strings.TrimRight(w.block("mail", label, m.Body), "\n"))
	}
	if w.task == nil {
		w.say("Do what this mail asks for as far as it fits your role, answer by mail where somebody waits for it, then end your turn.")
	}
}
