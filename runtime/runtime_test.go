package pgmrt

import (
	"errors"
	"fmt"
	"math"
	randv2 "math/rand/v2"
	"slices"
	"testing"
)

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		err  error
		is   error
		want string
	}{
		{&StateError{"smoke", 7, []string{"yes", "no"}}, ErrState, `variable "smoke" has no state 7 (states: [yes no])`},
		{&LikelihoodError{"smoke", "holds a negative number"}, ErrLikelihood, `variable "smoke": likelihood holds a negative number`},
	} {
		if c.err.Error() != c.want || !errors.Is(c.err, c.is) {
			t.Errorf("got %q; want %q, as %v", c.err, c.want, c.is)
		}
	}
}

// TestRandIsPCGDXSM compares the generator with that of the standard library, which is the same
// algorithm.
func TestRandIsPCGDXSM(t *testing.T) {
	r, std := Rand{3, 5}, randv2.NewPCG(3, 5)
	for i := range 1000 {
		if got, want := r.Uint64(), std.Uint64(); got != want {
			t.Fatalf("number %d is %#x; math/rand/v2 says %#x", i, got, want)
		}
	}
}

func TestRandKnown(t *testing.T) {
	// splitmix64 of seed 0: the reference implementation's first two numbers (Vigna, splitmix64.c).
	if r := NewRand(0); r.hi != 0xe220a8397b1dcdaf || r.lo != 0x6e789e6aa1b965f4 {
		t.Errorf("NewRand(0) is %#x %#x", r.hi, r.lo)
	}
	var zero Rand
	std := randv2.NewPCG(0, 0)
	for range 100 {
		x := zero.Float64()
		if want := float64(std.Uint64()>>11) / (1 << 53); x != want || x < 0 || x >= 1 {
			t.Fatalf("zero value gives %v; want %v", x, want)
		}
	}
}

// TestRescaleTable checks that RescaleTable gives the bits of Rescale.
func TestRescaleTable(t *testing.T) {
	r := randv2.New(randv2.NewPCG(1, 2))
	for _, exponent := range []int{0, 3, -700, 1000, -1070, 1023} {
		for n := range 200 {
			x := make([]float64, n)
			for i := range x {
				x[i] = math.Ldexp(r.Float64(), exponent-r.IntN(4))
			}
			y := slices.Clone(x)
			if k, want := RescaleTable(y), Rescale(x); k != want || !slices.Equal(x, y) {
				t.Fatalf("%d numbers of 2^%d: exponent %d, want %d; numbers %v, want %v", n, exponent, k, want, y, x)
			}
		}
	}
}

func TestRescale(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want []float64
		k    int
	}{
		{nil, nil, 0},
		{[]float64{0, 0}, []float64{0, 0}, 0},
		{[]float64{math.Copysign(0, -1), 4}, []float64{0, 1}, 2},
		{[]float64{1, 1.5, 0}, []float64{1, 1.5, 0}, 0},
		{[]float64{.75, .25}, []float64{1.5, .5}, -1},
		{[]float64{5e-324, 0}, []float64{1, 0}, -1074},
		{[]float64{0x1.8p-1050, 0x1p-1074}, []float64{1.5, 0x1p-24}, -1050},
		{[]float64{0x1p-1022, 0x1p-1074}, []float64{1, 0x1p-52}, -1022},
		{[]float64{0x1p-1023, 0x1p-1074}, []float64{1, 0x1p-51}, -1023},
		{[]float64{math.MaxFloat64, 0x1p1000}, []float64{2 - 0x1p-52, 0x1p-23}, 1023},
		{[]float64{0x1.8p1022}, []float64{1.5}, 1022},
	} {
		got := slices.Clone(c.x)
		if k := Rescale(got); k != c.k || !slices.Equal(got, c.want) {
			t.Errorf("Rescale(%v) = %d, %v; want %d, %v", c.x, k, got, c.k, c.want)
		}
	}
}

func TestNormalize(t *testing.T) {
	for _, c := range []struct{ x, want []float64 }{
		{[]float64{0, 0}, []float64{0, 0}},
		{[]float64{1, 3}, []float64{.25, .75}},
		{[]float64{5e-324, 5e-324}, []float64{.5, .5}},
		{[]float64{math.MaxFloat64, math.MaxFloat64}, []float64{.5, .5}},
	} {
		got := slices.Clone(c.x)
		if Normalize(got); !slices.Equal(got, c.want) {
			t.Errorf("Normalize(%v) = %v; want %v", c.x, got, c.want)
		}
	}
}

