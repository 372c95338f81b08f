package host

import (
	"context"
	"errors"
	"os"

	"github.com/hashicorp/go-hclog"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/journal"
)

// Run drives a run until it has ended and returns its result. A run that is new,
// interrupted or whose runner was killed is taken over in the same way; one that
// has ended is only read.
//
// When ctx is cancelled, what runs is told to end, its outcomes are saved, and
// the error is ErrInterrupted. The other errors are *HeldError (another live
// runner holds the run), *journal.StateError and *EnvError.
func Run(ctx context.Context, c Config) (runner.Result, error) {
	return run(ctx, c, openJournal, openSocket)
}

// opener opens the journal of a run for writing.
type opener func(path string) (durable, error)

func openJournal(path string) (durable, error) {
	j, err := journal.Open(path)
	if err != nil {
		return nil, err
	}
	return j, nil
}

// server opens the control socket of a run and returns how to close it.
type server func(path string, e *engine) (close func(), err error)

func openSocket(path string, e *engine) (func(), error) {
	owner, err := ownControl(e.root)
	if err != nil {
		return nil, e.config.Folder.unreadable(err)
	}
	e.room.owner = owner
	l, err := listen(path, e.log, e.room, e.submit)
	if err != nil {
		return nil, err
	}
	return func() {
		l.close()
		e.root.Remove(controlName) //nolint:errcheck // it opens nothing any more
	}, nil
}

func run(ctx context.Context, c Config, open opener, serve server) (runner.Result, error) {
	root, err := c.Folder.open()
	if err != nil {
		return runner.Result{}, err
	}
	defer root.Close()
	socket, err := socketPath(os.Getenv, c.Folder.ID())
	if err != nil {
		return runner.Result{}, err
	}
	held, err := takeLock(root, c.Folder.ID(), thisProcess(newClock(0).now(), socket))
	if err != nil {
		return runner.Result{}, c.Folder.lockError(err)
	}
	defer held.release()
	if done, err := c.Folder.Result(c.World.SpecKinds()); err != nil || done != nil {
		return orZero(done), err
	}
	e, err := newEngine(c, root, socket, open)
	if err != nil {
		return runner.Result{}, err
	}
	defer e.core.log.Close() //nolint:errcheck // everything that was acknowledged is durable
	return e.run(ctx, serve)
}

func orZero(r *runner.Result) runner.Result {
	if r == nil {
		return runner.Result{}
	}
	return *r
}

// lockError leaves what says its own exit code as it is.
func (f Folder) lockError(err error) error {
	var held *HeldError
	var env *EnvError
	if errors.As(err, &held) || errors.As(err, &env) {
		return err
	}
	return f.unreadable(err)
}

// newEngine folds the machine from the journal.
func newEngine(c Config, root *os.Root, socket string, open opener) (*engine, error) {
	if c.Log == nil {
		c.Log = hclog.NewNullLogger()
	}
	program, err := runner.Compile(c.Team, c.World.SpecKinds())
	if err != nil {
		return nil, c.Folder.unreadable(err)
	}
	log, err := open(c.Folder.journalPath())
	if err != nil {
		return nil, err
	}
	e := &engine{
		config: c, root: root, log: c.Log, inbox: make(chan submission), over: make(chan struct{}),
		timers: newTimers(), status: newStatusFile(root, c.Log),
		core: &core{program: program, log: log, meta: c.Folder.meta, path: c.Folder.journalPath(), secrets: secrets(c.Team)},
	}
	e.stage = newStage(c.Log, e.submit)
	e.room = &room{core: e.core, root: root, socket: socket, program: c.Exe, tokens: map[string]token{}}
	if text := log.Warning(); text != "" {
		c.Log.Warn(text)
	}
	if err := e.core.fold(c.Watch); err != nil {
		log.Close()
		return nil, err
	}
	e.core.clock = newClock(e.core.m.Now())
	return e, nil
}

func (e *engine) run(ctx context.Context, serve server) (runner.Result, error) {
	if e.core.m.Ended() {
		return e.concludeAgain()
	}
	stop, err := serve(e.room.socket, e)
	if err != nil {
		return runner.Result{}, err
	}
	defer stop()
	err = e.linkProgram()
	if err == nil {
		err = e.takeOver(ctx)
	}
	if err != nil {
		close(e.over)
		return runner.Result{}, err
	}
	e.status.write(e.core.m.View(), stateLive)
	err = e.loop(ctx)
	switch {
	case err == nil:
		e.stage.clear(hurryPatience)
		return e.conclude()
	case errors.Is(err, ErrInterrupted):
		e.stopLeftovers()
		e.status.write(e.core.m.View(), stateInterrupted)
	default: // the journal is lost, not the processes
		e.stage.clear(interruptPatience)
	}
	return e.core.m.Result(), err
}
