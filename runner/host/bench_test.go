package host

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/spec"
)

// benchHome is a home on the disk that tests use.
func benchHome(b *testing.B) Home {
	b.Helper()
	b.Setenv("XDG_RUNTIME_DIR", b.TempDir())
	return Home{filepath.Join(b.TempDir(), "home")}
}

// chain is a team whose one member does n tasks, one after the other.
func chain(n int) string {
	var s strings.Builder
	s.WriteString("teamrun: v1\nname: chain\ndefaults: {agent: plain}\nmembers:\n  ann: {}\ntasks:\n  t1: {for: ann, brief: go}\n")
	for i := 2; i <= n; i++ {
		fmt.Fprintf(&s, "  t%d: {for: ann, needs: [t%d], brief: go}\n", i, i-1)
	}
	return s.String()
}

// BenchmarkUpToFirstPrompt is everything from a team file to the first prompt.
func BenchmarkUpToFirstPrompt(b *testing.B) {
	h := benchHome(b)
	path := filepath.Join(b.TempDir(), "team.yaml")
	if err := os.WriteFile(path, []byte(hello), 0o600); err != nil {
		b.Fatal(err)
	}
	var total time.Duration
	for b.Loop() {
		w := newWorld()
		var began time.Time
		var once sync.Once
		w.turn = func(ctx context.Context, member string, p runner.Prompt, progress func(runner.TurnProgress)) runner.TurnEnded {
			once.Do(func() { total += time.Since(began) })
			return obliging(ctx, member, p, progress)
		}
		began = time.Now()
		team, _ := spec.Load(path, spec.LoadOptions{Kinds: w.world().SpecKinds(), NeedParams: true})
		f, err := h.NewRun(team, RunOptions{Dir: "/", Now: began})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := Run(b.Context(), Config{Folder: f, Team: team, World: w.world()}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(total.Microseconds())/1000/float64(b.N), "ms/first-prompt")
}

// BenchmarkChain64 is what one more turn costs: 64 turns against 8.
func BenchmarkChain64(b *testing.B) {
	h := benchHome(b)
	took := map[int]time.Duration{}
	for b.Loop() {
		for _, n := range []int{8, 64} {
			f, w := newRun(b, h, chain(n)), newWorld()
			w.turn = func(context.Context, string, runner.Prompt, func(runner.TurnProgress)) runner.TurnEnded {
				return done()
			}
			c := config(b, f, w)
			began := time.Now()
			if r, err := Run(b.Context(), c); err != nil || r.Outcome != "success" {
				b.Fatal(r, err)
			}
			took[n] += time.Since(began)
		}
	}
	b.ReportMetric(float64((took[64]-took[8]).Microseconds())/1000/56/float64(b.N), "ms/turn")
}
