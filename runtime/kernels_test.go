package pgmrt

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// strangeNumber returns one of the numbers that arithmetic treats apart, or another one of any
// sign.
func strangeNumber(r *rand.Rand) float64 {
	strange := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1),
		math.SmallestNonzeroFloat64, -0x1p-1030, 0x1.8p-1023, math.MaxFloat64, -math.MaxFloat64}
	if i := r.IntN(40); i < len(strange) {
		return strange[i]
	}
	return math.Ldexp(r.NormFloat64(), r.IntN(80)-40)
}

// ordered returns the absolute number, or 1 if it is NaN: maxima are of such numbers only.
func ordered(x float64) float64 {
	if math.IsNaN(x) {
		return 1
	}
	return math.Abs(x)
}

func strangeNumbers(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = strangeNumber(r)
	}
	return x
}

// sameNumbers reports whether numbers have the same bits, or are NaN on both sides: the bits of NaN
// depend on the order of operands.
func sameNumbers(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y)
	})
}

// randomRuns returns runs of nodes with n operations each: terms in the first half of a memory of
// slots, results in the second half. scale is the distance of slots, and group the number of
// elements of an operand.
func randomRuns(r *rand.Rand, terms, slots, scale, group int) (ins []int32) {
	nodes, operands := 1+r.IntN(5), 2*terms
	if terms < 0 {
		operands = -terms
	}
	ins = append(ins, int32(terms), int32(nodes))
	if group > 1 {
		ins[1] = -ins[1]
	}
	for range nodes {
		ins = append(ins, int32((slots/2+r.IntN(slots/2-group))*scale))
		for range operands * group {
			ins = append(ins, int32(r.IntN(slots/2)*scale))
		}
	}
	return ins
}

// longest is the number of numbers, terms or slots up to which kernels are compared: more than any
// of them has in a step.
const longest = 70

// TestKernelsOfRuns compares the kernels of sums and maxima with those in Go for all numbers of
// terms.
func TestKernelsOfRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for terms := -longest; terms <= longest; terms++ {
		if terms == 0 {
			continue
		}
		const slots = 100
		s := strangeNumbers(r, slots)
		ins := slices.Concat(randomRuns(r, terms, slots, 1, 1), randomRuns(r, terms, slots, 1, 4), randomRuns(r, -terms, slots, 1, 1))
		got, want := slices.Clone(s), slices.Clone(s)
		tapeRunSums(ins, got)
		if tapeSumsPlain(ins, want); !sameNumbers(got, want) {
			t.Errorf("tape, %d terms: %v; want %v", terms, got, want)
		}
		l := strangeNumbers(r, slots*Lanes)
		ins = slices.Concat(randomRuns(r, terms, slots, Lanes, 1), randomRuns(r, -terms, slots, Lanes, 1))
		want = slices.Clone(l)
		laneSumsPlain(ins, want)
		for name, kernel := range vectorKernels() {
			got := slices.Clone(l)
			if kernel[0](ins, got); !sameNumbers(got, want) {
				t.Errorf("%s: lanes with %d terms differ", name, terms)
			}
		}
		if terms > 0 {
			continue
		}
		for i, x := range l {
			l[i] = ordered(x)
		}
		ins = randomRuns(r, terms, slots, Lanes, 1)
		want = slices.Clone(l)
		laneMaximaPlain(ins, want)
		for name, kernel := range vectorKernels() {
			got := slices.Clone(l)
			if kernel[1](ins, got); !sameNumbers(got, want) {
				t.Errorf("%s: maxima of %d terms differ", name, -terms)
			}
		}
	}
}

