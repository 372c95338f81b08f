package host

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/teamrun/teamrun/runner"
)

// agent is the agent of a member, opened once per lease.
func (e *engine) agent(member string) (runner.Agent, error) {
	if a, ok := e.stage.agents[member]; ok {
		return a, nil
	}
	def := e.core.program.Member(member)
	if def == nil {
		return nil, fmt.Errorf("the team has no member %s", member)
	}
	for _, k := range e.config.World.Kinds {
		if k.Spec().Name != def.Spec.Agent.Kind {
			continue
		}
		a, err := k.Open(runner.Post{
			Run: e.core.meta.ID, Member: member, Settings: def.Spec.Agent.Settings, Via: def.Spec.Agent.Via,
			Env: def.Spec.Agent.Env, Dir: e.core.meta.Dir, Folder: e.path("members", member),
			RunFolder: e.path(), Bin: e.bin(), Hurry: e.config.Hurry,
		})
		if err != nil {
			return nil, err
		}
		e.stage.agents[member] = a
		return a, nil
	}
	return nil, fmt.Errorf("this build has no kind of agent %q", def.Spec.Agent.Kind)
}

// path is a place below the run's folder, absolute.
func (e *engine) path(parts ...string) string {
	return filepath.Join(append([]string{e.config.Folder.path}, parts...)...)
}

func (e *engine) order(effect, member string, epoch int) runner.SessionOrder {
	return runner.SessionOrder{Effect: effect, Epoch: epoch, RoomFile: e.path(epochFolder(member, epoch), roomName)}
}

func (e *engine) startSession(id string, op runner.StartSession) {
	failed := func(text string) runner.Event {
		return runner.SessionStarted{Effect: id, Class: classCrashed, Text: text}
	}
	agent, err := e.agent(op.Member)
	if err == nil {
		err = e.room.admit(op.Member, op.Epoch)
	}
	if err != nil {
		e.enqueue(id, failed(reason(err)))
		return
	}
	order := e.order(id, op.Member, op.Epoch)
	e.stage.perform(id, act{
		work: func(ctx context.Context) runner.Event {
			started := agent.Start(ctx, order)
			started.Effect = id
			if !started.OK && ctx.Err() != nil {
				started.Class = classCancelled // withdrawn, whatever it failed of then
			}
			return started
		},
		crashed: failed,
		abandoned: func(text string) runner.Event {
			return runner.SessionStarted{Effect: id, Class: classCancelled, Text: text}
		},
	})
}

func (e *engine) stopSession(id string, op runner.StopSession) {
	stopped := func(text string) runner.Event {
		e.log.Warn("a session could not be stopped", "member", op.Member, "error", text)
		return runner.SessionStopped{Effect: id}
	}
	agent, err := e.agent(op.Member)
	if err != nil {
		e.enqueue(id, stopped(reason(err)))
		return
	}
	order := e.order(id, op.Member, op.Epoch)
	e.stage.perform(id, act{
		closing: true,
		work: func(ctx context.Context) runner.Event {
			ended := agent.Stop(ctx, order)
			ended.Effect = id
			return ended
		},
		crashed: stopped,
		abandoned: func(text string) runner.Event {
			return runner.SessionStopped{Effect: id, Escaped: []string{"the session of " + op.Member + ": " + text}}
		},
	})
	e.stage.bound(id)
}
