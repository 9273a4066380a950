package vector

import "testing"

func TestPatternOf(t *testing.T) {
	for _, c := range []struct {
		at   [Lanes]int32
		want Pattern
	}{
		{[Lanes]int32{5, 6, 7, 8}, Contiguous},
		{[Lanes]int32{5, 5, 5, 5}, Same},
		{[Lanes]int32{5, 6, 5, 6}, Pairs},
		{[Lanes]int32{8, 5, 5, 7}, Window},
		{[Lanes]int32{5, 6, 20, 20}, Halves},
		{[Lanes]int32{5, 9, 20, 21}, Scattered},
	} {
		if got := PatternOf(c.at); got != c.want {
			t.Errorf("PatternOf(%v) = %d; want %d", c.at, got, c.want)
		}
	}
}

// TestFill checks that lanes that do not matter get places within the span, and that the load is as
// cheap as it can be.
func TestFill(t *testing.T) {
	for _, c := range []struct {
		at    [Lanes]int32
		lanes mask
		room  int32
		want  [Lanes]int32
	}{
		{[Lanes]int32{4, 5, 6, 0}, 0b0111, 8, [Lanes]int32{4, 5, 6, 7}},
		{[Lanes]int32{4, 5, 6, 0}, 0b0111, 7, [Lanes]int32{4, 5, 6, 3}}, // the next place is not of the span: a window
		{[Lanes]int32{0, 0, 6, 6}, 0b1100, 8, [Lanes]int32{6, 6, 6, 6}},
		{[Lanes]int32{2, 3, 2, 0}, 0b0111, 8, [Lanes]int32{2, 3, 2, 3}},
		{[Lanes]int32{9, 0, 0, 30}, 0b1001, 40, [Lanes]int32{9, 9, 30, 30}},
	} {
		if got := fill(c.at, c.lanes, c.room); got != c.want {
			t.Errorf("fill(%v, %04b, %d) = %v; want %v", c.at, c.lanes, c.room, got, c.want)
		}
	}
}
