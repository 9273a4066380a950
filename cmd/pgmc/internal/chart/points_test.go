package chart

import (
	"testing"

	"gonum.org/v1/plot/vg"
)

// TestFreePlace checks that labels of points close together neither overlap nor leave the room.
func TestFreePlace(t *testing.T) {
	room := vg.Rectangle{Max: vg.Point{X: 300, Y: 200}}
	var taken []vg.Rectangle
	for i := range 12 {
		box, _ := freePlace(vg.Point{X: 290, Y: 100 + vg.Length(i)}, 60, 12, room, taken)
		if !within(box, room) || overlapsAny(box, taken) {
			t.Errorf("label %d at %v is outside or overlaps another", i, box)
		}
		taken = append(taken, box)
	}
}
