package pgmrt

import "math"

// ForestSchur draws what ForestDeterminant draws, from the inverse of the matrix, which is brought
// up to date as states change. With variable k left out, the rest of the matrix differs between two
// states of k in as many diagonal elements as the rows of weights of the two differ in, at the
// states of the others. For a state with s of these, a system of s equations gives the weight, and
// s products of rows and columns the new inverse. Where s is more than half of the variables, all
// states of k but the one it has get a factorisation each.
//
// For the words see forestOf; work memory is as for forestMatrices.
func ForestSchur(k []int32, s, p []float64, t []int32, r *Rand) {
	f := forestOf(k, s, p, t)
	m := f.matrices()
	f.load(m.edge, m.root)
	inverted, known := false, math.NaN() // the logarithm of the determinant
	for i := range f.n {
		switch now := f.state[i]; {
		case f.settled(i):
		case f.wide(&m, i):
			known = f.byDeterminant(&m, i, known, r)
			if f.state[i] != now {
				f.load(m.edge, m.root)
				inverted = false
			}
		default:
			if !inverted {
				known = f.invert(&m)
				inverted = true
			}
			f.bySchur(&m, i, r)
			if f.state[i] != now {
				known = math.NaN()
			}
		}
	}
}

// wide reports whether some state of variable k needs a system of too many equations to be worth
// it.
func (f *forest) wide(m *forestMatrices, k int) bool {
	from, to := f.columns(k)
	for x := range to - from {
		if f.own(k, x) > 0 && 2*len(f.moved(m, k, x)) > f.n {
			return true
		}
	}
	return false
}

// invert inverts the matrix at the present states, and returns the logarithm of its determinant.
func (f *forest) invert(m *forestMatrices) float64 {
	copy(m.factor, m.edge)
	copy(m.pivot, m.root)
	log := forestFactor(m.factor, m.pivot, f.n)
	forestInvert(m.inverse, m.factor, m.pivot, f.n)
	return log
}

// bySchur draws variable k.
func (f *forest) bySchur(m *forestMatrices, k int, r *Rand) {
	from, to := f.columns(k)
	w := m.w[:to-from]
	f.leaveOut(m, k)
	for x := range w {
		if w[x] = f.own(k, x); w[x] > 0 {
			det, sum := f.bordered(m, k, x, 1)
			w[x] *= max(0, float64(det*sum))
		}
	}
	now := f.state[k]
	f.redraw(k, w, r)
	if f.state[k] != now {
		f.putBack(m, k)
	}
}

// moved returns the variables with an edge from k that has another weight in state x than in m.
func (f *forest) moved(m *forestMatrices, k, x int) []int32 {
	list := f.list[:0]
	row := f.weights[(1+int(f.first[k])+x)*f.all:][:f.all]
	for j, old := range m.edge[k*f.n : k*f.n+f.n] {
		if row[f.column(j)] != old && j != k {
			list = append(list, int32(j))
		}
	}
	return list
}

// leaveOut sets without to the inverse of the matrix without row and column k, and loose to its
// product with the weights from the root.
func (f *forest) leaveOut(m *forestMatrices, k int) {
	n := f.n
	row := m.inverse[k*n : k*n+n]
	for i := range n {
		share := m.inverse[i*n+k] / row[k]
		out := m.without[i*n : i*n+n]
		for j, g := range m.inverse[i*n : i*n+n] {
			out[j] = g - float64(share*row[j])
		}
		out[k] = 0
		m.loose[i] = 1 - row[i]/row[k]
	}
	clear(m.without[k*n : k*n+n])
	m.loose[k] = 0
}

