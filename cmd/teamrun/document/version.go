package document

// VersionSchema names the schema of Version.
const VersionSchema = "teamrun/version/v1"

// Version is what `teamrun version --json` prints.
type Version struct {
	Schema   string  `json:"schema"`
	Version  string  `json:"version"`  // of the module; (devel) in a checkout
	Revision *string `json:"revision"` // of the version control system; null: unknown
	Modified *bool   `json:"modified"` // built from a changed checkout; null: unknown
	Go       string  `json:"go"`
	Machine  int     `json:"machine"` // version of the state machine
}
