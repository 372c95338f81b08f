// Package view renders runs for people: the plain log lines, the final summary
// and the tables of ps. It sees records, facts, views and results of package
// runner and nothing else. What an agent wrote passes package safe here, field
// by field; color is never the only carrier of a meaning.
package view
