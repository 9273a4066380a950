package contents

import (
	"cmp"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Numbers describes the numbers of a column.
type Numbers struct {
	Mean      float64    `json:"mean"`
	Deviation float64    `json:"deviation"` // standard, of a sample; 0 of one row
	Quartiles [3]float64 `json:"quartiles"` // with linear interpolation between the nearest ranks
	Histogram []Bin      `json:"histogram"`
	// Sampled is the number of rows that the description is of, drawn at random; 0 if it is of all.
	Sampled int `json:"sampled,omitempty"`
}

// Bin holds the rows with numbers of at least From and less than To; in the last bin of a histogram,
// at most To.
type Bin struct {
	From float64 `json:"from"`
	To   float64 `json:"to"`
	Rows int     `json:"rows"`
}

// number is a number and the rows that have it.
type number struct {
	x    float64
	rows int
}

// Describe returns the description of the numbers that texts are, and how many different numbers
// there are.
func Describe(values map[string]*Value) (*Numbers, int) {
	var list []number
	for text, v := range values { // in any order, which merge sorts
		x, _ := model.Number(text)
		list = append(list, number{x, v.Rows})
	}
	return describe(list)
}

// Describe returns the description of the numbers in a column of the sample.
func (s *Sample) Describe(column int) *Numbers {
	var list []number
	for _, row := range s.rows {
		if id := row[column]; id > 0 {
			x, _ := model.Number(s.values[column][id-1])
			list = append(list, number{x, 1})
		}
	}
	d, _ := describe(list)
	if d != nil {
		d.Sampled = len(list)
	}
	return d
}

// describe returns the description of numbers, and how many different ones there are.
func describe(list []number) (*Numbers, int) {
	list, rows := merge(list)
	if list == nil {
		return nil, 0
	}
	d := &Numbers{Histogram: histogram(list)}
	for _, n := range list {
		d.Mean += float64(n.x * float64(n.rows))
	}
	d.Mean /= float64(rows)
	if rows > 1 {
		for _, n := range list {
			d.Deviation += float64((n.x - d.Mean) * (n.x - d.Mean) * float64(n.rows))
		}
		d.Deviation = math.Sqrt(d.Deviation / float64(rows-1))
	}
	for k := range d.Quartiles {
		d.Quartiles[k] = quantile(list, float64(k+1)/4*float64(rows-1))
	}
	return d, len(list)
}

// merge sorts numbers and merges equal ones. It returns the number of their rows too.
func merge(list []number) (merged []number, rows int) {
	for i := range list {
		list[i].x += 0 // makes -0 the 0 that it equals
	}
	slices.SortFunc(list, func(a, b number) int { return cmp.Compare(a.x, b.x) })
	for _, n := range list {
		rows += n.rows
		if last := len(merged) - 1; last >= 0 && merged[last].x == n.x {
			merged[last].rows += n.rows
		} else {
			merged = append(merged, n)
		}
	}
	return merged, rows
}

// quantile returns the number of a rank, from 0, which need not be whole.
func quantile(list []number, rank float64) float64 {
	below := 0
	for i, n := range list {
		below += n.rows
		if rank > float64(below-1) && rank < float64(below) && i+1 < len(list) {
			share := rank - float64(below-1)
			return float64(n.x*(1-share)) + float64(list[i+1].x*share)
		}
		if rank <= float64(below-1) {
			return n.x
		}
	}
	return list[len(list)-1].x
}

// bins is the largest number of bins of a histogram.
const bins = 10

// histogram counts rows in bins of equal width: of whole numbers as many to a bin.
func histogram(list []number) []Bin {
	least, most := list[0].x, list[len(list)-1].x
	n, width := bins, most/bins-least/bins
	if !slices.ContainsFunc(list, func(n number) bool { return n.x != math.Trunc(n.x) }) {
		width = max(1, math.Ceil((most-least+1)/bins))
		n = int((most-least)/width) + 1
	}
	if least == most {
		return []Bin{{least, most, list[0].rows}}
	}
	h := make([]Bin, n)
	for k := range h {
		h[k].From, h[k].To = least+float64(float64(k)*width), least+float64(float64(k+1)*width)
	}
	h[n-1].To = max(most, h[n-1].To) // despite rounding errors
	at := 0
	for _, x := range list {
		for at < n-1 && x.x >= h[at].To {
			at++
		}
		h[at].Rows += x.rows
	}
	return h
}
