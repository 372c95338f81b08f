package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/teamrun/teamrun/runner/safe"
)

// launch is one process to run.
type launch struct {
	argv    []string
	dir     string   // where it works, absolute
	env     []string // all but its label
	prompt  *string  // what the file of the prompt is to hold; nil for no such file
	stdin   string   // name of the file in folder it reads; "" for nothing at all
	folder  *folder
	grace   time.Duration
	hurry   <-chan struct{}
	printed func([]byte) // each piece it printed
	secrets *safe.Redactor
}

// ending is how a process ended.
type ending struct {
	// refused says why it was never started. Then status is what a shell would
	// have answered, 0 when the program is not to blame.
	refused error
	again   bool     // refused because the effect was begun before
	status  int      // exit status, -1 without one
	signal  string   // that ended it, as KILL
	stopped bool     // it was ended from here
	left    []string // what could not be ended
	stdout  *capture
	stderr  *capture
}

// label is the variable by which everyone of the family of a process is known.
func label(f *folder) string { return "TEAMRUN_FOLDER=" + f.path }

// run starts the process and returns when it and all that came from it have
// ended. The process of an effect is started once: what it was given and printed
// then is not touched by a second attempt.
func (l launch) run(ctx context.Context) ending {
	program, status, err := findProgram(l.argv[0], l.dir, l.env)
	if err != nil {
		return ending{refused: err, status: status}
	}
	if err := l.folder.intend(program); err != nil {
		return ending{refused: err, again: errors.Is(err, fs.ErrExist)}
	}
	if l.prompt != nil {
		if err := l.folder.root.WriteFile(promptFile, []byte(*l.prompt), 0o600); err != nil {
			return ending{refused: err}
		}
	}
	std, err := l.openStreams()
	if err != nil {
		return ending{refused: err}
	}
	defer std.close()
	cmd := &exec.Cmd{
		Path: program, Args: l.argv, Dir: l.dir, Env: append(l.env, label(l.folder)),
		Stdin: std.stdin, Stdout: std.out.write, Stderr: std.errs.write,
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return notStarted(program, err)
	}
	std.follow()
	leader, err := identify(cmd.Process.Pid)
	if err == nil {
		err = l.folder.add(mark{Process: &leader})
	}
	if err != nil {
		// Nobody could find this process again: it must not run.
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
		std.finish()
		return ending{refused: fmt.Errorf("the process cannot be kept track of: %w", err)}
	}
	end := l.watch(ctx, leader, began, std)
	end.stdout, end.stderr = std.out.capture, std.errs.capture
	if e, there := lookup(leader.Pid); there && !e.dead {
		go func() { _ = cmd.Wait() }() // nothing ends it; it is reaped should it ever go
		end.status = -1
		return end
	}
	_ = cmd.Wait() // reaps it, and only now its pid may be used again
	end.read(cmd.ProcessState)
	return end
}

// watch returns when the process has ended by itself or ctx is over, and its
// family is ended and its output taken.
func (l launch) watch(ctx context.Context, leader identity, began time.Time, std *streams) (end ending) {
	kin := newFamily(leader, label(l.folder), began)
	exited := make(chan struct{})
	go func() { awaitExit(leader.Pid); close(exited) }()
	select {
	case <-exited:
		// What it printed last may come by way of a child, as with tee.
		std.ended(ctx)
	case <-ctx.Done():
		end.stopped = true
	}
	end.left = kin.end(l.grace, l.hurry)
	if !std.ended(context.Background()) {
		// Somebody left the group, the tree and the label, and yet has our pipe.
		// It is looked at twice, for another process that this one is just
		// starting has all our pipes for a moment.
		first := std.holders()
		if !std.ended(context.Background()) {
			kin.adopt(first, std.holders())
			end.left = append(end.left, kin.end(l.grace, l.hurry)...)
		}
		if !std.ended(context.Background()) {
			end.left = append(end.left, "a process that cannot be found and holds its output open")
		}
	}
	std.finish()
	return end
}

func (e *ending) read(state *os.ProcessState) {
	e.status = state.ExitCode()
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		e.signal = strings.TrimPrefix(unix.SignalName(ws.Signal()), "SIG")
	}
}

// notStarted sorts why the system did not start the program.
func notStarted(program string, err error) ending {
	end := ending{refused: fmt.Errorf("cannot start %s: %w", program, err)}
	switch {
	case errors.Is(err, syscall.ENOEXEC):
		end.status = 126
		end.refused = fmt.Errorf("cannot start %s: it is no program (a script needs a first line like #!/bin/sh)", program)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.E2BIG):
		end.status = 126
	case errors.Is(err, fs.ErrNotExist):
		end.status = 127
		end.refused = fmt.Errorf("cannot start %s: the interpreter its first line names is not there", program)
	}
	return end
}