// bordered returns, for variable k in state x, the factor by which the determinant of the matrix
// without k changes, and the sum over the possible parents of k in the resulting matrix. The weight
// of the joint state is their product. With columns 1 it solves only for the weights of edges into
// k and leaves them in into; with columns n it solves for all that putBack needs. Solutions are in
// solve, after the s columns of the system in each row.
func (f *forest) bordered(m *forestMatrices, k, x, columns int) (det, sum float64) {
	n := f.n
	column := int(f.first[k]) + x
	sum = f.weights[column]
	for i := range n {
		m.into[i] = 0
		if i != k {
			m.into[i] = f.below(i)[column]
			sum += float64(m.loose[i] * m.into[i])
		}
	}
	list := f.moved(m, k, x)
	row := f.weights[(1+column)*f.all:][:f.all]
	width := len(list) + columns
	for a, i := range list {
		change := row[f.column(int(i))] - m.edge[k*n+int(i)]
		from, to := m.without[int(i)*n:][:n], m.solve[a*width:][:width]
		for b, j := range list {
			to[b] = float64(change * from[j])
		}
		to[a]++
		if columns == 1 {
			to[len(list)] = float64(change * forestDot(from, m.into))
			continue
		}
		for j, g := range from {
			to[len(list)+j] = float64(change * g)
		}
	}
	det = forestSolve(m.solve, len(list), columns)
	if columns == 1 {
		for a, i := range list {
			sum -= float64(m.loose[i] * m.solve[a*width+len(list)])
		}
	}
	return det, sum
}

// putBack computes the inverse for the present state of k.
func (f *forest) putBack(m *forestMatrices, k int) {
	n, x := f.n, int(f.state[k])
	f.bordered(m, k, x, n)
	list := f.moved(m, k, x)
	width := len(list) + n
	copy(m.factor, m.without)
	for i := range n {
		for a, j := range list {
			forestSplice(m.factor[i*n:i*n+n], m.solve[a*width+len(list):][:n], -m.without[i*n+int(j)])
		}
	}
	loose := m.pivot[:len(list)]
	for a, j := range list {
		loose[a] = m.loose[j]
	}
	for a, was := range loose {
		forestSplice(m.loose, m.solve[a*width+len(list):][:n], -was)
	}
	row, edge := f.below(k), m.edge[k*n:k*n+n]
	for j := range edge {
		edge[j] = row[f.column(j)]
		m.edge[j*n+k] = m.into[j]
	}
	m.root[k] = f.weights[f.column(k)]
	sum := m.root[k] + forestDot(m.loose, m.into)
	if !(sum > 0) || math.IsInf(1/sum, 0) {
		f.invert(m)
		return
	}
	f.border(m, k, sum)
}

// border computes the inverse from the inverse of the matrix without k, in factor.
func (f *forest) border(m *forestMatrices, k int, sum float64) {
	n := f.n
	right := m.pivot // the edges from k through the matrix without it
	clear(right)
	for j, w := range m.edge[k*n : k*n+n] {
		if j != k {
			forestSplice(right, m.factor[j*n:j*n+n], w)
		}
	}
	right[k] = 1
	for i := range n {
		left := 1.0
		if i != k {
			left = forestDot(m.factor[i*n:i*n+n], m.into)
		}
		to := m.inverse[i*n : i*n+n]
		copy(to, m.factor[i*n:i*n+n])
		forestSplice(to, right, left/sum)
	}
}

func forestDot(a, b []float64) float64 {
	sum := 0.0
	b = b[:len(a)]
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}

// forestSolve solves n equations for several right-hand sides, which follow the coefficients in
// each row, and returns the determinant.
func forestSolve(a []float64, n, columns int) (det float64) {
	det = 1
	width := n + columns
	for k := range n {
		best := k
		for i := k + 1; i < n; i++ {
			if math.Abs(a[i*width+k]) > math.Abs(a[best*width+k]) {
				best = i
			}
		}
		row := a[k*width : k*width+width]
		if best != k {
			det = -det
			for c, x := range a[best*width : best*width+width] {
				a[best*width+c], row[c] = row[c], x
			}
		}
		if row[k] == 0 {
			return 0
		}
		det *= row[k]
		for c := k + 1; c < width; c++ {
			row[c] /= row[k]
		}
		for i := range n {
			if share := a[i*width+k]; i != k && share != 0 {
				forestSplice(a[i*width+k+1:i*width+width], row[k+1:], -share)
			}
		}
	}
	return det
}
