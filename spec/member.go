package spec

import "time"

// rawSettings are the settings of a member that defaults can give as well.
type rawSettings struct {
	Agent       string        `team:"agent" help:"how the member is run: an agent of this file, or a kind named directly"`
	Model       later         `team:"model,later" help:"which model the member uses"`
	Tools       []string      `team:"tools" help:"the complete list of the agent's own tools; room tools come on top"`
	Approval    Approval      `team:"approval" help:"what happens when the agent asks for permission: ask a person, never (refused), or {allow: [pattern]}"`
	Writes      Writes        `team:"writes" help:"what the member may write: none, all, or a list of globs"`
	Env         []string      `team:"env" help:"names of environment variables to pass, never values"`
	Worktree    later         `team:"worktree,later" help:"give the member a git worktree of its own"`
	In          later         `team:"in,later" help:"work in the worktree of another member"`
	TalksTo     later         `team:"talks_to,later" help:"whom the member may send mail to"`
	TurnTimeout time.Duration `team:"turn_timeout" help:"how long one turn may take; no limit by itself"`
	StallAfter  time.Duration `team:"stall_after" default:"5m" help:"how long a turn may show no sign of life"`
}

// rawMember is members.M as written.
type rawMember struct {
	Name string `team:",name"`
	rawSettings
	Role   Text      `team:"role,file" help:"who the member is; part of the prompt of every session"`
	Brief  Text      `team:"brief,file" help:"a task of the member's own name, in its words"`
	Report rawReport `team:"report" help:"what the member's turns say at their end: a schema or its fields"`
}

// rawManager is managers.M as written.
type rawManager struct {
	rawMember
	Manages []string `team:"manages" help:"the direct reports; a single manager without it manages everyone"`
}
