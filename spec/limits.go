package spec

import "time"

// rawLimits is limits: as written.
type rawLimits struct {
	Wall        time.Duration `team:"wall" default:"1h" help:"how long the run may take"`
	Turns       int           `team:"turns" default:"200" min:"1" help:"how many prompts may be sent"`
	Messages    int           `team:"messages" default:"1000" min:"1" help:"how many messages members may send"`
	Concurrency int           `team:"concurrency" default:"4" min:"1" help:"how many turns may be open at once"`
	Cost        *float64      `team:"cost" min:"0" help:"how many US dollars the run may cost; none by itself"`
	UnknownCost *float64      `team:"unknown_cost" min:"0" help:"what a turn of unknown cost is charged, in US dollars"`
}
