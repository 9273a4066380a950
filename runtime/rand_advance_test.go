package pgmrt

import "testing"

// TestAdvance compares with numbers drawn one by one.
func TestAdvance(t *testing.T) {
	drawn := NewRand(7)
	at := uint64(0)
	for _, n := range []uint64{0, 1, 2, 3, 64, 1000, 12345} {
		for ; at < n; at++ {
			drawn.Uint64()
		}
		jumped := NewRand(7)
		if jumped.Advance(n); *jumped != *drawn {
			t.Errorf("over %d numbers: %v; want %v", n, *jumped, *drawn)
		}
	}
	// The order of the generator is 2^128: steps of 2^63 sum up as well.
	a, b := NewRand(9), NewRand(9)
	a.Advance(1 << 63)
	a.Advance(1 << 63)
	a.Advance(5)
	b.Advance(1<<63 + 5)
	b.Advance(1 << 63)
	if *a != *b {
		t.Errorf("%v and %v", *a, *b)
	}
}
