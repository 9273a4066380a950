package rowfile

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/intervals"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/plain"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/states"
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

// checkBins returns an error if a column of the options does not exist, or a class is real.
func (l *loader) checkBins() error {
	column := func(name string) error {
		known := l.b.names()
		i := slices.Index(known, name)
		switch {
		case i < 0:
			return diag.Diagnostic{Pos: diag.Pos{File: l.r.name}, Msg: fmt.Sprintf("there is no column %q to make intervals of; found %s%s", name,
				plain.QuoteList(known), diag.DidYouMean(name, known))}
		case l.b.dicts[i].Real:
			return fmt.Errorf("column %q is real, and can be neither intervals nor a class", name)
		}
		return nil
	}
	if l.opt.Vars != nil {
		return nil
	}
	rules := l.opt.Columns
	if l.opt.Binning == BinsMDL {
		rules = append(slices.Clone(rules), ColumnBins{Binning: BinsMDL, Class: l.opt.Class})
	}
	for _, b := range rules {
		if b.Column != "" {
			if err := column(b.Column); err != nil {
				return err
			}
		}
		if b.Binning == BinsMDL {
			if err := column(b.Class); err != nil {
				return err
			}
			if i := slices.IndexFunc(rules, func(x ColumnBins) bool { return x.Column == b.Class }); i >= 0 {
				return fmt.Errorf("column %q is a class, and can not become intervals too", b.Class)
			}
		}
	}
	return nil
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
	of, ok := states.Numbers(texts)
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
	switch b.Binning {
	case BinsMDL:
		cuts = intervals.MDL(n.values, l.classes(v, n, b.Class))
	case BinsWidth:
		cuts = intervals.Width(n.values, b.N)
	default:
		cuts = intervals.Frequency(n.values, n.weights, b.N)
	}
	if b.Binning != BinsMDL && len(cuts) == 0 {
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
	of := slices.Index(l.b.names(), class)
	card := l.b.dicts[of].Count()
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

// MaxWhole is the most different whole numbers of a column that [LoadOptions].Numeric leaves
// discrete: numbers of so few values are more often codes or counts than measurements.
const MaxWhole = 20

// Measured reports whether texts are numbers of which a column becomes a real variable by
// [LoadOptions].Numeric.
func Measured(texts []string) bool {
	numbers, ok := states.Numbers(texts)
	if !ok {
		return false
	}
	slices.Sort(numbers)
	return measured(slices.Compact(numbers))
}

// real makes a column of numbers real-valued, and reports whether it did: all its values must be
// numbers, and more than MaxWhole different ones or one that is no whole number.
func (l *loader) real(v int, x *data.Var) bool {
	if !l.opt.Numeric {
		return false
	}
	number, ok := states.Numbers(x.States)
	if !ok || !measured(number) {
		return false
	}
	column := &l.columns[v]
	values, states := make([]float64, l.rows), make([]uint8, l.rows)
	for row := range values {
		if k := column.At(row); k == data.Missing {
			states[row] = data.MissingByte
		} else {
			values[row] = number[k]
		}
	}
	if l.reals == nil {
		l.reals = make([][]float64, len(l.columns))
	}
	l.reals[v], column.States = values, data.States{Bytes: states}
	x.States, x.Real = nil, true
	return true
}
