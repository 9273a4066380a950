package rowfile

import (
	"math"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// Binning is a rule that makes states of numbers.
type Binning uint8

// The rules. The states are intervals that include their upper bounds: "..1.5", "1.5..2.5" and
// "2.5..".
const (
	// BinsFrequency gives each interval about the same weight. Interval k of n ends after the value
	// at which the weight so far reaches k/n of the total, about midway to the next value. There
	// are fewer intervals if a single value has more than its share.
	BinsFrequency Binning = iota
	// BinsWidth gives the intervals the same length, to a thousandth, between the smallest and the
	// largest value. Some may be empty.
	BinsWidth
	// BinsMDL cuts where a discrete class changes most, as long as that shortens a description of
	// the classes; see mdl. A column that says nothing of the class becomes one interval.
	BinsMDL
)

// bins returns the bounds between n intervals. The values differ and ascend; weights holds the
// weight of each.
func bins(rule Binning, values, weights []float64, n int) []float64 {
	var cuts []float64
	least, most := values[0], values[len(values)-1]
	if rule == BinsWidth {
		for k := 1; k < n; k++ {
			share := float64(k) / float64(n)
			cuts = append(cuts, tidy(least*(1-share)+most*share, (most/float64(n)-least/float64(n))/1000))
		}
		return slices.Compact(cuts)
	}
	total := 0.0
	for _, w := range weights {
		total += w
	}
	below, k := 0.0, 1
	share := func() float64 { return float64(k) / float64(n) * total * (1 - 1e-12) } // tolerates rounding of the sum
	for i, w := range weights[:len(weights)-1] {
		if below += w; k < n && below >= share() {
			cuts = append(cuts, between(values[i], values[i+1]))
			for k < n && below >= share() {
				k++
			}
		}
	}
	return cuts
}

// between returns a number of few digits about midway between a and b, or a if there is no float64
// between them.
func between(a, b float64) float64 {
	if mid := a/2 + b/2; a < mid && mid < b {
		return tidy(mid, (b/2-a/2)/2)
	}
	return a
}

// tidy returns the number with the fewest digits at a distance from x of at most far.
func tidy(x, far float64) float64 {
	for digits := 1; digits < 17; digits++ {
		if y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64); err == nil && math.Abs(y-x) <= far {
			return y
		}
	}
	return x
}

// place returns the interval of a number. It reports false if the text is not a number.
func place(cuts []float64, text string) (state int, ok bool) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) {
		return 0, false
	}
	return model.Interval(cuts, x), true
}

// ColumnBins says how the numbers of a column become intervals.
type ColumnBins struct {
	Column string
	Binning
	N int // of BinsFrequency and BinsWidth: the number of intervals
	// Class is the column of the class of BinsMDL.
	Class string
}

// binsOf returns how a column becomes intervals; named is set if it was named.
func (l *loader) binsOf(column string) (b ColumnBins, named bool) {
	for _, b := range l.opt.Columns {
		if b.Column == column {
			return b, true
		}
	}
	return ColumnBins{Column: column, Binning: l.opt.Binning, N: l.opt.Bins, Class: l.opt.Class}, false
}

// checkNumbers returns an error if intervals were asked for a column that is not all numbers.
func (l *loader) checkNumbers(x *data.Var) error {
	if _, named := l.binsOf(x.Name); !named {
		return nil
	}
	for _, text := range x.States {
		if _, ok := model.Number(text); !ok {
			return diag.At(diag.Pos{File: l.r.Name()}, diag.Errorf("column %q has the value %q, which is no number, and no intervals; leave it out of %v", x.Name, text, diag.Option{Name: "bins"}))
		}
	}
	return nil
}

// numeric holds the different numbers of a column.
type numeric struct {
	values  []float64 // ascending
	weights []float64 // of the rows of each
	of      []float64 // by state of the column: its number
}

// numeric returns the numbers of a column, or nil if some value is none.
func (l *loader) numeric(v int, texts []string) *numeric {
	of, ok := numbersOf(texts)
	if !ok {
		return nil
	}
	n := &numeric{of: of, values: slices.Sorted(slices.Values(of))}
	n.weights = make([]float64, len(n.values))
	column := &l.columns[v]
	for row := range l.rows {
		if s := column.At(row); s != data.Missing {
			n.weights[n.place(s)] += l.weight(row)
		}
	}
	return n
}

// place returns the index of the number of a state in values.
func (n *numeric) place(state int) int {
	i, _ := slices.BinarySearch(n.values, n.of[state])
	return i
}

// bin replaces the values of a column by intervals, and reports whether it did. All must be
// numbers. Unless the column was named, there must be more different ones than intervals, or if a
// class decides, as many as Numeric asks of measurements.
func (l *loader) bin(v int, x *data.Var) bool {
	b, named := l.binsOf(x.Name)
	if b.Binning == BinsMDL && x.Name == b.Class || b.Binning != BinsMDL && (b.N < 2 || len(x.States) <= b.N) {
		return false
	}
	n := l.numeric(v, x.States)
	if n == nil || b.Binning == BinsMDL && !named && !measured(n.values) {
		return false
	}
	var cuts []float64
	if b.Binning == BinsMDL {
		cuts = mdl(n.values, l.classes(v, n, b.Class))
	} else if cuts = bins(b.Binning, n.values, n.weights, b.N); len(cuts) == 0 {
		return false
	}
	rank := make([]int, len(x.States))
	for k, number := range n.of {
		rank[k] = model.Interval(cuts, number)
	}
	l.columns[v].renumber(rank)
	x.States = model.IntervalNames(cuts)
	return true
}

// classes returns the weights of the states of a class by number of a column. Rows that miss the
// class do not count.
func (l *loader) classes(v int, n *numeric, class string) [][]float64 {
	of := slices.IndexFunc(l.b.Column, func(c int) bool { return l.r.Columns[c].Name == class })
	card := max(l.b.dicts[of].card, len(l.b.dicts[of].states))
	out := make([][]float64, len(n.values))
	for i := range out {
		out[i] = make([]float64, card)
	}
	column, classes := &l.columns[v], &l.columns[of]
	for row := range l.rows {
		if s, k := column.At(row), classes.At(row); s != data.Missing && k != data.Missing {
			out[n.place(s)][k] += l.weight(row)
		}
	}
	return out
}

// measured reports whether numbers look like measurements, see [LoadOptions].Numeric.
func measured(values []float64) bool {
	return len(values) > MaxWhole || slices.ContainsFunc(values, func(x float64) bool { return x != math.Trunc(x) })
}
