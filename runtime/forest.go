package pgmrt

// forest is the state of a sampler of a latent dependency forest model (Chu, Jiang and Tu 2017).
// The weight of a joint state is the sum, over the trees that span a root and all variables, of the
// products of the weights of their edges. A row of weights has the edges from the root, or from a
// state of a variable, with a column for each state of each variable.
type forest struct {
	n, all  int
	first   []int32   // by variable: its first column, and last the number of columns
	weights []float64 // the root's row, then a row for each column
	stop    []float64 // one for each row; nil if there are none
	lambda  []int32   // by variable: the offset of its likelihood in s, or -1
	tally   []int32   // by variable: the offset of its tally in s
	state   []int32
	parent  []int32 // by variable: its parent in the tree, or forestRoot
	base    []int32 // by variable: the offset of the row of its state, while trees are drawn
	child   []int32 // by variable: its first child, or -1, while states and trees are drawn
	sibling []int32 // by variable: the next child of its parent, or -1
	list    []int32 // scratch, a number for each variable
	work    []float64
	outcome *float64
	s       []float64
	forestReals
}

// Values of parent that are no variable: the root, and none yet.
const (
	forestRoot  = -1
	forestLoose = -2
)

// forestOf reads the words of a kernel: the place of the states; the number of variables, the
// number of real ones, and the first column of each and the end; if some are real, by variable its
// index among the real ones or -1; the offsets of the weights, of the stop weights or -1, of the
// likelihoods or -1, and for real variables the offsets of the normal distributions, of the scales
// and of the observations; of work memory, and of five integers for each variable; of the outcome
// and the tallies, and of the values of real variables.
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
	ints := t[writes[1]:][:5*n]
	f.parent, f.base, f.child, f.sibling, f.list = ints[:n], ints[n:2*n], ints[2*n:3*n], ints[3*n:4*n], ints[4*n:]
	f.outcome = &s[writes[2]]
	f.tally, f.value = writes[3:3+n], writes[3+n:3+n+reals]
	return f
}

// columns returns the columns of variable i.
func (f *forest) columns(i int) (from, to int) { return int(f.first[i]), int(f.first[i+1]) }

// column returns the column of the state of variable i.
func (f *forest) column(i int) int { return int(f.first[i] + f.state[i]) }

// below returns the row of the state of variable i, or of the root.
func (f *forest) below(i int) []float64 {
	row := 0
	if i >= 0 {
		row = 1 + f.column(i)
	}
	return f.weights[row*f.all:][:f.all]
}

// own returns the factor of a state of variable i by itself: its likelihood times its stop weight.
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

// redraw draws the state of variable i in proportion to weights.
func (f *forest) redraw(i int, w []float64, r *Rand) {
	f.state[i] = Redraw(w, f.s[f.tally[i]:][:len(w)], f.state[i], r)
}

// forestStarts is the number of trees that ForestStart begins before it gives up. If no weight is
// zero, one suffices.
const forestStarts = 1000

// ForestStart grows a tree that spans all variables, and so gives them states, each in proportion
// to what could come next. The outcome is 1; 0 where a likelihood leaves no state; or 2 where no
// tree was found. For the words see forestOf.
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
	in := f.work[:f.all] // by state: the sum of the weights of its edges from the tree so far
	copy(in, f.below(forestRoot))
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
		for j, p := range f.parent {
			if p == forestLoose {
				f.base[j] = f.base[i]
			}
		}
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

// next draws a variable that is not in the tree, and its state; -1 if none can be reached.
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

// hang draws the parent of variable i among the root and the variables. Their weights for its state
// have the given sum. Variables with the base of i are excluded, since no edge goes from a variable
// to itself. If rounding leaves no weight, the parent is the last candidate with a weight, or if
// there is none the old one.
func (f *forest) hang(i int, total float64, r *Rand) {
	into := f.weights[f.column(i):]
	u, sum := float64(r.Float64()*total), into[0]
	if sum > u {
		f.parent[i] = forestRoot
		return
	}
	for j, at := range f.base {
		if sum += into[at]; sum > u {
			f.parent[i] = int32(j)
			return
		}
	}
	if into[0] > 0 {
		f.parent[i] = forestRoot
	}
	for j, at := range f.base {
		if into[at] > 0 {
			f.parent[i] = int32(j)
		}
	}
}

