package command

import (
	"context"
	"testing"

	"github.com/teamrun/teamrun/runner"
)

// TestX11_NobodyHoldsTheTurnOpen: what only Linux can find. Who left the group and keeps standard output
// is found by its label and ended; even one that cannot be found cannot make
// the turn wait.
func TestX11_NobodyHoldsTheTurnOpen(t *testing.T) {
	t.Run("labelled", func(t *testing.T) {
		m := newShell(t, `setsid sh -c 'sleep 300 & sleep 300' & echo out`)
		if got := m.turn(m.prompt()); got.Stop != runner.StopEndTurn || got.Output.Head != "out\n" {
			t.Errorf("turn = %+v, want end_turn", got)
		}
		m.nobodyLeft()
	})
	t.Run("labelled, with no stream of ours", func(t *testing.T) {
		m := newShell(t, `setsid sleep 300 >/dev/null 2>&1 </dev/null & echo out`)
		m.turn(m.prompt())
		m.nobodyLeft()
	})
	t.Run("unlabelled, cancelled", func(t *testing.T) {
		m := newShell(t, `env -i setsid sh -c 'echo $$ >pid; exec sleep 300' >/dev/null 2>&1 & while ! test -s pid; do :; done; echo here; wait`)
		ctx, cancel := context.WithCancel(t.Context())
		ended := m.begin(ctx)
		cancel()
		<-ended
		if e, alive := lookup(pidIn(t, m.post.Dir)); alive && !e.dead {
			t.Errorf("%v lives, and it was a child when the turn was cancelled", e)
		}
	})
	t.Run("unlabelled, with our stream", func(t *testing.T) {
		m := newShell(t, `env -i setsid sh -c 'echo $$ >pid; exec sleep 300' & while ! test -s pid; do :; done; echo out`)
		if got := m.turn(m.prompt()); got.Output.Head != "out\n" || got.Text != "" {
			t.Errorf("turn = %+v, want its end with nobody left", got)
		}
		if e, alive := lookup(pidIn(t, m.post.Dir)); alive && !e.dead {
			t.Errorf("%v lives, and it holds the output of the turn", e)
		}
	})
}
