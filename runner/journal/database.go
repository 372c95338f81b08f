package journal

import (
	"context"
	"database/sql"
	"net/url"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// Format is the version of the file's layout, kept as SQLite's user_version.
const Format = 1

const (
	schemaRecords = `CREATE TABLE records(seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, effects TEXT NOT NULL, sum INTEGER NOT NULL) STRICT`
	schemaMeta    = `CREATE TABLE meta(id INTEGER PRIMARY KEY, lease INTEGER NOT NULL, seen_at INTEGER NOT NULL, pid INTEGER NOT NULL, host TEXT NOT NULL, sealed INTEGER NOT NULL, sum INTEGER NOT NULL) STRICT`
)

// The settings of a connection. FULL makes a commit wait for the disk; the
// fullfsync pair makes macOS wait for it, too, and does nothing elsewhere. A
// limit on the size of the -wal gives back what a slow reader made it grow to.
var (
	settings      = []string{"busy_timeout(5000)", "trusted_schema(0)", "cell_size_check(1)"}
	settingsWrite = []string{"synchronous(FULL)", "fullfsync(1)", "checkpoint_fullfsync(1)", "journal_size_limit(16777216)"}
)

// connect names the database to the driver; nothing is opened yet. Mode is
// SQLite's: rw or ro, neither of which creates a file. More settings come before
// those that already read the file.
func connect(path, mode string, more ...string) (*sql.DB, error) {
	pragmas := append(more, settings...)
	if mode == "rw" {
		pragmas = append(pragmas, settingsWrite...)
	}
	query := url.Values{"mode": {mode}, "_defensive": {"1"}, "_pragma": pragmas}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+query.Encode())
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// querier is what a connection and a pool of them share.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

var ctx = context.Background() // no statement of the journal is worth giving up half-way

// identify checks that the database is a journal of this version, and nothing
// more than that: a trigger or a view would make SQL mean something else.
func identify(path string, q querier) error {
	var format int
	if err := q.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&format); err != nil {
		return explain(path, err)
	}
	var schema sql.NullString
	err := q.QueryRowContext(ctx, `SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema ORDER BY name DESC)`).Scan(&schema)
	if err != nil {
		return explain(path, err)
	}
	switch {
	case format == 0 && schema.String == "":
		return damaged(path, "the file is empty")
	case format == Format && schema.String == strings.Join([]string{schemaRecords, schemaMeta}, ";"):
		return nil
	case format > 0 && format != Format && strings.Contains(schema.String, "TABLE records("):
		e := damaged(path, "the journal has format %d, this version of teamrun reads format %d", format, Format)
		e.Remedy = "use the version of teamrun that started the run"
		return e
	}
	return damaged(path, "this is not a journal")
}
