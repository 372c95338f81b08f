package spec

// rawStop is stop[] as written.
type rawStop struct {
	When    string `team:"when,required" like:"a condition such as tasks.T.done" help:"a condition; the first stop in order that is true ends the run"`
	Outcome string `team:"outcome,required" values:"success failure" help:"how the run ends"`
	Reason  Text   `team:"reason" help:"why, for the result; the condition by itself"`
	Then    string `team:"then" default:"cancel" values:"cancel" later:"drain" help:"what happens to turns that are open"`
}
