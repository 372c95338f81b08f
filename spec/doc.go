// Package spec reads a team file and answers either a checked Team or all that
// is wrong with it, each problem at its place.
//
// Load goes through the stages scan (characters), parse (YAML or JSON to
// nodes), inspect (shape of the nodes), walk (nodes to structs) and resolve
// (structs to Team). The structs with `team` tags are the only description of
// the language: hints, defaults, the JSON Schema and the reference page are
// made from them.
package spec
