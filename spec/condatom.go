package spec

import (
	"errors"
	"fmt"
	"strings"

	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"
)

// condAtom is a part of a condition that is computed by expr as a whole.
type condAtom struct {
	prog  *vm.Program
	paths []condPath
	// early names the list of any(list, …): a part of the list may decide it.
	early string
}

// eval is the truth of the atom. The error says why it is Failed.
func (a *condAtom) eval(r *condRun) (Truth, error) {
	clear(r.flat)
	truth, gaps, absent := True, 0, ""
	var failure error
	for i := range a.paths {
		p := &a.paths[i]
		v, ok := p.look(r.values)
		switch {
		case ok && p.typ.holds(v):
			r.flat[p.name] = v
			continue
		case ok:
			truth, failure = Failed, fmt.Errorf("%s is not %s as declared", p.name, p.typ)
		case p.excused:
			continue
		case r.env.Never(p.steps):
			truth, failure = Failed, fmt.Errorf("%s can no longer come to exist", p.name)
			absent = p.name
		default:
			if truth != Failed {
				truth = Unknown
			}
			absent = p.name
		}
		gaps++
	}
	if gaps == 1 && absent != "" && absent == a.early {
		r.flat[a.early] = r.env.SoFar(a.early)
		if found, err := a.run(r); found == True && err == nil {
			return True, nil
		}
	}
	if truth != True {
		return truth, failure
	}
	return a.run(r)
}

// run computes the atom over the values in r.flat.
func (a *condAtom) run(r *condRun) (Truth, error) {
	v, err := r.vm.Run(a.prog, r.flat)
	if err != nil {
		return Failed, inWords(err)
	}
	switch v {
	case true:
		return True, nil
	case false:
		return False, nil
	}
	return Failed, errNotDeclared
}

var errNotDeclared = errors.New("a value is not what its schema declares")

// inWords is what an error of expr's machine means.
func inWords(err error) error {
	var fe *file.Error
	switch {
	case errors.Is(err, errZero):
		return errZero
	case errors.Is(err, errEmptyList):
		return errEmptyList
	case !errors.As(err, &fe):
	case strings.HasPrefix(fe.Message, "index out of range"):
		return errors.New("a list has no item at the number written")
	case strings.HasPrefix(fe.Message, "memory budget"):
		return errors.New("its lists are too long")
	}
	return errNotDeclared
}
