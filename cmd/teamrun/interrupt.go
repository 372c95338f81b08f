package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// interrupts are the wishes of a person or a system to end this process.
type interrupts struct {
	ctx    context.Context // cancelled by the first
	hurry  chan struct{}   // closed by the second: grace is over
	stop   func()
	signal syscall.Signal // the first, once ctx is cancelled
	quit   func(code int) // ends the process at the third
}

// listen waits for INT, TERM, HUP and QUIT until stop is called. From then on a broken
// pipe no longer ends the process: neither a run nor its exit code may depend
// on whether somebody reads the lines. first is called at the first signal and must
// not wait for anything: the next signals are heard only after it.
func listen(parent context.Context, first func()) *interrupts {
	ctx, cancel := context.WithCancel(parent)
	i := &interrupts{ctx: ctx, hurry: make(chan struct{}), quit: os.Exit}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	// Notify and not Ignore: what is ignored stays ignored in the agents.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	done := make(chan struct{})
	i.stop = func() {
		signal.Stop(signals)
		close(done)
		cancel()
	}
	go i.watch(signals, done, func() {
		cancel()
		first()
	})
	return i
}

func (i *interrupts) watch(signals <-chan os.Signal, done <-chan struct{}, first func()) {
	for n := 1; ; n++ {
		select {
		case <-done:
			return
		case s := <-signals:
			switch n {
			case 1:
				i.signal = s.(syscall.Signal)
				first()
			case 2:
				close(i.hurry)
			case 3:
				i.quit(int(i.exit()))
			}
		}
	}
}

// exit is the code of a process that a signal ended after an orderly save.
func (i *interrupts) exit() exitCode { return exitCode(128 + int(i.signal)) }
