package runner

import (
	"slices"

	"github.com/teamrun/teamrun/spec"
)

// operands are the values a condition read, each once, in their order.
func operands(w spec.Why) []WhyOperand {
	os := []WhyOperand{}
	walkWhy(w, func(atom spec.Why) {
		for _, o := range atom.Operands {
			if slices.ContainsFunc(os, func(x WhyOperand) bool { return x.Path == o.Path }) {
				continue
			}
			x := WhyOperand{Path: o.Path, State: "absent"}
			if o.Present {
				x.State, x.Value = "present", o.Value
			} else if o.Never {
				x.State = "never"
			}
			os = append(os, x)
		}
	})
	return os
}

// problem is why a condition is in error: the first atom that is.
func problem(w spec.Why) string {
	text := ""
	walkWhy(w, func(atom spec.Why) {
		if text == "" && atom.Truth == spec.Failed {
			text = atom.Err
		}
	})
	return text
}

func walkWhy(w spec.Why, atom func(spec.Why)) {
	if len(w.Kids) == 0 {
		atom(w)
	}
	for _, k := range w.Kids {
		walkWhy(k, atom)
	}
}
