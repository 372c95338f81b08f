package host

import (
	"slices"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/safe"
	"github.com/teamrun/teamrun/spec"
)

// secrets masks the values of all environment variables that the team passes to
// anybody: what one member got, another may be told. A value that is a word of a
// schema is none: everyone can read it in the team file, and reports have to say it.
func secrets(team *spec.Team) *safe.Redactor {
	var names, words []string
	for _, s := range team.Schemas {
		for _, f := range s.Fields {
			words = append(words, f.Values...)
		}
	}
	for _, m := range team.Members {
		names = append(names, m.Agent.Env...)
	}
	for _, t := range team.Tasks {
		names = append(names, t.Env...)
	}
	return safe.Environment(names, words...)
}

// masked is an event without secrets in the texts that came from outside, as it
// may be recorded. Names and numbers stay.
func masked(r *safe.Redactor, event runner.Event) runner.Event {
	if r == nil {
		return event
	}
	switch e := event.(type) {
	case runner.MailSent:
		e.Body = r.Redact(e.Body)
		e.Size = len(e.Body)
		return e
	case runner.Reported:
		e.Body, _ = maskedValue(r, e.Body).(map[string]any)
		return e
	case runner.SessionStarted:
		e.Text = r.Redact(e.Text)
		return e
	case runner.SessionStopped:
		e.Escaped = slices.Clone(e.Escaped)
		for i, who := range e.Escaped {
			e.Escaped[i] = r.Redact(who)
		}
		return e
	case runner.TurnProgress:
		e.Text = r.Redact(e.Text)
		return e
	case runner.TurnEnded:
		e.Text, e.Code, e.Output = r.Redact(e.Text), r.Redact(e.Code), maskedOutput(r, e.Output)
		return e
	case runner.ExecEnded:
		e.Text, e.Output = r.Redact(e.Text), maskedOutput(r, e.Output)
		return e
	case runner.FinishEnded:
		e.Error = r.Redact(e.Error)
		return e
	}
	return event
}

func maskedOutput(r *safe.Redactor, o *runner.Output) *runner.Output {
	if o == nil {
		return nil
	}
	clean := *o
	clean.Head = r.Redact(o.Head)
	return &clean
}

// maskedValue is a JSON value with its texts masked. The keys of objects stay:
// they are the words of a schema.
func maskedValue(r *safe.Redactor, v any) any {
	switch v := v.(type) {
	case string:
		return r.Redact(v)
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = maskedValue(r, item)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for key, item := range v {
			object[key] = maskedValue(r, item)
		}
		return object
	}
	return v
}
