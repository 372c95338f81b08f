package spec

import (
	"reflect"
	"strconv"
	"time"

	"gopkg.in/yaml.v3"
)

// rawTask is tasks.T as written.
type rawTask struct {
	Name      string        `team:",name"`
	For       []string      `team:"for" help:"the member that performs the task, or a list of members"`
	Run       []Text        `team:"run,argv" help:"a command as a list of words, run without a shell"`
	Human     later         `team:"human,later" help:"a question to a person"`
	Vote      later         `team:"vote,later" help:"a motion that members vote on"`
	Needs     rawNeeds      `team:"needs" help:"tasks this one waits for: a list (done), or a mapping of names to done or finished"`
	Again     later         `team:"again,later" help:"a bounded loop back to an earlier task"`
	Report    rawReport     `team:"report" help:"what a performer says at the end: a schema or its fields"`
	Brief     Text          `team:"brief,file" help:"what is to be done"`
	In        later         `team:"in,later" help:"run in the worktree of a member"`
	Timeout   time.Duration `team:"timeout" help:"of run: how long the command may take; none by itself"`
	Env       []string      `team:"env" help:"of run: names of environment variables to pass, never values"`
	OKExit    []int         `team:"ok_exit" min:"0" help:"of run: the exit codes that mean done; [0] by itself"`
	Choices   later         `team:"choices,later" help:"the answers of a human or vote task"`
	Pass      later         `team:"pass,later" help:"the answers that count as done"`
	OnTimeout later         `team:"on_timeout,later" help:"the answer when nobody gives one"`
	By        later         `team:"by,later" help:"the voters"`
	Blind     later         `team:"blind,later" help:"votes are hidden until all are cast"`
	Quorum    later         `team:"quorum,later" help:"the least number of votes"`
}

// rawNeeds is needs: as written, in its order.
type rawNeeds []rawNeed

type rawNeed struct {
	Task, How string
	path      string
}

// DecodeSpec implements Decoded.
func (r *rawNeeds) DecodeSpec(d *Decoder, n *yaml.Node, path string) {
	if n.Kind != yaml.MappingNode {
		var names []string
		d.Value(n, &names, path)
		for i, name := range names {
			at := path
			if n.Kind == yaml.SequenceNode {
				at += "[" + strconv.Itoa(i) + "]"
			}
			*r = append(*r, rawNeed{name, "done", at})
		}
		return
	}
	for _, p := range d.pairs(n) {
		if p.key.Kind != yaml.ScalarNode {
			continue
		}
		need := rawNeed{Task: p.key.Value, path: join(path, p.key.Value)}
		d.pair(&p, reflect.ValueOf(&need.How).Elem(), no, need.path)
		*r = append(*r, need)
	}
}

func (rawNeeds) specSchema(s *schemaMaker) object {
	return object{"anyOf": []any{s.wordList(), object{
		"type": "object", "additionalProperties": object{"type": "string", "enum": []string{"done", "finished"}},
	}}}
}
