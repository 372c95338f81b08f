package spec

// Kind describes one kind of agent to the loader: which keys are its own and
// what it can do. A key that asks for what a kind cannot do is a load error.
type Kind struct {
	Name string
	// New returns a pointer to a struct with `team` tags for the kind's own
	// keys in agents.A, or is nil when it has none. The struct may implement
	// Checked.
	New func() any
	// Sessions: the agent keeps a conversation over several turns. Without, a
	// turn always gets the same words and cannot be nudged.
	Sessions bool
	// Reload: a session can be taken up again after its process ended.
	Reload bool
	// Continue: a turn cut by max_tokens can be continued.
	Continue bool
	// Tools: the agent is offered the room tools itself and `tools` may list
	// its own.
	Tools bool
	// Approves: the agent asks for permission, so `approval` means something.
	Approves bool
	// Writes: what the agent writes can be confined, so `writes` other than
	// all means something.
	Writes bool
	// Priced: every turn says its cost. Without, a cost limit needs
	// unknown_cost.
	Priced bool
	// Codes are the help pages of the codes that only this kind reports.
	Codes []Code
	// Vias are the ways a report can come, the default first.
	Vias []Via
}

// Checked is implemented by the settings of a kind that have rules of their
// own. Check is called once per agent after all nouns are decoded.
type Checked interface {
	Check(c *Check)
}
