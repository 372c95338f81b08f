package runner

// Preflight is what a kind implements that can tell before a run exists what it
// would find missing.
type Preflight interface {
	// Ready returns an error in words for people when the post's member could not
	// work. It starts and makes nothing. The post has no folders yet.
	Ready(p Post) error
}

// ExecPreflight is Preflight for the Exec of a world.
type ExecPreflight interface {
	ReadyExec(o ExecOrder) error
}
