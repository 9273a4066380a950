package model

import (
	"fmt"
	"math"
)

// Map is a function of two real numbers given by its values at the points of a grid, such as an
// occupancy grid: between four points it is bilinear in both numbers, and beyond the grid it is
// what it is at the nearest point of the edge.
type Map struct {
	Name    string
	X, Y    float64   // of the first value
	Cell    float64   // the distance of neighbours
	Columns int       // values of one row, which have the same y
	Values  []float64 // row by row, from the least y on
}

// MaxMap is the largest number of values of a map: a look-up is arithmetic with all of them.
const MaxMap = 1 << 14

// Rows returns the number of rows.
func (t *Map) Rows() int { return len(t.Values) / t.Columns }

// At returns the value at a point.
func (t *Map) At(x, y float64) float64 {
	if math.IsNaN(x) || math.IsNaN(y) {
		return math.NaN()
	}
	i, right := t.cell((x-t.X)/t.Cell, t.Columns)
	j, up := t.cell((y-t.Y)/t.Cell, t.Rows())
	row := func(j int) float64 {
		v := t.Values[j*t.Columns:][:t.Columns]
		if right == 0 {
			return v[i]
		}
		return float64((1-right)*v[i]) + float64(right*v[i+1])
	}
	if up == 0 {
		return row(j)
	}
	return float64((1-up)*row(j)) + float64(up*row(j+1))
}

// cell returns the point before u, the place in a row of n points, and how far u is beyond it.
func (*Map) cell(u float64, n int) (i int, beyond float64) {
	u = min(max(u, 0), float64(n-1))
	i = int(u)
	return i, u - float64(i)
}

// fault returns what is wrong with the map, or "".
func (t *Map) fault() string {
	switch {
	case t.Columns < 1 || len(t.Values) == 0 || len(t.Values)%t.Columns != 0:
		return fmt.Sprintf("of %d numbers in rows of %d; want whole rows", len(t.Values), t.Columns)
	case len(t.Values) > MaxMap:
		return fmt.Sprintf("of %d numbers; want at most %d, such as larger cells", len(t.Values), MaxMap)
	case !(t.Cell >= 1/MaxReal && t.Cell <= MaxReal) || !(math.Abs(t.X) <= MaxReal) || !(math.Abs(t.Y) <= MaxReal):
		return fmt.Sprintf("with the origin %v, %v and cells of %v; want numbers, and a size above 0", t.X, t.Y, t.Cell)
	}
	for _, v := range t.Values {
		if !(math.Abs(v) <= MaxReal) {
			return fmt.Sprintf("with the number %v; want sizes of at most %g", v, float64(MaxReal))
		}
	}
	return ""
}

// Steps returns about how many operations the expression takes.
func (d *Func) Steps() int {
	n := len(d.Nodes)
	for _, x := range d.Nodes {
		if x.Op == FuncMap {
			n += 2*len(x.Map.Values) + 5*(x.Map.Columns+x.Map.Rows())
		}
	}
	return n
}

// Maps returns the maps of the expressions of the network and of its transition, each once, in the
// order of the factors.
func (m *Model) Maps() (list []*Map) {
	seen := map[*Map]bool{}
	add := func(factors []*Factor) {
		for _, f := range factors {
			d, ok := f.Dist.(*Func)
			if !ok {
				continue
			}
			for _, n := range d.Nodes {
				if n.Map != nil && !seen[n.Map] {
					seen[n.Map], list = true, append(list, n.Map)
				}
			}
		}
	}
	add(m.Factors)
	if m.Transition != nil {
		add(m.Transition.Factors)
	}
	return list
}
