package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/teamrun/teamrun/cmd/teamrun/view"
	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/host"
	"github.com/teamrun/teamrun/spec"
)

// progress shows the steps of a run that this process drives, on standard
// error.
type progress struct {
	a    *app
	mode string // plain, json or quiet
	log  *view.Log
	out  *sink

	mu     sync.Mutex
	first  string    // what the first record shows
	last   time.Time // of the last line
	view   runner.View
	closed bool
}

func (a *app) newProgress(team *spec.Team, f host.Folder) *progress {
	mode := a.progress
	if mode == "auto" {
		mode = "plain"
	}
	say, lost := a.say, lostLine
	if mode == "json" {
		say, lost = a.sayJSON, lostJSON
	}
	return &progress{a: a, mode: mode, log: newLog(team, f), out: newSink(say, lost), last: a.now()}
}

// lostLine says that a reader fell so far behind that it misses lines.
func lostLine(lines int) string {
	return fmt.Sprintf("… %d lines left out, teamrun logs has them\n", lines)
}

// lostJSON is lostLine for a reader of JSON.
func lostJSON(lines int) string { return fmt.Sprintf("{\"left_out\":%d}\n", lines) }

// newLog is the log of a run of team.
func newLog(team *spec.Team, f host.Folder) *view.Log {
	return view.NewLog(team, filepath.Base(f.Meta().SpecPath), version().Version)
}

// step shows one step. Of the past of a resumed run nothing is shown again, but
// of a new one its beginning, which was recorded before anybody drove it.
func (p *progress) step(s host.Step) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.View.Seq > 0 {
		p.view = s.View
	}
	text := p.render(s)
	if s.Replayed {
		if s.Record.Seq == 1 {
			p.first = text
		}
		return
	}
	if lease, ok := s.Record.Event.(runner.Leased); ok && lease.Lease == 1 {
		text = p.first + text
	}
	if text != "" {
		p.out.write(text)
		p.last = p.a.now()
	}
}

// render is the lines of a step in the mode of this progress.
func (p *progress) render(s host.Step) string {
	if p.mode == "json" {
		return stepLine(s)
	}
	effects := s.Effects
	if s.Held {
		effects = nil // nothing of it begins
	}
	var b strings.Builder
	for _, line := range p.log.Step(s.Record, s.Facts, effects, func() runner.View { return s.View }) {
		b.WriteString(line.Text + "\n")
	}
	if p.mode == "quiet" {
		return ""
	}
	return b.String()
}

// beat says every period without a line that the run is alive, until ctx ends.
func (p *progress) beat(ctx context.Context) {
	if p.mode != "plain" {
		return
	}
	period := time.Minute
	if view.Accessible(p.a.getenv) {
		period = 30 * time.Second
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			p.alive(period)
		}
	}
}

func (p *progress) alive(period time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.a.now()
	if p.closed || p.view.Seq == 0 || now.Sub(p.last) < period {
		return
	}
	p.out.write(p.log.Alive(p.view, now.UnixMilli()).Text + "\n")
	p.last = now
}

// say shows a line about this process, in every mode. It never waits for its
// reader.
func (p *progress) say(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.out.write(line)
	}
}

// close writes what is left.
func (p *progress) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.out.close()
}
