package host

import (
	"time"

	"github.com/sethvargo/go-retry"

	"github.com/teamrun/teamrun/runner"
)

// jitterPercent spreads the retries of members that failed together.
const jitterPercent = 10

// backoffDue answers a backoff with the time its delay ends, in Unix ms.
func backoffDue(effect string, op runner.AskBackoff, now int64) runner.BackoffDue {
	return runner.BackoffDue{Effect: effect, At: now + backoffDelay(op).Milliseconds()}
}

// backoffDelay is the delay of an attempt: base, twice base, and so on, with
// jitter, at most max.
func backoffDelay(op runner.AskBackoff) time.Duration {
	if op.Base <= 0 {
		return 0
	}
	// The values are stateful and the cap is outermost, or jitter would pass it.
	b := retry.WithJitterPercent(jitterPercent, retry.NewExponential(op.Base))
	if op.Max > 0 {
		b = retry.WithCappedDuration(op.Max, b)
	}
	var delay time.Duration
	for range max(op.Attempt, 1) {
		delay, _ = b.Next()
	}
	return delay
}
