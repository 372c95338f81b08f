// Package host is the local engine: it runs one run on this machine.
//
// One goroutine owns the machine (engine.go). Everything that happens reaches
// it as a submission: outcomes of effects, room calls, the person's commands,
// due timers. It takes what is there as one batch, gives each record its seq and
// time, steps the machine, and appends the batch once. Only when the batch is
// durable do effects, answers and views leave: what nobody can lose is the only
// thing anybody is told.
//
// Starting and resuming are one path (takeover.go): replay, take the lease, ask
// what became of what was under way, record all answers, then perform what is
// pending.
package host
