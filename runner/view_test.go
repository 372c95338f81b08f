package runner

import "testing"

// The clocks of a view that waits for its next record go on; nothing else does.
func TestViewLater(t *testing.T) {
	v := View{State: "running", WallMS: 100, Tasks: []TaskView{
		{Name: "runs", State: taskRunning, TookMS: 40},
		{Name: "again", State: taskReady, TookMS: 7},
		{Name: "ready", State: taskReady},
		{Name: "done", State: taskDone, TookMS: 30},
	}}
	later := v.Later(1000)
	if later.WallMS != 1100 || v.WallMS != 100 {
		t.Errorf("wall %d, want 1100, of a copy", later.WallMS)
	}
	for i, want := range []int64{1040, 1007, 0, 30} {
		if got := later.Tasks[i]; got.TookMS != want {
			t.Errorf("%s took %d, want %d", got.Name, got.TookMS, want)
		}
	}
	if v.Tasks[0].TookMS != 40 {
		t.Error("the view itself was changed")
	}
	if back := v.Later(-5); back.WallMS != 100 {
		t.Errorf("a clock that went back makes %d", back.WallMS)
	}
	v.State = "ended"
	if over := v.Later(1000); over.WallMS != 100 || over.Tasks[0].TookMS != 40 {
		t.Errorf("an ended run goes on: %+v", over)
	}
}
