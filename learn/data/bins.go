package data

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Binning is a rule that makes states of numbers.
type Binning uint8

// The rules. The states are intervals that include their upper bounds: "..1.5", "1.5..2.5" and
// "2.5..".
const (
	// BinsFrequency gives each interval about the same weight. Interval k of n ends after the value
	// at which the weight so far reaches k/n of the total, about midway to the next value. There
	// are fewer intervals if one value alone has more than its share.
	BinsFrequency Binning = iota
	// BinsWidth gives the intervals the same length, to a thousandth, between the smallest and the
	// largest value. Some may be empty.
	BinsWidth
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

// tidy returns the number with the fewest digits whose distance from x is at most far.
func tidy(x, far float64) float64 {
	for digits := 1; digits < 17; digits++ {
		if y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64); err == nil && math.Abs(y-x) <= far {
			return y
		}
	}
	return x
}

// intervals returns the names of the states between bounds.
func intervals(cuts []float64) []string {
	var names []string
	last := ""
	for _, c := range cuts {
		text := strconv.FormatFloat(c, 'g', -1, 64)
		names = append(names, last+".."+text)
		last = text
	}
	return append(names, last+"..")
}

// cutsOf returns the bounds of states that are consecutive intervals from minus infinity to
// infinity, and nil for other states.
func cutsOf(states []string) []float64 {
	if len(states) < 2 || !strings.HasPrefix(states[0], "..") || !strings.HasSuffix(states[len(states)-1], "..") {
		return nil
	}
	var cuts []float64
	last := ""
	for i, s := range states {
		from, to, ok := strings.Cut(s, "..")
		if !ok || from != last {
			return nil
		}
		if i == len(states)-1 {
			break
		}
		x, err := strconv.ParseFloat(to, 64)
		if err != nil || math.IsNaN(x) || i > 0 && x <= cuts[i-1] {
			return nil
		}
		cuts, last = append(cuts, x), to
	}
	return cuts
}

// place returns the interval of a number. It reports false if the text is not a number.
func place(cuts []float64, text string) (state int, ok bool) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) {
		return 0, false
	}
	state, _ = slices.BinarySearch(cuts, x) // the first bound that is at least x
	return state, true
}

// bin replaces the values of a column by intervals, and reports whether it did. All must be
// numbers, and there must be more different ones than intervals.
func (l *loader) bin(v int, x *Var) bool {
	texts := x.States
	if l.opt.Bins < 2 || len(texts) <= l.opt.Bins {
		return false
	}
	number := make([]float64, len(texts))
	for k, text := range texts {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
		number[k] = x
	}
	weight := make([]float64, len(texts))
	column := &l.set.columns[v]
	for row := range l.set.rows {
		if s := column.At(row); s != Missing {
			weight[s] += l.set.Weight(row)
		}
	}
	values := slices.Clone(number)
	slices.Sort(values)
	values = slices.Compact(values) // 1 and 1.0 are equal
	if len(values) <= l.opt.Bins {
		return false
	}
	weights := make([]float64, len(values))
	for k, x := range number {
		i, _ := slices.BinarySearch(values, x)
		weights[i] += weight[k]
	}
	cuts := bins(l.opt.Binning, values, weights, l.opt.Bins)
	if len(cuts) == 0 {
		return false
	}
	rank := make([]int, len(texts))
	for k, x := range number {
		rank[k], _ = slices.BinarySearch(cuts, x)
	}
	column.renumber(rank)
	x.States = intervals(cuts)
	return true
}
