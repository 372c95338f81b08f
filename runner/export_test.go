package runner

import (
	"fmt"
	"reflect"
)

// SameState compares two machines as deep as they go.
func SameState(a, b *Machine) error {
	if !reflect.DeepEqual(a.s, b.s) {
		return fmt.Errorf("the states differ:\n%+v\n%+v", a.View(), b.View())
	}
	return nil
}

// StateSize is a measure of all a machine holds.
func StateSize(m *Machine) int {
	s := m.s
	n := len(s.pending) * 100
	for _, b := range s.members {
		n += len(fmt.Sprintf("%+v %d %d %d", b.windows, len(b.mailbox), len(b.counts), len(b.todo)))
	}
	return n + len(fmt.Sprint(m.env.all))
}