// TestKernelsOfTiles compares the kernels of tables in lanes with those in Go for all lengths.
func TestKernelsOfTiles(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	const slots, numbers = 4096, 2048 // tiles with the longest sums fit
	l, p := strangeNumbers(r, slots*Lanes), strangeNumbers(r, numbers)
	for n := range longest + 1 {
		for range 12 {
			tile := randomTile(r, slots, numbers)
			if tile.kind != tileNone {
				tile.n = max(n, 1)
			}
			of := func(k tableKernels) func(t *laneTile, l, p []float64) {
				if tile.kind >= tileMatrix {
					return k.matrix
				}
				return k.products
			}
			kernels, want := kernelsOfTables(), slices.Clone(l)
			of(kernels["Go"])(&tile, want, p)
			for name, k := range kernels {
				got := slices.Clone(l)
				if of(k)(&tile, got, p); !sameNumbers(got, want) {
					t.Errorf("%s differs for %+v", name, tile)
				}
			}
		}
		table, factor := slices.Clone(l[:n*Lanes]), [Lanes]float64(strangeNumbers(r, Lanes))
		scaled := slices.Clone(table)
		laneTimesPlain(scaled, &factor)
		largest, top := slices.Clone(table), [Lanes]float64{}
		for i, x := range largest {
			largest[i] = ordered(x)
		}
		laneTopPlain(largest, &top)
		for name, k := range kernelsOfTables() {
			got := slices.Clone(table)
			if k.times(got, &factor); !sameNumbers(got, scaled) {
				t.Errorf("%s: a table of %d slots: %v; want %v", name, n, got, scaled)
			}
			var most [Lanes]float64
			if k.top(largest, &most); !sameNumbers(most[:], top[:]) {
				t.Errorf("%s: top of %d slots %v; want %v", name, n, most, top)
			}
		}
	}
}

// TestKernelsOfForward compares the kernels of filters with those in Go for all numbers of states.
func TestKernelsOfForward(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for states := 1; states <= longest; states++ {
		p := make([]float64, states*states)
		var in [ForwardRows]ForwardRow
		for i := range p {
			p[i] = r.Float64()
		}
		for i := range in {
			in[i] = ForwardRow{strangeNumbers(r, states), strangeNumbers(r, states)}
			if i%2 == 0 { // most sums of strange numbers are NaN
				in[i] = ForwardRow{p[:states], in[i].Column}
			}
		}
		want := NewForward(p, states, 1, states)
		forwardPlain(want, &in)
		for name, run := range forwardKernels {
			got := NewForward(p, states, 1, states)
			run(got, &in)
			if !sameNumbers(got.rows, want.rows) || !sameNumbers(got.roots[:], want.roots[:]) || !sameNumbers(got.inverse[:], want.inverse[:]) {
				t.Errorf("%s, %d states: %v, roots %v; want %v, roots %v", name, states, got.rows, got.roots, want.rows, want.roots)
			}
		}
	}
}

// TestKernelsOfVectors compares what copies and scales numbers with loops in Go for all lengths.
// Neighbours of the result stay.
func TestKernelsOfVectors(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for n := range longest + 1 {
		from, by := strangeNumbers(r, n), strangeNumber(r)
		for name, pair := range map[string][2]func(to []float64){
			"copyVectors":   {func(to []float64) { copyVectors(to, from) }, func(to []float64) { copy(to, from) }},
			"multiplyTable": {func(to []float64) { copy(to, from); multiplyTable(to, by) }, func(to []float64) { copy(to, from); multiply(to, by) }},
			"forwardScale": {func(to []float64) {
				if n > 0 { // a filter has at least one state
					forwardScale(to, from, by)
				}
			}, func(to []float64) { forwardScalePlain(to, from, by) }},
		} {
			got, want := make([]float64, n+2), make([]float64, n+2)
			pair[0](got[1 : n+1])
			if pair[1](want[1 : n+1]); !sameNumbers(got, want) {
				t.Errorf("%s, %d numbers: %v; want %v", name, n, got, want)
			}
		}
		if got, want := TopOfTable(from), Top(from); got != want {
			t.Errorf("TopOfTable of %v: %d; want %d", from, got, want)
		}
	}
}
