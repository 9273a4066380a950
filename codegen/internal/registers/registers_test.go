package registers_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/codegen/internal/registers"
)

// TestTake checks that the value that is read last gives way, and that pinned values stay.
func TestTake(t *testing.T) {
	f := registers.New(2, 3)
	for v, time := range []int{5, 9, 7} {
		f.Note(v, time)
	}
	f.Hold(0, 0)
	f.Hold(1, 1)
	if r, out := f.Take(); r != 1 || out != 1 || f.Of(1) != registers.None {
		t.Errorf("register %d was taken from value %d; want 1 from 1", r, out)
	}
	f.Hold(2, 1)
	f.Pin(1)
	if r, out := f.Take(); r != 0 || out != 0 {
		t.Errorf("register %d was taken from value %d; want 0 from 0", r, out)
	}
	f.Unpin(1)
	if !f.Used(2) {
		t.Error("value 2 is still to be read")
	}
	if r, out := f.Take(); r != 0 || out != registers.None {
		t.Errorf("register %d was taken from value %d; want 0, which is free", r, out)
	}
}
