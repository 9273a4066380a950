package pgmrt

// What a sampler of a latent dependency forest model (Chu, Jiang and Tu 2017) works on. The weight of a joint state is the sum over the
// trees that span a root and all variables, of the products of the weights of their edges; a row of weights is what hangs below the root,
// or below a state of a variable, with a column for each state of each variable.
type forest struct {
	n, all  int
	first   []int32   // by variable: its first column, and last the number of columns
	weights []float64 // the root's row, then one a column
	stop    []float64 // one a row; nil where there are none
	lambda  []int32   // by variable: the place of its likelihood in s, or -1
	tally   []int32   // by variable: the place of its tally in s
	state   []int32
	parent  []int32 // by variable: what it hangs below, or forestRoot
	mark    []int32 // memory for a number a variable
	base    []int32 // by variable: where the weights below its state begin, while trees are drawn
	work    []float64
	outcome *float64
	s       []float64
	forestReals
}

// In place of a parent: the root, and nothing yet.
const (
	forestRoot  = -1
	forestLoose = -2
)

// forestOf reads the words of a kernel: the place of the states; how many variables there are, how many of them real, and their first
// columns, and one more; where some are real, by variable its place among these or -1; the places of the weights, the stop weights or -1, and
// the likelihoods or -1, and of real variables the normal distributions, the scales and the observations; of work memory, and of three
// integers a variable; of the outcome and the tallies, and of the values of real variables.
func forestOf(k []int32, s, p []float64, t []int32) forest {
	n, reals := int(k[1]), int(k[2])
	f := forest{n: n, first: k[3 : 4+n], s: s, state: t[k[0]:][:n]}
	f.all = int(f.first[n])
	reads := k[4+n:]
	if reals > 0 {
		f.place, reads = reads[:n], reads[n:]
	}
	f.weights = p[reads[0]:][:(1+f.all)*f.all]
	if reads[1] >= 0 {
		f.stop = p[reads[1]:][:1+f.all]
	}
	f.lambda = reads[2 : 2+n]
	writes := reads[2+n:]
	if reals > 0 {
		f.normals, f.scales = p[writes[0]:][:3*reals*(1+f.all)], p[writes[1]:][:2*reals]
		f.known, writes = writes[2:2+reals], writes[2+reals:]
	}
	f.work = s[writes[0]:]
	ints := t[writes[1]:][:3*n]
	f.parent, f.mark, f.base = ints[:n], ints[n:2*n], ints[2*n:]
	f.outcome = &s[writes[2]]
	f.tally, f.value = writes[3:3+n], writes[3+n:3+n+reals]
	return f
}

// columns are those of variable i.
func (f *forest) columns(i int) (from, to int) { return int(f.first[i]), int(f.first[i+1]) }

// column is that of the state of variable i.
func (f *forest) column(i int) int { return int(f.first[i] + f.state[i]) }

// below is the weights of what hangs below the state of variable i, or below the root.
func (f *forest) below(i int) []float64 {
	row := 0
	if i >= 0 {
		row = 1 + f.column(i)
	}
	return f.weights[row*f.all:][:f.all]
}

// own is what a state of variable i multiplies in by itself: its likelihood, and its stop weight.
func (f *forest) own(i, state int) float64 {
	w := 1.0
	if at := f.lambda[i]; at >= 0 {
		w = f.s[int(at)+state]
	}
	if f.stop != nil {
		w *= f.stop[1+int(f.first[i])+state]
	}
	return w
}

// redraw draws the state of variable i by weights.
func (f *forest) redraw(i int, w []float64, r *Rand) {
	f.state[i] = Redraw(w, f.s[f.tally[i]:][:len(w)], f.state[i], r)
}

// forestStarts is how many trees ForestStart begins before it gives up. Weights without zeros need one.
const forestStarts = 1000

// ForestStart grows a tree that spans all variables, and so gives them states, each in proportion to what could come next. The outcome is
// 1; 0 where a likelihood leaves no state; or 2 where no tree was found. For the words see forestOf.
func ForestStart(k []int32, s, p []float64, t []int32, r *Rand) {
	f := forestOf(k, s, p, t)
	*f.outcome = 1
	for i := range f.n {
		from, to := f.columns(i)
		total := 0.0
		for x := range to - from {
			total += f.own(i, x)
		}
		if total == 0 {
			*f.outcome = 0
			return
		}
	}
	for range forestStarts {
		if f.grow(r) {
			return
		}
	}
	*f.outcome = 2
}

