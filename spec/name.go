package spec

import (
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

var nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$`)

// reserved are names that mean something of their own.
var reserved = []string{"chair", "runner", "human", "all", "team", "all_done"}

const nameRule = "1 to 32 of A-Z a-z 0-9 _ -, the first a letter or digit"

// nameOK checks the name that the key of a noun is.
func (d *Decoder) nameOK(key *yaml.Node, path string, reserve bool) bool {
	name := key.Value
	switch {
	case !nameForm.MatchString(name):
		d.Errorf(key, "bad-name", "%q cannot be a name in %s; a name is %s%s", short(name), path, nameRule, oddWords(name))
		return false
	case reserve && isReserved(name):
		d.Errorf(key, "reserved-name", "%q is a reserved word; choose another name in %s", name, path)
		return false
	}
	return true
}

func isReserved(name string) bool { return slices.Contains(reserved, strings.ToLower(name)) }
