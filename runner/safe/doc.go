// Package safe makes text of agents harmless before people or machines see it:
// Text for terminals, logs and artifacts, Line where one line is wanted, JSON
// for documents, CI where a build system reads along, Redactor against secrets.
//
// Whatever prints such text calls Text first and the others on its result: an
// escape sequence inside a secret or a command would hide it from them.
package safe
