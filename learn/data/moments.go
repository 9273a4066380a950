package data

import (
	"slices"
	"sync"

	"github.com/pgmc-go/pgmc/ir/group"
)

// Moments computes weights, means and cross products of real variables, by joint states of discrete
// ones: the sufficient statistics of Gaussian and conditional linear Gaussian families. Several
// goroutines may use it at once.
//
// A row that misses a value of one of the variables does not count. Cross products are of
// differences from means, so that large means and small variances lose no digits.
type Moments struct {
	set     *Set
	mean    []float64 // by variable: the mean of a real one
	cross   []float64 // the packed cross products of all real variables; nil if a row misses a value of one
	place   []int     // by variable: its place among the real ones
	misses  []bool    // by variable: a row misses its value
	weight  float64
	scratch sync.Pool
}

// Moment holds the moments of some real variables in the rows of one joint state.
type Moment struct {
	Weight float64   // of the rows
	Mean   []float64 // by variable; zeros if the weight is 0
	// Cross holds the sums over rows of the weight times the product of the differences of two
	// variables from their means: the lower triangle, row by row, see [Packed].
	Cross []float64
}

// Packed returns the index of row i and column j in a lower triangle, row by row.
func Packed(i, j int) int {
	if i < j {
		i, j = j, i
	}
	return i*(i+1)/2 + j
}

// NewMoments prepares the moments of s on the given number of goroutines. If no row misses a real
// value, it computes the moments of all pairs of real variables in one pass.
func NewMoments(s *Set, cores int) *Moments {
	m := &Moments{set: s, mean: make([]float64, len(s.Vars)), place: make([]int, len(s.Vars)), misses: make([]bool, len(s.Vars))}
	m.scratch.New = func() any { return new(scratch) }
	var real []int
	whole := true
	for v, x := range s.Vars {
		m.misses[v] = s.Misses(v)
		if x.Real {
			m.place[v] = len(real)
			real = append(real, v)
			whole = whole && !m.misses[v]
		}
	}
	m.weight = s.Total()
	if whole && m.weight > 0 && !s.Counted() {
		m.all(real, cores)
	}
	return m
}

// all computes the moments of all real variables.
func (m *Moments) all(real []int, cores int) {
	s := m.set
	m.cross = make([]float64, len(real)*(len(real)+1)/2)
	columns, weighted := make([][]float64, len(real)), make([][]float64, len(real))
	each(cores, len(real), func(i int) {
		x := slices.Clone(s.reals[real[i]])
		m.mean[real[i]] = centre(x, s.weights, m.weight)
		columns[i], weighted[i] = x, x
		if s.weights != nil {
			weighted[i] = make([]float64, len(x))
			for row, w := range s.weights {
				weighted[i][row] = w * x[row]
			}
		}
	})
	each(cores, cores, func(k int) {
		for from := 0; from < s.rows; from += block {
			to := min(from+block, s.rows)
			for i := k; i < len(real); i += cores {
				products(weighted[i][from:to], columns[:i+1], from, m.cross[Packed(i, 0):])
			}
		}
	})
}

// block is the number of rows so that values of a hundred variables fit the second-level cache of
// most processors.
const block = 512

// products adds the products of x with the rows of columns that start at from.
func products(x []float64, columns [][]float64, from int, sums []float64) {
	n := len(x)
	j := 0
	for ; j+3 < len(columns); j += 4 {
		a, b, c, d := columns[j][from:][:n], columns[j+1][from:][:n], columns[j+2][from:][:n], columns[j+3][from:][:n]
		var p, q, r, s float64
		for i, v := range x {
			p += float64(v * a[i])
			q += float64(v * b[i])
			r += float64(v * c[i])
			s += float64(v * d[i])
		}
		sums[j], sums[j+1], sums[j+2], sums[j+3] = sums[j]+p, sums[j+1]+q, sums[j+2]+r, sums[j+3]+s
	}
	for ; j < len(columns); j++ {
		a, p := columns[j][from:][:n], 0.0
		for i, v := range x {
			p += float64(v * a[i])
		}
		sums[j] += p
	}
}

// centre subtracts the mean from x and returns it. Weights may be nil; their sum must be positive.
func centre(x, weights []float64, total float64) float64 {
	mean := weightedMean(x, weights, total)
	for i := range x {
		x[i] -= mean
	}
	rest := weightedMean(x, weights, total) // the rounding error of the mean
	for i := range x {
		x[i] -= rest
	}
	return mean + rest
}

func weightedMean(x, weights []float64, total float64) float64 {
	sum := 0.0
	for i, v := range x {
		if weights != nil {
			v *= weights[i]
		}
		sum += v
	}
	return sum / total
}

