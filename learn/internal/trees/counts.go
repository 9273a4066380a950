package trees

import (
	"fmt"

	"github.com/pgmc-go/pgmc/learn/data"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Index is a selection of rows and variables of a data set, prepared for counting. It numbers
// variables and rows by their places in the selection.
type Index struct {
	Set  *data.Set
	Vars []int // numbers in the set
	Rows []int32

	cards []int // with one more for missing values, if there are any
	first []int // by variable: its first unit; a unit is a state other than the most frequent one
	usual []int // by variable: the most frequent state
	units int
	list  []int32 // units of the rows, one row after the other
	ends  []int   // by row: its end in list
}

// maxUnits is the most units: the counts of their pairs then take 270 MB.
const maxUnits = 8192

// NewIndex builds an index of some rows and variables of a set; nil is all.
func NewIndex(set *data.Set, rows []int32, vars []int) (*Index, error) {
	x := &Index{Set: set, Vars: vars, Rows: rows}
	if vars == nil {
		for v := range set.Vars {
			x.Vars = append(x.Vars, v)
		}
	}
	if rows == nil {
		for r := range set.Len() {
			x.Rows = append(x.Rows, int32(r))
		}
	}
	for _, v := range x.Vars {
		n := len(set.Vars[v].States)
		counts := make([]int, n+1) // the last one counts missing values
		c := set.Column(v)
		for _, r := range x.Rows {
			counts[x.code(&c, n, r)]++
		}
		if counts[n] == 0 {
			counts = counts[:n]
		}
		usual := 0
		for s, k := range counts {
			if k > counts[usual] {
				usual = s
			}
		}
		x.cards, x.usual, x.first = append(x.cards, len(counts)), append(x.usual, usual), append(x.first, x.units)
		if x.units += len(counts) - 1; x.units > maxUnits {
			return nil, fmt.Errorf("the variables have more than %d states in total; want fewer, since all pairs of states are counted", maxUnits)
		}
	}
	x.fill()
	return x, nil
}

// code returns the state of a row, and n if it is missing.
func (x *Index) code(c *data.States, n int, row int32) int {
	if s := c.At(int(row)); s != data.Missing {
		return s
	}
	return n
}

// fill lists the units of each row.
func (x *Index) fill() {
	columns := make([]data.States, len(x.Vars))
	for i, v := range x.Vars {
		columns[i] = x.Set.Column(v)
	}
	x.ends = make([]int, len(x.Rows))
	for r, row := range x.Rows {
		for i, v := range x.Vars {
			if s := x.code(&columns[i], len(x.Set.Vars[v].States), row); s != x.usual[i] {
				x.list = append(x.list, int32(x.unit(i, s)))
			}
		}
		x.ends[r] = len(x.list)
	}
}

// unit returns the number of a state other than the most frequent one.
func (x *Index) unit(i, s int) int {
	if s > x.usual[i] {
		s--
	}
	return x.first[i] + s
}

// Units returns the units of a row, by number.
func (x *Index) Units(row int) []int32 {
	start := 0
	if row > 0 {
		start = x.ends[row-1]
	}
	return x.list[start:x.ends[row]]
}

// Counts holds the weights of rows by pairs of states.
type Counts struct {
	*Index
	Total float64
	one   []float64
	two   []float64 // by pair of units i < j, at i + j(j-1)/2
}

// Count counts the rows, each with its weight: one a row, or nil for the weights of the set.
func (x *Index) Count(weights []float64) *Counts {
	c := &Counts{Index: x, one: make([]float64, x.units), two: make([]float64, x.units*(x.units-1)/2)}
	for r, row := range x.Rows {
		w := 0.0
		if weights == nil {
			w = x.Set.Weight(int(row))
		} else {
			w = weights[r]
		}
		if w == 0 {
			continue
		}
		c.Total += w
		units := x.Units(r)
		for k, j := range units {
			c.one[j] += w
			pairs := c.two[int(j)*(int(j)-1)/2:]
			for _, i := range units[:k] {
				pairs[i] += w
			}
		}
	}
	return c
}

// Without returns the counts of the rows of c without part's, which must be of the same index.
func (c *Counts) Without(part *Counts) *Counts {
	out := &Counts{Index: c.Index, Total: c.Total - part.Total, one: make([]float64, len(c.one)), two: make([]float64, len(c.two))}
	for i, x := range c.one {
		out.one[i] = x - part.one[i]
	}
	for i, x := range c.two {
		out.two[i] = x - part.two[i]
	}
	return out
}

// States returns the number of states of variable i, without the missing value.
func (x *Index) States(i int) int { return len(x.Set.Vars[x.Vars[i]].States) }

// Single writes the counts of variable i by state to out.
func (c *Counts) Single(i int, out []float64) {
	rest := c.Total
	for s := range c.cards[i] {
		if s == c.usual[i] {
			continue
		}
		x := c.one[c.unit(i, s)]
		rest -= x
		if s < len(out) {
			out[s] = x
		}
	}
	if c.usual[i] < len(out) {
		out[c.usual[i]] = max(0, rest)
	}
}

// Pair writes the counts of variables i < j to out, row-major. Rows that miss either are not
// counted.
func (c *Counts) Pair(i, j int, out []float64) {
	ni, nj := c.States(i), c.States(j)
	ui, uj := c.usual[i], c.usual[j]
	put := func(s, t int, x float64) {
		if s < ni && t < nj {
			out[s*nj+t] = max(0, x) // rounding may make a difference negative
		}
	}
	corner := c.Total
	for t := range c.cards[j] {
		if t == uj {
			continue
		}
		b := c.unit(j, t)
		pairs, rest := c.two[b*(b-1)/2:], c.one[b]
		for s := range c.cards[i] {
			if s != ui {
				x := pairs[c.unit(i, s)]
				rest -= x
				put(s, t, x)
			}
		}
		put(ui, t, rest)
		corner -= rest
	}
	for s := range c.cards[i] {
		if s == ui {
			continue
		}
		a := c.unit(i, s)
		rest := c.one[a]
		for t := range c.cards[j] {
			if t != uj {
				b := c.unit(j, t)
				rest -= c.two[b*(b-1)/2+a]
			}
		}
		put(s, uj, rest)
		corner -= c.one[a]
	}
	put(ui, uj, corner)
}

// Mutual returns the mutual information of variables i < j in nats, after prior is added in equal
// parts to their joint states.
func (c *Counts) Mutual(i, j int, prior float64) float64 {
	ni, nj := c.States(i), c.States(j)
	var small [16]float64
	table := small[:]
	if ni*nj > len(small) {
		table = make([]float64, ni*nj)
	}
	c.Pair(i, j, table)
	return mutual(table[:ni*nj], nj, prior)
}

// mutual returns the mutual information of a table with rows of n counts.
func mutual(table []float64, n int, prior float64) float64 {
	var few [16]float64
	sums := few[:0]
	each, total := prior/float64(len(table)), 0.0
	for range n {
		sums = append(sums, 0)
	}
	info := 0.0
	for at := 0; at < len(table); at += n {
		row := 0.0
		for t, x := range table[at : at+n] {
			x += each
			row += x
			sums[t] += x
			info += xlogx(x)
		}
		info -= xlogx(row)
		total += row
	}
	for _, x := range sums {
		info -= xlogx(x)
	}
	if !(total > 0) {
		return 0
	}
	return (info + xlogx(total)) / total
}

func xlogx(x float64) float64 {
	if x <= 0 {
		return 0
	}
	return x * pgmrt.Ln(x)
}
