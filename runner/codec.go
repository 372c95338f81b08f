package runner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
)

// castagnoli is the table of CRC-32C.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// EncodeEvent is the body of an event in the journal.
func EncodeEvent(e Event) ([]byte, error) {
	body, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("event %s cannot be written: %w", e.EventKind(), err)
	}
	return body, nil
}

// DecodeEvent reads an event back. An unknown kind or field is an error: the
// journal was written by another version.
func DecodeEvent(kind string, body []byte) (Event, error) {
	switch kind {
	case "run_started":
		return decode[RunStarted](kind, body)
	case "leased":
		return decode[Leased](kind, body)
	case "session_started":
		return decode[SessionStarted](kind, body)
	case "session_stopped":
		return decode[SessionStopped](kind, body)
	case "session_lost":
		return decode[SessionLost](kind, body)
	case "turn_progress":
		return decode[TurnProgress](kind, body)
	case "turn_ended":
		return decode[TurnEnded](kind, body)
	case "exec_ended":
		return decode[ExecEnded](kind, body)
	case "backoff_due":
		return decode[BackoffDue](kind, body)
	case "timer_fired":
		return decode[TimerFired](kind, body)
	case "finish_ended":
		return decode[FinishEnded](kind, body)
	case "mail_sent":
		return decode[MailSent](kind, body)
	case "reported":
		e, err := decode[Reported](kind, body)
		if err != nil {
			return nil, err
		}
		r := e.(Reported)
		r.Body, _ = settleNumbers(r.Body).(map[string]any)
		return r, nil
	case "control":
		return decode[Control](kind, body)
	}
	return nil, fmt.Errorf("event of unknown kind %q", kind)
}

func decode[E Event](kind string, body []byte) (Event, error) {
	var e E
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	d.DisallowUnknownFields()
	if err := d.Decode(&e); err != nil {
		return nil, fmt.Errorf("event %s cannot be read: %w", kind, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("event %s has text behind it", kind)
	}
	return e, nil
}

// settleNumbers gives the numbers of a report the types they had before they
// were written: int where whole, else float64. A report must read the same
// live and replayed, for conditions see these values.
func settleNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := strconv.Atoi(v.String()); err == nil {
			return n
		}
		f, _ := v.Float64()
		return f
	case map[string]any:
		for k, x := range v {
			v[k] = settleNumbers(x)
		}
		return v
	case []any:
		for i, x := range v {
			v[i] = settleNumbers(x)
		}
		return v
	}
	return v
}

// EffectDigest is what the journal keeps of an effect: a checksum of its id,
// kind and fields, to notice a machine that decides differently at replay.
func EffectDigest(e Effect) uint32 {
	op, err := json.Marshal(e.Op)
	if err != nil {
		panic(fmt.Sprintf("runner: op %s cannot be written: %v", e.Op.EffectKind(), err)) // every Op is plain data
	}
	sum := crc32.Update(0, castagnoli, []byte(e.ID+" "+e.Op.EffectKind()+" "))
	return crc32.Update(sum, castagnoli, op)
}
