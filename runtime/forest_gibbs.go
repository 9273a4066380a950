package pgmrt

import "math"

// ForestDeterminant draws each variable's state given all other states, the tree summed out: a
// factorisation of the matrix of the matrix-tree theorem for each state. For the words see
// forestOf; work memory is as for forestMatrices.
func ForestDeterminant(k []int32, s, p []float64, t []int32, r *Rand) {
	f := forestOf(k, s, p, t)
	m := f.matrices()
	for i := range f.n {
		if !f.settled(i) {
			f.byDeterminant(&m, i, math.NaN(), r)
		}
	}
}

// forestMatrices is the scratch of a sampler that sums out trees: five square matrices and four
// rows, and two numbers for each state of a variable.
type forestMatrices struct {
	edge, factor, inverse, without, solve []float64
	root, loose, into, pivot              []float64
	w                                     []float64
}

// matrices divides the work memory.
func (f *forest) matrices() forestMatrices {
	at := 0
	take := func(n int) []float64 {
		at += n
		return f.work[at-n : at]
	}
	n, square := f.n, f.n*f.n
	return forestMatrices{take(square), take(square), take(square), take(square), take(square), take(n), take(n), take(n), take(n), f.work[at:]}
}

// settled reports whether the likelihood of variable i allows a single state, and if so sets and
// counts it.
func (f *forest) settled(i int) bool {
	from, to := f.columns(i)
	last, many := 0, 0
	for x := range to - from {
		if f.own(i, x) > 0 {
			last = x
			many++
		}
	}
	if many != 1 {
		return false
	}
	f.state[i] = int32(last)
	f.s[int(f.tally[i])+last]++
	return true
}

// byDeterminant draws variable i by the determinants of its states. known is the logarithm of the
// determinant of the present state, or NaN. The result belongs to the drawn state.
func (f *forest) byDeterminant(m *forestMatrices, i int, known float64, r *Rand) float64 {
	from, to := f.columns(i)
	card := to - from
	w, logs := m.w[:card], m.w[card:2*card]
	now, top := f.state[i], math.Inf(-1)
	for x := range w {
		w[x], logs[x] = math.Inf(-1), math.NaN()
		if own := f.own(i, x); own > 0 {
			if logs[x] = known; int32(x) != now || math.IsNaN(known) {
				f.state[i] = int32(x)
				f.load(m.factor, m.pivot)
				logs[x] = forestFactor(m.factor, m.pivot, f.n)
			}
			w[x] = Ln(own) + logs[x]
		}
		top = max(top, w[x])
	}
	f.state[i] = now
	for x := range w {
		if w[x] = math.Exp(w[x] - top); top == math.Inf(-1) {
			w[x] = 0
		}
	}
	f.redraw(i, w, r)
	return logs[f.state[i]]
}

// load sets the weights of edges: a row for the present state of each variable, and the edges from
// the root.
func (f *forest) load(edge, root []float64) {
	n := f.n
	top := f.below(forestRoot)
	for i := range n {
		root[i] = top[f.column(i)]
		row := f.below(i)
		to := edge[i*n:][:n]
		for j := range to {
			to[j] = row[f.column(j)]
		}
	}
}

// forestFactor returns the logarithm of the sum over all trees. It eliminates one node after the
// other and splices each edge that ends there to those that begin there, without subtraction
// (Grassmann, Taksar and Heyman 1985). It leaves shares below the diagonal and spliced weights
// above it; root holds the pivots. The rows of two nodes are spliced at once, since memory takes
// most of the time.
func forestFactor(edge, root []float64, n int) float64 {
	sum := 0.0
	for k := 0; k < n; k += 2 {
		d := root[k]
		for i := k + 1; i < n; i++ {
			d += edge[i*n+k]
		}
		if d == 0 {
			return math.Inf(-1)
		}
		sum += Ln(d)
		first := edge[k*n+k+1 : k*n+n]
		forestSplice(root[k+1:], first, root[k]/d)
		root[k] = d
		if k+1 == n {
			break
		}
		next := edge[(k+1)*n+k : (k+1)*n+n]
		next[0] /= d
		second := next[2:]
		forestSplice(second, first[1:], next[0])
		e := root[k+1]
		for i := k + 2; i < n; i++ {
			pair := edge[i*n+k : i*n+k+2]
			pair[0] /= d
			pair[1] += float64(pair[0] * first[0])
			e += pair[1]
		}
		if e == 0 {
			return math.Inf(-1)
		}
		sum += Ln(e)
		forestSplice(root[k+2:], second, root[k+1]/e)
		root[k+1] = e
		for i := k + 2; i < n; i++ {
			pair := edge[i*n+k : i*n+n]
			pair[1] /= e
			forestSplices(pair[2:], first[1:], second, pair[0], pair[1])
		}
	}
	return sum
}

// forestSplices adds to row s times a and then t times b.
func forestSplices(row, a, b []float64, s, t float64) {
	switch {
	case t == 0:
		forestSplice(row, a, s)
	case s == 0:
		forestSplice(row, b, t)
	default:
		a, b = a[:len(row)], b[:len(row)]
		for j, w := range row {
			row[j] = w + float64(s*a[j]) + float64(t*b[j])
		}
	}
}

// forestSplice adds share times out to row.
func forestSplice(row, out []float64, share float64) {
	if share == 0 {
		return
	}
	row = row[:len(out)]
	for j, w := range out {
		row[j] += float64(share * w)
	}
}

// forestInvert computes the inverse of the matrix that forestFactor factored.
func forestInvert(inverse, factor, pivot []float64, n int) {
	clear(inverse)
	for i := range n {
		row := inverse[i*n : i*n+n]
		row[i] = 1
		for k := range i {
			forestSplice(row, inverse[k*n:k*n+k+1], factor[i*n+k])
		}
	}
	for k := n - 1; k >= 0; k-- {
		row := inverse[k*n : k*n+n]
		for j := k + 1; j < n; j++ {
			forestSplice(row, inverse[j*n:j*n+n], factor[k*n+j])
		}
		for c := range row {
			row[c] /= pivot[k]
		}
	}
}
