package spec

import (
	"strings"

	"github.com/expr-lang/expr/types"
)

// condKind is what a value in a condition is.
type condKind int

const (
	kindBad condKind = iota // a problem was reported already
	kindBool
	kindText
	kindNumber
	kindList
	kindRecord
)

// condType is the static type of a value in a condition.
type condType struct {
	kind   condKind
	whole  bool     // a number that is always whole
	values []string // the only texts it can be, when not nil
	item   *condType
	fields map[string]condType // of a record
	order  []string            // the fields as they are named to the user
}

var (
	typeBool   = condType{kind: kindBool}
	typeText   = condType{kind: kindText}
	typeNumber = condType{kind: kindNumber}
	typeWhole  = condType{kind: kindNumber, whole: true}
)

func typeEnum(values ...string) condType { return condType{kind: kindText, values: values} }

func typeList(item condType) condType { return condType{kind: kindList, item: &item} }

// typeOfField is the type conditions see for a field of a report.
func typeOfField(f Field) condType {
	switch f.Type {
	case "number":
		return typeNumber
	case "bool":
		return typeBool
	case "enum":
		return typeEnum(f.Values...)
	case "list":
		if f.Item == itemFinding {
			return typeList(typeFinding())
		}
		return typeList(typeOfField(Field{Type: f.Item}))
	}
	return typeText
}

// typeFinding is the type of one finding, which is always complete.
func typeFinding() condType {
	t := condType{kind: kindRecord, fields: map[string]condType{}}
	for _, f := range findingFields {
		t.fields[f.Name] = typeOfField(f)
		t.order = append(t.order, f.Name)
	}
	t.fields["line"] = typeWhole
	return t
}

// String is the type in words that follow "is".
func (t condType) String() string {
	switch t.kind {
	case kindBool:
		return "true or false"
	case kindText:
		return "text"
	case kindNumber:
		return "a number"
	case kindList:
		return "a list"
	case kindRecord:
		return "a record with " + strings.Join(t.order, ", ")
	}
	return "nothing known"
}

// expr is the type as expr's own checker knows it. Numbers that may be
// fractional are float64 to it, which its operators mix freely with int.
func (t condType) expr() types.Type {
	switch t.kind {
	case kindBool:
		return types.Bool
	case kindText:
		return types.String
	case kindNumber:
		if t.whole {
			return types.Int
		}
		return types.Float64
	case kindList:
		return types.Array(t.item.expr())
	case kindRecord:
		m := types.Map{}
		for name, f := range t.fields {
			m[name] = f.expr()
		}
		return m
	}
	return types.Any
}

// holds reports whether v is a value of the type. Items of lists are not
// looked at: a list is checked when it enters the room.
func (t condType) holds(v any) bool {
	switch v.(type) {
	case bool:
		return t.kind == kindBool
	case string:
		return t.kind == kindText
	case int:
		return t.kind == kindNumber
	case float64:
		return t.kind == kindNumber && !t.whole
	case []any:
		return t.kind == kindList
	}
	return false
}