// each calls do with 0 to n-1 on up to the given number of goroutines.
func each(cores, n int, do func(i int)) {
	var g group.Group
	for k := range max(1, min(cores, n)) {
		g.Go(func() {
			for i := k; i < n; i += max(1, min(cores, n)) {
				do(i)
			}
		})
	}
	g.Wait()
}

// Set returns the set of which m computes the moments.
func (m *Moments) Set() *Set { return m.set }

// Variance returns the variance of a real variable over the rows that have a value of it, with the
// weight of these rows as divisor; 0 if there are none.
func (m *Moments) Variance(v int) float64 {
	x := m.Of(nil, []int{v})[0]
	if x.Weight == 0 {
		return 0
	}
	return x.Cross[0] / x.Weight
}

// Of returns the moments of real variables for each joint state of discrete ones, row-major in the
// order of discrete, the last one fastest; without discrete ones, the single Moment of all rows.
// The discrete variables must have at most 2^31 joint states.
func (m *Moments) Of(discrete, real []int) []Moment {
	if m.set.Counted() {
		return m.set.Tables([]Family{{discrete, real}})[0].Moments
	}
	if len(discrete) == 0 && m.cross != nil {
		return []Moment{m.part(real)}
	}
	w := m.scratch.Get().(*scratch)
	defer m.scratch.Put(w)
	cells := 1
	for _, v := range discrete {
		cells *= m.set.Vars[v].card()
	}
	w.sort(m, discrete, real, cells)
	out := make([]Moment, cells)
	size := len(real) * (len(real) + 1) / 2
	numbers := make([]float64, cells*(len(real)+size))
	for c := range out {
		x := &out[c]
		x.Mean, numbers = numbers[:len(real):len(real)], numbers[len(real):]
		x.Cross, numbers = numbers[:size:size], numbers[size:]
		w.moment(m.set, w.rows[w.start[c]:w.start[c+1]], real, x)
	}
	return out
}

// part returns the moments of some of the real variables in all rows.
func (m *Moments) part(real []int) Moment {
	x := Moment{m.weight, make([]float64, len(real)), make([]float64, 0, len(real)*(len(real)+1)/2)}
	for i, v := range real {
		x.Mean[i] = m.mean[v]
		for _, u := range real[:i+1] {
			x.Cross = append(x.Cross, m.cross[Packed(m.place[v], m.place[u])])
		}
	}
	return x
}

// scratch is memory for one call of Of.
type scratch struct {
	cell    []int32 // by row: its joint state, or -1 if it misses a value
	start   []int32 // by joint state: its first place in rows; one more for the end
	rows    []int32 // the rows by joint state
	columns [][]float64
	weights []float64
}

// sort lists the rows by joint state.
func (w *scratch) sort(m *Moments, discrete, real []int, cells int) {
	s := m.set
	w.cell = append(w.cell[:0], make([]int32, s.rows)...)
	for _, v := range discrete {
		column, card := s.Column(v), int32(s.Vars[v].card())
		for i, c := range w.cell {
			if x := column.At(i); x == Missing || c < 0 {
				w.cell[i] = -1
			} else {
				w.cell[i] = c*card + int32(x)
			}
		}
	}
	for _, v := range real {
		if m.misses[v] {
			column := s.Column(v)
			for i := range w.cell {
				if column.At(i) == Missing {
					w.cell[i] = -1
				}
			}
		}
	}
	w.start = append(w.start[:0], make([]int32, cells+2)...)
	for _, c := range w.cell {
		w.start[c+2]++ // the rows of cell c come after w.start[c+1], and those without a cell first
	}
	for c := 1; c < len(w.start); c++ {
		w.start[c] += w.start[c-1]
	}
	w.rows = append(w.rows[:0], make([]int32, s.rows)...)
	for i, c := range w.cell {
		w.rows[w.start[c+1]] = int32(i)
		w.start[c+1]++
	}
}

// moment computes the moments of the given rows.
func (w *scratch) moment(s *Set, rows []int32, real []int, x *Moment) {
	w.weights = w.weights[:0]
	for _, i := range rows {
		w.weights = append(w.weights, s.Weight(int(i)))
		x.Weight += s.Weight(int(i))
	}
	if x.Weight == 0 {
		return
	}
	for len(w.columns) <= len(real) {
		w.columns = append(w.columns, nil)
	}
	weighted := &w.columns[len(real)]
	for k, v := range real {
		column := w.columns[k][:0]
		for _, i := range rows {
			column = append(column, s.reals[v][i])
		}
		x.Mean[k] = centre(column, w.weights, x.Weight)
		w.columns[k] = column
		*weighted = (*weighted)[:0]
		for i, d := range column {
			*weighted = append(*weighted, d*w.weights[i])
		}
		for from := 0; from < len(rows); from += block {
			products((*weighted)[from:min(from+block, len(rows))], w.columns[:k+1], from, x.Cross[Packed(k, 0):])
		}
	}
}