// grow grows a tree node by node, and reports whether it spans all variables.
func (f *forest) grow(r *Rand) bool {
	in := f.work[:f.all] // what reaches each state from the tree so far
	copy(in, f.below(forestRoot))
	clear(f.mark)
	for i := range f.parent {
		f.parent[i] = forestLoose
	}
	for range f.n {
		i, x := f.next(in, r)
		if i < 0 {
			return false
		}
		f.state[i] = int32(x)
		f.stand(i)
		f.hang(i, in[f.column(i)], r)
		if f.isReal(i) {
			f.begin(i, r)
		}
		for c, w := range f.below(i) {
			in[c] += w
		}
	}
	return true
}

// next draws a loose variable and its state; -1 where none can be reached.
func (f *forest) next(in []float64, r *Rand) (variable, state int) {
	total := 0.0
	each := func(do func(i, x int, w float64)) {
		for i := range f.n {
			if f.parent[i] != forestLoose {
				continue
			}
			from, to := f.columns(i)
			for x := range to - from {
				if w := float64(in[from+x] * f.own(i, x)); w > 0 {
					do(i, x, w)
				}
			}
		}
	}
	each(func(_, _ int, w float64) { total += w })
	variable = -1
	u, below := float64(r.Float64()*total), 0.0
	each(func(i, x int, w float64) {
		if below <= u {
			variable, state = i, x
		}
		below += w
	})
	return variable, state
}

// hang draws what variable i hangs below, of the root and the variables that are neither loose nor marked, whose weights for its state have
// the given sum. Where rounding has left no weight, it is the last that has one.
func (f *forest) hang(i int, total float64, r *Rand) {
	c := f.column(i)
	u, sum := float64(r.Float64()*total), f.weights[c]
	parent := f.parent[i]
	if sum > 0 {
		parent = forestRoot
	}
	for j := 0; j < f.n && sum <= u; j++ {
		if f.parent[j] == forestLoose || f.mark[j] == forestBelow {
			continue
		}
		if w := f.weights[int(f.base[j])+c]; w > 0 {
			parent = int32(j)
			sum += w
		}
	}
	f.parent[i] = parent
}

// stand notes where the weights below the state of variable i begin.
func (f *forest) stand(i int) { f.base[i] = int32((1 + f.column(i)) * f.all) }

// ForestTree draws each variable's state and what it hangs below, together, given all other states and the rest of the tree. The weight of
// a state and a parent is the weight of the edge between, times those of the edges to what hangs below the variable, times the stop weight of
// the state. Chu, Jiang and Tu leave out all but the first: that is right only for what nothing hangs below, in a model without stop
// weights. For the words see forestOf.
func ForestTree(k []int32, s, p []float64, t []int32, r *Rand) {
	f := forestOf(k, s, p, t)
	for i := range f.n {
		f.stand(i)
	}
	for i := range f.n {
		if f.isReal(i) {
			f.moveReal(i, r)
		} else {
			f.move(i, r)
		}
	}
}

// move draws variable i.
func (f *forest) move(i int, r *Rand) {
	from, to := f.columns(i)
	card := to - from
	in, w := f.work[:card], f.work[card:2*card]
	leaf := f.markBelow(i)
	copy(in, f.weights[from:to])
	for j, at := range f.base {
		if f.mark[j] != forestBelow {
			for x, y := range f.weights[int(at)+from:][:card] {
				in[x] += y
			}
		}
	}
	for x := range w {
		w[x] = float64(in[x] * f.own(i, x))
	}
	for c := 0; c < f.n && !leaf; c++ {
		if int(f.parent[c]) == i {
			column := f.column(c)
			for x := range w {
				w[x] *= f.weights[(1+from+x)*f.all+column]
			}
			if f.isReal(c) {
				f.foretell(w, from, c)
			}
			Rescale(w)
		}
	}
	f.redraw(i, w, r)
	f.stand(i)
	if total := in[f.state[i]]; total > 0 {
		f.hang(i, total, r)
	}
}

// Marks of what is seen on the way up a tree: that it hangs below some variable, or is that; and that it does not.
const (
	forestBelow = 1
	forestApart = 2
)

// markBelow marks variable i and what hangs below it, and reports whether nothing does.
func (f *forest) markBelow(i int) (leaf bool) {
	clear(f.mark)
	f.mark[i] = forestBelow
	leaf = true
	for _, p := range f.parent {
		leaf = leaf && int(p) != i
	}
	if leaf {
		return true
	}
	for j := range f.n {
		v, found := int32(j), int32(forestApart)
		for v >= 0 && f.mark[v] == 0 {
			v = f.parent[v]
		}
		if v >= 0 {
			found = f.mark[v]
		}
		for v = int32(j); v >= 0 && f.mark[v] == 0; v = f.parent[v] {
			f.mark[v] = found
		}
	}
	return false
}
