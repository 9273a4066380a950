package pgmrt

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// tableKernels holds the kernels of one kind of processor for tables in lanes.
type tableKernels struct {
	products, matrix func(t *laneTile, l, p []float64)
	top, times       func(table []float64, factor *[Lanes]float64)
}

// randomTile returns a tile over memories of the given numbers of slots and numbers. The result
// lies in the first half of the slots, in which no operand does.
func randomTile(r *rand.Rand, slots, numbers int) (t laneTile) {
	t.rows, t.n, t.columns = 1+r.IntN(9), 1+r.IntN(5), 1+r.IntN(9)
	t.kind, t.add = r.IntN(tileTable+1), r.IntN(2)
	t.first = 1 + []int{0, 1, 2, 2, 1, 2, 2}[t.kind]
	if t.kind == tileNone {
		t.n = 1
	}
	if t.kind < tileMatrix {
		t.still, t.columns = r.IntN(4), 1
	}
	t.at[0], t.row[0], t.column = Lanes*r.IntN(slots/8), Lanes*t.columns, Lanes
	for k := 1; k < t.first+t.still; k++ {
		inData := k == 1 && (t.kind == tileMixed || t.kind == tileData || t.kind == tileTable) || k >= t.first && r.IntN(2) == 0
		if inData {
			t.data[k], t.at[k], t.row[k] = 1, r.IntN(numbers/4), r.IntN(9)
		} else {
			t.at[k], t.row[k] = Lanes*(slots/2+r.IntN(slots/8)), Lanes*r.IntN(9)
		}
		if k <= 2 && k < t.first {
			t.step[k-1] = r.IntN(9)
			if !inData {
				t.step[k-1] *= Lanes
			}
		}
	}
	return t
}

// value computes one result of a tile for one lane, without what was there.
func (t *laneTile) value(r, c, lane int, l, p []float64) float64 {
	element := func(k, at int) float64 {
		if t.data[k] != 0 {
			return p[at]
		}
		return l[at+lane]
	}
	row2 := r
	if t.kind >= tileMatrix {
		row2 = c
	}
	sum := 1.0
	if t.kind != tileNone {
		sum = 0
	}
	for i := range t.n {
		switch t.first {
		case 2:
			sum += element(1, t.at[1]+r*t.row[1]+i*t.step[0])
		case 3:
			sum += float64(element(1, t.at[1]+r*t.row[1]+i*t.step[0]) * element(2, t.at[2]+row2*t.row[2]+i*t.step[1]))
		}
	}
	for k := t.first; k < t.first+t.still; k++ {
		sum *= element(k, t.at[k]+r*t.row[k])
	}
	return sum
}

// TestNestKernels checks that every kernel computes the bits of the definition.
func TestNestKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const slots, numbers = 1024, 512
	for round := range 2000 {
		l, p := NewLanes(slots), make([]float64, numbers)
		for i := range l {
			l[i] = r.Float64() * float64(r.IntN(4))
		}
		for i := range p {
			p[i] = r.Float64()
		}
		tile := randomTile(r, slots, numbers)
		want := slices.Clone(l)
		for row := range tile.rows {
			for c := range tile.columns {
				for lane := range Lanes {
					at := tile.at[0] + row*tile.row[0] + c*tile.column + lane
					want[at] = tile.value(row, c, lane, l, p)
					if tile.add != 0 {
						want[at] += l[at]
					}
				}
			}
		}
		for name, kernel := range kernelsOfTables() {
			got := slices.Clone(l)
			run := kernel.products
			if tile.kind >= tileMatrix {
				run = kernel.matrix
			}
			if run(&tile, got, p); !slices.Equal(got, want) {
				t.Fatalf("round %d: kernel %s differs for %+v", round, name, tile)
			}
		}
	}
}

// TestTableKernels checks the largest number and the product of tables of all lengths.
func TestTableKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := range 20 {
		table := make([]float64, n*Lanes)
		var top, factor [Lanes]float64
		for i := range table {
			table[i] = r.Float64()
			top[i%Lanes] = max(top[i%Lanes], table[i])
		}
		for j := range factor {
			factor[j] = r.Float64()
		}
		for name, kernel := range kernelsOfTables() {
			var got [Lanes]float64
			if kernel.top(table, &got); got != top {
				t.Errorf("%s: top %v; want %v", name, got, top)
			}
			scaled := slices.Clone(table)
			kernel.times(scaled, &factor)
			for i, x := range scaled {
				if want := table[i] * factor[i%Lanes]; x != want {
					t.Errorf("%s: %v; want %v", name, x, want)
				}
			}
		}
	}
}

// TestLaneWork counts the products of two contractions, of which evidence divides the first.
func TestLaneWork(t *testing.T) {
	bits := func(x float32) int32 { return int32(math.Float32bits(x)) }
	l, code := make([]float64, 2*Lanes), []int32{bits(600), 2, 0, bits(1. / 4), Lanes, bits(1. / 2), bits(40), 0}
	l[1], l[2], l[Lanes+2] = 1, 1, 2
	for lane, want := range []float64{640, 190, 115} {
		if got := LaneWork(code, l, lane, math.Inf(1)); got != want {
			t.Errorf("lane %d: %v products; want %v", lane, got, want)
		}
	}
	if got := LaneWork(code, l, 0, 500); got != 600 {
		t.Errorf("at least 500 products: %v; want those of the first contraction", got)
	}
	enter := func(int) error { return nil }
	for most, want := range map[float64]bool{946: true, 945: false, 700: false} { // 640 + 190 + 115
		if got := LightLanes(code, l, 3, most, enter); got != want {
			t.Errorf("fewer than %v products: %v; want %v", most, got, want)
		}
	}
	if LightLanes(code, l, 3, 1e9, func(row int) error { return []error{nil, ErrState, nil}[row] }) {
		t.Error("rows are light, though one cannot be entered")
	}
}
