// Package runner is the core of teamrun: the state machine that decides what a
// run of a team does next. It is pure. It starts nothing, reads no clock, has
// no goroutine and no randomness: records go in, effects come out.
//
//	spec.Team --Compile--> Program --New--> Machine --Step(Record)--> []Effect
//
// # Words
//
// A Record is one entry of the journal, {seq, at, event}. An Event is a fact:
// mail was sent, a turn ended. An Effect is something the machine wants done:
// start a session, take a turn, run a process, set a timer. A member takes
// turns; a turn is one prompt until the agent stops, and it is judged once. A
// ladder is the list of actions a recovery rule takes on failures.
//
// # What a host owes the machine
//
//  1. Step, append, perform. The host gives a record its seq, steps the machine,
//     and appends the record with the digests of its effects in one batch.
//     Effects, answers and views leave only when the batch is durable. When the
//     append fails, the machine is dropped and folded anew from the journal.
//  2. Effect ids are derived from the record, never random; adapters use them as
//     idempotency keys.
//  3. One accepted outcome per effect: the first recorded while it is pending.
//     Recovery is replay and asking the adapters what became of what was
//     pending; there is no second path.
//  4. A domain failure is an event. An infrastructure failure is a Go error,
//     which the host turns into an event.
//  5. Delays: Step emits a backoff {base, max, attempt}; the host asks its retry
//     library, jitter included, and records backoff_due {at}.
//
// Before a call of a member becomes a record the host asks Admit, which refuses
// what is not valid; so every record is.
//
// # A step
//
// Step applies the record, then settles: tasks to a fixpoint, stops, wall,
// admission, limits, stuck, and when the run is latched, ending. Nothing that
// starts work is emitted before the stops were asked.
//
// # Transitions
//
//	member   from               on                              to
//	         waiting            admitted                        starting
//	         starting           session ok                      working (prompt in the same step), idle if the run ends
//	         starting           session failed                  waiting, backoff or down, by the ladder
//	         idle               admitted                        working
//	         working            turn judged                     idle, waiting without a session
//	         working            judged failed                   idle or waiting with its work kept, backoff, down
//	         backoff            delay over                      idle or waiting with its work kept
//	         any but starting   ladder ran out                  down
//	         all but down       run ended                       closed
//	turn     open -> closed -> judged and forgotten
//	task     waiting -> ready | skipped; ready -> running | failed; running -> done | failed
//	part     ready -> running -> done | failed; running -> ready (cancelled, cut unseen)
//	mail     queued -> handed over -> confirmed | queued again (seen no) | unknown (seen unknown)
//	         unknown -> queued, marked doubtful, in the next epoch
//	run      running -> latched -> stopping -> finishing -> ended
//
// # Files
//
// record.go and effect.go are the vocabulary, codec.go its journal form;
// adapter.go the contracts with the world; compile.go and state.go what the
// machine knows; machine.go takes a step; tasks, admit, session, turn, judge,
// mail, recovery, limits, stops and ending are one concern each; values.go is
// the machine as conditions see it; refuse.go says no before the record;
// show.go makes views and results; check.go holds the invariants.
package runner