// stand sets the base of variable i to the row of its state.
func (f *forest) stand(i int) { f.base[i] = int32((1 + f.column(i)) * f.all) }

// ForestTree draws each variable's state and parent together, given all other states and the rest
// of the tree. The weight of a state and a parent is the weight of the edge between, times the
// weights of the edges to the variable's children, times the stop weight of the state. Chu, Jiang
// and Tu leave out all but the first: that is right only for what nothing hangs below, in a model
// without stop weights. For the words see forestOf.
func ForestTree(k []int32, s, p []float64, t []int32, r *Rand) {
	f := forestOf(k, s, p, t)
	for i := range f.n {
		f.stand(i)
		f.child[i] = -1
	}
	for i := range f.n {
		f.link(i)
	}
	for i := range f.n {
		if f.isReal(i) {
			f.moveReal(i, r)
		} else {
			f.move(i, r)
		}
	}
}

// move draws the state and the parent of variable i.
func (f *forest) move(i int, r *Rand) {
	from, to := f.columns(i)
	card := to - from
	in, w := f.work[:card], f.work[card:2*card]
	under := f.under(i)
	for _, j := range under {
		f.base[j] = f.base[i]
	}
	f.reach(in, from)
	for x := range w {
		w[x] = float64(in[x] * f.own(i, x))
	}
	for c := f.child[i]; c >= 0; c = f.sibling[c] {
		column := f.column(int(c))
		for x := range w {
			w[x] *= f.weights[(1+from+x)*f.all+column]
		}
		if f.isReal(int(c)) {
			f.foretell(w, from, int(c))
		}
		Rescale(w)
	}
	f.redraw(i, w, r)
	f.stand(i)
	if total := in[f.state[i]]; total > 0 {
		f.unlink(i)
		f.hang(i, total, r)
		f.link(i)
	}
	for _, j := range under {
		f.stand(int(j))
	}
}

// reach sums the weights of the edges into each state of a variable with columns that begin with
// from: those from the root and from all variables. It keeps sums in registers, four and two states
// at a time.
func (f *forest) reach(in []float64, from int) {
	for x := 0; x < len(in); {
		into := f.weights[from+x:]
		switch left := len(in) - x; {
		case left >= 4:
			a, b, c, d := into[0], into[1], into[2], into[3]
			for _, at := range f.base {
				w := into[at:][:4]
				a, b, c, d = a+w[0], b+w[1], c+w[2], d+w[3]
			}
			in[x], in[x+1], in[x+2], in[x+3] = a, b, c, d
			x += 4
		case left >= 2:
			a, b := into[0], into[1]
			for _, at := range f.base {
				w := into[at:][:2]
				a, b = a+w[0], b+w[1]
			}
			in[x], in[x+1] = a, b
			x += 2
		default:
			a := into[0]
			for _, at := range f.base {
				a += into[at]
			}
			in[x] = a
			x++
		}
	}
}

// under returns the descendants of variable i.
func (f *forest) under(i int) []int32 {
	list := f.list[:0]
	for c := f.child[i]; c >= 0; c = f.sibling[c] {
		list = append(list, c)
	}
	for k := 0; k < len(list); k++ {
		for c := f.child[list[k]]; c >= 0; c = f.sibling[c] {
			list = append(list, c)
		}
	}
	return list
}

// link makes variable i the first child of its parent.
func (f *forest) link(i int) {
	if p := f.parent[i]; p >= 0 {
		f.sibling[i], f.child[p] = f.child[p], int32(i)
	}
}

// unlink removes variable i from the children of its parent.
func (f *forest) unlink(i int) {
	p := f.parent[i]
	if p < 0 {
		return
	}
	at := &f.child[p]
	for int(*at) != i {
		at = &f.sibling[*at]
	}
	*at = f.sibling[i]
}
