// Package document holds the JSON documents that verbs print with --json. Each
// names its schema; the schema files in package schemas are generated from
// these types, so a field that is removed or retyped is seen by a test.
package document
