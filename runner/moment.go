package runner

import (
	"encoding/json"
	"time"
)

// Moment is a time in Unix ms. In JSON for people and their programs it is
// RFC 3339 text in UTC; records hold plain ms.
type Moment int64

// MarshalJSON implements json.Marshaler.
func (m Moment) MarshalJSON() ([]byte, error) {
	return json.Marshal(time.UnixMilli(int64(m)).UTC().Format("2006-01-02T15:04:05.000Z07:00"))
}

// UnmarshalJSON implements json.Unmarshaler.
func (m *Moment) UnmarshalJSON(b []byte) error {
	var t time.Time
	if err := json.Unmarshal(b, &t); err != nil {
		return err
	}
	*m = Moment(t.UnixMilli())
	return nil
}
