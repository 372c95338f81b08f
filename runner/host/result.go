package host

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/runner/journal"
	"github.com/teamrun/teamrun/spec"
)

// resultSchema is that of result.json.
const resultSchema = "teamrun/result/v1"

// Result is what the run ended with, nil while it has not ended. Only the journal
// says that it has: result.json is a copy, and where it is not usable the result
// is made from the journal again, by the machine with these kinds.
func (f Folder) Result(kinds []spec.Kind) (*runner.Result, error) {
	root, err := f.open()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	data, err := readState(root, resultName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &journal.StateError{
			Path: filepath.Join(f.path, resultName), Problem: "the file cannot be used: " + reason(err),
			Remedy: "remove it; it is made from the journal again", Err: err,
		}
	}
	if ended, err := f.ended(); err != nil || !ended {
		return nil, err
	}
	var r runner.Result
	if json.Unmarshal(data, &r) == nil && r.Schema == resultSchema && r.Run == f.meta.ID {
		return &r, nil
	}
	return f.resultAgain(kinds)
}

// ended reports whether the journal was ended.
func (f Folder) ended() (bool, error) {
	log, err := f.Journal()
	if err != nil {
		return false, err
	}
	defer log.Close()
	return log.Sealed()
}

// concluded reports whether the run has ended and its result is there.
func (f Folder) concluded(root *os.Root) (bool, error) {
	if _, err := root.Lstat(resultName); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, f.unreadable(err)
	}
	return f.ended()
}

// resultAgain makes the result from the journal.
func (f Folder) resultAgain(kinds []spec.Kind) (*runner.Result, error) {
	unusable := func(why string) error {
		return &journal.StateError{
			Path: filepath.Join(f.path, resultName), Problem: "the file is damaged, and the journal does not give the result again: " + why,
			Remedy: "restore the file from a copy, or use the version of teamrun that started the run",
		}
	}
	team, problems := f.Team(kinds)
	if team == nil {
		return nil, unusable(problems[0].String())
	}
	program, err := runner.Compile(team, kinds)
	if err != nil {
		return nil, unusable(reason(err))
	}
	log, err := f.Journal()
	if err != nil {
		return nil, err
	}
	defer log.Close()
	m := runner.New(program)
	for {
		page, err := log.Since(m.Seq(), 500)
		if err != nil {
			return nil, err
		}
		if len(page) == 0 {
			break
		}
		for _, e := range page {
			if _, err := m.Step(e.Record); err != nil {
				return nil, unusable(reason(err))
			}
		}
	}
	r := m.Result()
	return &r, nil
}
