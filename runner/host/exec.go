package host

import (
	"context"
	"path"
	"strconv"

	"github.com/teamrun/teamrun/runner"
)

// execOrder is everything an exec needs.
func (e *engine) execOrder(id string, op runner.RunExec) runner.ExecOrder {
	task := e.core.program.Task(op.Task).Spec
	return runner.ExecOrder{
		Effect: id, Task: op.Task, Round: op.Round, Argv: argv(task.Run), Env: task.Env, Dir: e.core.meta.Dir,
		Folder: e.path(taskFolder(op)), RunFolder: e.path(), Bin: e.bin(), Hurry: e.config.Hurry,
	}
}

// taskFolder is where the output of a run task goes, below the run's folder.
func taskFolder(op runner.RunExec) string {
	return path.Join("tasks", op.Task, strconv.Itoa(op.Round))
}

func (e *engine) runExec(id string, op runner.RunExec) {
	crashed := func(text string) runner.Event {
		return runner.ExecEnded{Effect: id, Exit: -1, Class: classCrashed, Text: text}
	}
	if err := e.root.MkdirAll(taskFolder(op), 0o700); err != nil {
		e.enqueue(id, crashed(reason(err)))
		return
	}
	order := e.execOrder(id, op)
	e.stage.perform(id, act{
		work: func(ctx context.Context) runner.Event {
			ended := e.config.World.Exec.Run(ctx, order)
			ended.Effect = id
			if ended.Exit < 0 && ctx.Err() != nil {
				ended.Class = classCancelled // it was ended in order, so it may run again
			}
			return ended
		},
		crashed: crashed,
		abandoned: func(text string) runner.Event {
			return runner.ExecEnded{Effect: id, Exit: -1, Class: classUnknown, Text: text}
		},
	})
}
