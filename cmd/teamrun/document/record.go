package document

import "encoding/json"

// Record is one line of a journal, as `teamrun logs --json` prints it.
type Record struct {
	Seq     uint64          `json:"seq"` // from 1, without gaps
	At      int64           `json:"at"`  // Unix ms
	Kind    string          `json:"kind"`
	Event   json.RawMessage `json:"event"`   // the fields of the kind
	Effects []Effect        `json:"effects"` // what the record caused
}

// Effect identifies an effect: the digest is of its id, kind and fields.
type Effect struct {
	ID     string `json:"id"`
	Digest string `json:"digest"`
}
