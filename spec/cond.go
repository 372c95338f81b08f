package spec

import (
	"slices"
	"sync"

	"github.com/expr-lang/expr/vm"
)

// Truth is the value of a condition: Kleene's three, and Failed for one that
// needs a value which can no longer come to exist or that cannot be computed.
type Truth int8

// The truths.
const (
	Unknown Truth = iota
	True
	False
	Failed
)

func (t Truth) String() string { return [...]string{"unknown", "true", "false", "error"}[t] }

// Env is what conditions are evaluated against.
type Env interface {
	// Values is the nested map of all values that exist now, by the names
	// conditions use: "members" -> "qa" -> "turns" -> 3. A key that is missing
	// is a value that is absent. Numbers are int or float64, texts string,
	// lists []any, records map[string]any. The caller does not change it.
	Values() map[string]any
	// Never reports whether the absent value at path can no longer come to
	// exist. It is asked only about absent values.
	Never(path []string) bool
	// SoFar is the part of the list root that is known while it is still
	// absent; only any(root, …) may be decided by it.
	SoFar(root string) []any
}

// Cond is a compiled condition. It is immutable and safe for concurrent use.
type Cond struct {
	src  string
	root condNode
}

// condNode is and, or or not over kids, or an atom.
type condNode struct {
	op   condOp
	src  string
	kids []condNode
	atom *condAtom
}

type condOp int

const (
	opAtom condOp = iota
	opAnd
	opOr
	opNot
)

func (o condOp) String() string { return [...]string{"", "and", "or", "not"}[o] }

// Source is the condition as written.
func (c *Cond) Source() string { return c.src }

// Reads is the sorted groups of values the condition reads: members.qa,
// tasks.vet, params.base, findings, run. Its truth can change only when one of
// them does.
func (c *Cond) Reads() []string {
	var groups []string
	c.root.each(func(a *condAtom) {
		for i := range a.paths {
			groups = append(groups, a.paths[i].group())
		}
	})
	slices.Sort(groups)
	return slices.Compact(groups)
}

// readsAny reports whether the condition reads a path of which is holds.
func (c *Cond) readsAny(is func(*condPath) bool) bool {
	found := false
	c.root.each(func(a *condAtom) {
		for i := range a.paths {
			found = found || is(&a.paths[i])
		}
	})
	return found
}

func (n *condNode) each(f func(*condAtom)) {
	if n.atom != nil {
		f(n.atom)
	}
	for i := range n.kids {
		n.kids[i].each(f)
	}
}

// condRun is what one evaluation works with.
type condRun struct {
	env    Env
	values map[string]any
	vm     vm.VM
	flat   map[string]any // the values of one atom by the names of its paths
}

var condRuns = sync.Pool{New: func() any {
	return &condRun{vm: vm.VM{MemoryBudget: condMemory}, flat: map[string]any{}}
}}

// condMemory bounds the items of all lists one atom makes.
const condMemory = 1e6

// Eval is the truth of the condition in e.
func (c *Cond) Eval(e Env) Truth {
	r := condRuns.Get().(*condRun)
	r.env, r.values = e, e.Values()
	t := c.root.eval(r)
	r.env, r.values = nil, nil
	condRuns.Put(r)
	return t
}

func (n *condNode) eval(r *condRun) Truth {
	switch n.op {
	case opAtom:
		t, _ := n.atom.eval(r)
		return t
	case opNot:
		return n.kids[0].eval(r).not()
	}
	k := newKleene(n.op)
	for i := range n.kids {
		if k.add(n.kids[i].eval(r)) {
			break
		}
	}
	return k.truth
}
