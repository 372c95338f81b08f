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
