package spec

// not is Kleene's negation: what is not known or failed stays so.
func (t Truth) not() Truth {
	switch t {
	case True:
		return False
	case False:
		return True
	}
	return t
}

// kleene joins truths with and or or. One side that decides wins; until then
// an unknown side may still decide, so it wins over a failed one.
type kleene struct {
	truth   Truth
	decides Truth // False for and, True for or
}

func newKleene(op condOp) kleene {
	if op == opAnd {
		return kleene{truth: True, decides: False}
	}
	return kleene{truth: False, decides: True}
}

// add takes one more side and reports whether all is decided.
func (k *kleene) add(t Truth) bool {
	switch {
	case t == k.decides:
		k.truth = t
		return true
	case t == Unknown, t == Failed && k.truth != Unknown:
		k.truth = t
	}
	return false
}
