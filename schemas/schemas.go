// Package schemas holds the JSON Schemas (2020-12) of the team file and of
// everything --json prints. They are generated from the Go types; the tests of
// this package prove them current, and rewrite them with TEAMRUN_UPDATE=1.
package schemas

import "embed"

// Files are the schemas by file name.
//
//go:embed *.schema.json
var Files embed.FS