func TestObserve(t *testing.T) {
	for state, want := range []string{"[1 1 1] true", "[1 0 0] true", "[0 1 0] true", "[0 0 1] true", "[1 1 1] false"} {
		l := []float64{9, 9, 9}
		ok := Observe(l, uint(state))
		if got := fmt.Sprint(l, ok); got != want {
			t.Errorf("Observe(%d): %s; want %s", state, got, want)
		}
	}
}

func TestLikelihood(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		l, soft, want []float64
		scale         float64
		ok            bool
	}{
		{[]float64{1, 1}, []float64{0, 0}, []float64{1, 1}, 0, true},
		{[]float64{1, 1}, []float64{1, .5}, []float64{1, .5}, 0, true},
		{[]float64{0, 1}, []float64{4, 2}, []float64{0, .5}, math.Log(4), true},
		{[]float64{1, 1}, []float64{5e-324, 1e-323}, []float64{.5, 1}, Ln(1e-323), true},
		{[]float64{1, 1}, []float64{math.MaxFloat64, 1}, []float64{1, 1 / math.MaxFloat64}, math.Log(math.MaxFloat64), true},
		{[]float64{1, 1}, []float64{math.Copysign(0, -1), 1}, []float64{0, 1}, 0, true},
		{[]float64{1, 1}, []float64{1, -1}, []float64{1, 1}, 0, false},
		{[]float64{1, 1}, []float64{nan, 1}, []float64{1, 1}, 0, false},
		{[]float64{1, 1}, []float64{1, inf}, []float64{1, 1}, 0, false},
	} {
		l := slices.Clone(c.l)
		scale, ok := Likelihood(l, c.soft)
		if ok != c.ok || scale != c.scale || !slices.Equal(l, c.want) {
			t.Errorf("Likelihood(%v, %v) = %v, %v, %v; want %v, %v, %v", c.l, c.soft, l, scale, ok, c.want, c.scale, c.ok)
		}
		for _, x := range l {
			if math.Signbit(x) {
				t.Errorf("Likelihood(%v, %v) left -0", c.l, c.soft)
			}
		}
	}
}

func TestArgmax(t *testing.T) {
	for _, c := range []struct {
		w    []float64
		want int
	}{
		{[]float64{0, 0}, 0},
		{[]float64{1, 2, 2}, 1},
		{[]float64{1, 1 + 0x1p-45}, 0}, // equal up to rounding
		{[]float64{1, 1 + 0x1p-43}, 1},
		{[]float64{0, 5e-324}, 1},
	} {
		if got := Argmax(c.w); got != c.want {
			t.Errorf("Argmax(%v) = %d; want %d", c.w, got, c.want)
		}
		if got := rowOf(c.w).argmax(); got != c.want {
			t.Errorf("row %v: argmax %d; want %d", c.w, got, c.want)
		}
	}
}

// rowOf returns a row with one operand in work memory.
func rowOf(w []float64) *tapeRow {
	row := newTapeRow([]int32{tapeArgmax, 8, 0, int32(len(w)), 1, 0, 0, 1}, w, nil, nil)
	return &row
}

// TestDraw checks that frequencies lie within five standard deviations, and that weight zero is
// never drawn.
func TestDraw(t *testing.T) {
	for _, w := range [][]float64{{0, 1, 0, 3, 0}, {1}, {5e-324, 0}, {0, 5e-324, 5e-324, 0}, {math.MaxFloat64, math.MaxFloat64, 0}} {
		const n = 10000
		r, r2 := NewRand(1), NewRand(1)
		count := make([]float64, len(w))
		for range n {
			i := Draw(w, r)
			count[i]++
			if j := rowOf(w).draw(r2); i != j {
				t.Fatalf("%v: row draws %d, slice %d", w, j, i)
			}
		}
		for i, x := range w {
			if x == 0 && count[i] > 0 {
				t.Errorf("%v: drew %d, of weight 0", w, i)
			}
			if p := x / 4; w[len(w)-1] == 0 && len(w) == 5 && math.Abs(count[i]/n-p) > 5*math.Sqrt(p*(1-p)/n) {
				t.Errorf("%v: %d has frequency %v; want %v", w, i, count[i]/n, p)
			}
		}
	}
	if i := Draw([]float64{0, 0}, NewRand(1)); i != 0 {
		t.Errorf("drew %d of zeros; want 0", i)
	}
}
