package spec

import (
	"errors"
	"slices"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/vm/runtime"
)

// condFunc is a function conditions may call: how it is written, and its
// result. result is asked with as many arguments as args has, or the last one
// more often when many is set, and says ok when the types fit.
type condFunc struct {
	form      string
	min, max  int // arguments; max -1: any number
	predicate bool
	result    func(args []condType) (condType, bool)
}

// condFuncs is the whole of it: what is not here cannot be called.
var condFuncs = map[string]condFunc{
	"all":       {"all(list, predicate)", 2, 2, true, listThen(typeBool, kindBool)},
	"any":       {"any(list, predicate)", 2, 2, true, listThen(typeBool, kindBool)},
	"none":      {"none(list, predicate)", 2, 2, true, listThen(typeBool, kindBool)},
	"one":       {"one(list, predicate)", 2, 2, true, listThen(typeBool, kindBool)},
	"count":     {"count(list, predicate), and the length of a list len(list)", 2, 2, true, listThen(typeWhole, kindBool)},
	"filter":    {"filter(list, predicate)", 2, 2, true, filtered},
	"map":       {"map(list, value)", 2, 2, true, mapped},
	"sum":       {"sum(list of numbers) or sum(list, number)", 1, 2, true, summed},
	"len":       {"len(list or text)", 1, 1, false, length},
	"first":     {"first(list)", 1, 1, false, itemOf},
	"last":      {"last(list)", 1, 1, false, itemOf},
	"min":       {"min(numbers) or min(list of numbers)", 1, -1, false, numbers},
	"max":       {"max(numbers) or max(list of numbers)", 1, -1, false, numbers},
	"abs":       {"abs(number)", 1, 1, false, absolute},
	"lower":     {"lower(text)", 1, 1, false, texts(typeText)},
	"upper":     {"upper(text)", 1, 1, false, texts(typeText)},
	"trim":      {"trim(text) or trim(text, characters)", 1, 2, false, texts(typeText)},
	"hasPrefix": {"hasPrefix(text, start)", 2, 2, false, texts(typeBool)},
	"hasSuffix": {"hasSuffix(text, end)", 2, 2, false, texts(typeBool)},
}

// call checks a call of a function.
func (c *condChecker) call(n ast.Node, name string, args []ast.Node) condType {
	f, ok := condFuncs[name]
	if !ok {
		names := make([]string, 0, len(condFuncs))
		for name := range condFuncs {
			names = append(names, name)
		}
		slices.Sort(names)
		hint := ""
		if slices.Contains([]string{"now", "date", "duration", "timezone"}, name) {
			hint = ": there is no clock, write time as limits and timeouts"
		} else if best := closest(name, names); best != "" {
			hint = " (did you mean " + best + "?)"
		}
		return c.bad(n, codeForbidden, "the function %s does not exist in conditions%s", name, hint)
	}
	if len(args) < f.min || f.max >= 0 && len(args) > f.max {
		return c.bad(n, codeType, "%s is written %s", name, f.form)
	}
	var given []condType
	for i, arg := range args {
		t := condType{}
		if f.predicate && i == 1 {
			t = c.predicate(n, name, given[0], arg)
		} else {
			t = c.check(arg)
		}
		if t.kind == kindBad {
			return t
		}
		given = append(given, t)
	}
	t, ok := f.result(given)
	if !ok {
		return c.bad(n, codeType, "%s is written %s, but %s is %s", name, f.form, args[len(args)-1], given[len(given)-1])
	}
	return t
}

// predicate is the type of the body of a predicate over list. One predicate
// cannot hold another: the work of a condition stays proportional to its lists.
func (c *condChecker) predicate(call ast.Node, name string, list condType, arg ast.Node) condType {
	p, ok := arg.(*ast.PredicateNode)
	switch {
	case !ok:
		return c.bad(arg, codeType, "%s needs a predicate, like any(findings, .confirmed)", name)
	case list.kind != kindList:
		return c.bad(call, codeType, "%s needs a list, but its first argument is %s", name, list)
	case len(c.item) > 0:
		return c.bad(call, codeForbidden, "%s cannot stand in the predicate of another list: use filter first, or two conditions", name)
	}
	c.item = append(c.item, *list.item)
	defer func() { c.item = c.item[:len(c.item)-1] }()
	return c.check(p.Node)
}

func listThen(result condType, body condKind) func([]condType) (condType, bool) {
	return func(args []condType) (condType, bool) {
		return result, args[0].kind == kindList && (len(args) == 1 || args[1].kind == body)
	}
}

func filtered(args []condType) (condType, bool) {
	return args[0], args[0].kind == kindList && args[1].kind == kindBool
}

func mapped(args []condType) (condType, bool) {
	return typeList(args[1]), args[0].kind == kindList && args[1].kind != kindList
}

func summed(args []condType) (condType, bool) {
	if args[0].kind != kindList {
		return args[0], false
	}
	last := *args[0].item
	if len(args) == 2 {
		last = args[1]
	}
	return last, last.kind == kindNumber
}

func length(args []condType) (condType, bool) {
	return typeWhole, args[0].kind == kindList || args[0].kind == kindText
}

func itemOf(args []condType) (condType, bool) {
	if args[0].kind != kindList || args[0].item.kind == kindBad {
		return args[0], false
	}
	return *args[0].item, true
}

func numbers(args []condType) (condType, bool) {
	if args[0].kind == kindList {
		return *args[0].item, len(args) == 1 && args[0].item.kind == kindNumber
	}
	whole := true
	for _, a := range args {
		if a.kind != kindNumber {
			return a, false
		}
		whole = whole && a.whole
	}
	return condType{kind: kindNumber, whole: whole}, true
}

func absolute(args []condType) (condType, bool) { return args[0], args[0].kind == kindNumber }

func texts(result condType) func([]condType) (condType, bool) {
	return func(args []condType) (condType, bool) {
		for _, a := range args {
			if a.kind != kindText {
				return a, false
			}
		}
		return result, true
	}
}

// The functions below stand in for expr's own, which answer with nothing or
// with infinity where there is no answer.

var (
	errEmptyList = errors.New("a list it needs an item of is empty")
	errZero      = errors.New("division by zero")
)

var ownFuncs = map[string]func(args ...any) (any, error){
	"first": func(args ...any) (any, error) { return itemAt(args[0], 0) },
	"last":  func(args ...any) (any, error) { return itemAt(args[0], -1) },
	"min":   func(args ...any) (any, error) { return extreme("min", args) },
	"max":   func(args ...any) (any, error) { return extreme("max", args) },
	"/":     divide,
	"%":     remainder,
}

func itemAt(list any, i int) (any, error) {
	if runtime.Len(list) == 0 {
		return nil, errEmptyList
	}
	return runtime.Fetch(list, i), nil
}

func extreme(name string, args []any) (any, error) {
	v, err := builtin.Builtins[builtin.Index[name]].Func(args...)
	if err == nil && v == nil {
		return nil, errEmptyList
	}
	return v, err
}

func divide(args ...any) (any, error) {
	if runtime.ToFloat64(args[1]) == 0 {
		return nil, errZero
	}
	return runtime.Divide(args[0], args[1]), nil
}

func remainder(args ...any) (any, error) {
	if runtime.ToInt(args[1]) == 0 {
		return nil, errZero
	}
	return runtime.Modulo(args[0], args[1]), nil
}
