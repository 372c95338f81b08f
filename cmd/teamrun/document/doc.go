// Package document holds the JSON documents that verbs print with --json. Each
// names its schema; the schema files in package schemas are generated from
// these types, so a field that is removed or retyped is seen by a test.
package document

import "time"

// stamp is a time in Unix ms as RFC 3339 in UTC.
func stamp(ms int64) string {
	return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z07:00")
}
