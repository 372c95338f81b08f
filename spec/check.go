package spec

import "fmt"

// Check is what the settings of a kind are checked with.
type Check struct {
	// Agent is the name of the agent whose settings are checked.
	Agent string

	r    *resolver
	path string
}

// Team is the team with all names resolved. Where it has problems of its own
// it may be incomplete.
func (c *Check) Team() *Team { return c.r.team }

// Errorf refuses the setting at path, which is counted from the settings:
// "script.turns[0].send.to".
func (c *Check) Errorf(path, code, format string, args ...any) {
	c.r.errorf(join(c.path, path), code, "%s", fmt.Sprintf(format, args...))
}

// Warnf warns about the setting at path.
func (c *Check) Warnf(path, code, format string, args ...any) {
	c.r.warnf(join(c.path, path), code, "%s", fmt.Sprintf(format, args...))
}

// checkKinds lets each kind check the settings of its agents.
func (r *resolver) checkKinds() {
	for i := range r.raw.Agents {
		r.checkKind(&r.raw.Agents[i], join("agents", r.raw.Agents[i].Name))
	}
	for _, k := range r.opts.Kinds {
		if a := r.bare[k.Name]; a != nil {
			r.checkKind(a, r.useAt[k.Name])
		}
	}
}

func (r *resolver) checkKind(a *rawAgent, path string) {
	if c, ok := a.settings.(Checked); ok {
		c.Check(&Check{Agent: a.Name, r: r, path: path})
	}
}
