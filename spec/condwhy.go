package spec

// Why explains the truth of a condition: a tree of and, or and not over atoms.
type Why struct {
	Op       string // and, or, not; "" for an atom
	Source   string
	Truth    Truth
	Err      string    // why an atom is Failed
	Operands []Operand // of an atom
	Kids     []Why
}

// Operand is one value an atom reads.
type Operand struct {
	Path    string
	Value   any // nil while it is absent
	Present bool
	Never   bool // absent, and can no longer come to exist
}

// Explain is Eval with the reasons. No side is left out, also when another
// decides.
func (c *Cond) Explain(e Env) Why {
	r := condRuns.Get().(*condRun)
	defer condRuns.Put(r)
	r.env, r.values = e, e.Values()
	why := c.root.explain(r)
	r.env, r.values = nil, nil
	why.Source = c.src
	return why
}

func (n *condNode) explain(r *condRun) Why {
	w := Why{Op: n.op.String(), Source: n.src}
	if n.op == opAtom {
		n.atom.explain(r, &w)
		return w
	}
	k := newKleene(n.op)
	decided := false
	for i := range n.kids {
		kid := n.kids[i].explain(r)
		w.Kids = append(w.Kids, kid)
		decided = decided || k.add(kid.Truth)
	}
	w.Truth = k.truth
	if n.op == opNot {
		w.Truth = w.Kids[0].Truth.not()
	}
	return w
}

func (a *condAtom) explain(r *condRun, w *Why) {
	truth, err := a.eval(r)
	w.Truth = truth
	if err != nil {
		w.Err = err.Error()
	}
	for i := range a.paths {
		p := &a.paths[i]
		v, ok := p.look(r.values)
		o := Operand{Path: p.name, Value: v, Present: ok}
		if !ok {
			o.Value, o.Never = nil, r.env.Never(p.steps)
		}
		w.Operands = append(w.Operands, o)
	}
}
