package stepsx

import "testing"

// TestStandard: the world is complete, its kinds are named once, and each says
// how its reports come.
func TestStandard(t *testing.T) {
	w := Standard()
	if w.Exec == nil || w.Finisher == nil {
		t.Errorf("world = %+v, want run tasks and artifacts", w)
	}
	seen := map[string]bool{}
	for _, k := range w.SpecKinds() {
		if seen[k.Name] || k.New == nil || len(k.Vias) == 0 {
			t.Errorf("kind %+v: named twice, or without settings or ways to report", k)
		}
		seen[k.Name] = true
	}
	if !seen["scripted"] || !seen["command"] {
		t.Errorf("kinds = %v, want scripted and command", seen)
	}
}
