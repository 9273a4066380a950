package plain

import (
	"math"

	"github.com/pgmc-go/pgmc/ir"
)

// forest is a kernel of a latent dependency forest model (Chu, Jiang and Tu 2017). The weight of a
// joint state is the sum over the trees that span a root and all variables, of the products of the
// weights of their edges. Numbers are the number of variables, that of the real ones, and by
// variable its first column, then that of all columns; a model with real variables has by variable
// its place among these, or -1, behind.
type forest struct {
	m *Memory
	s *ir.Kernel
}

// root stands for the root among parents, and loose for what is not in the tree yet.
const (
	root  = -1
	loose = -2
)

func (f *forest) n() int          { return int(f.s.Numbers[0]) }
func (f *forest) first(i int) int { return int(f.s.Numbers[2+i]) }
func (f *forest) card(i int) int  { return f.first(i+1) - f.first(i) }

// real is the place of a variable among the real ones; -1 for one of states.
func (f *forest) real(i int) int {
	if i < 0 || f.s.Numbers[1] == 0 {
		return -1
	}
	return int(f.s.Numbers[3+f.n()+i])
}

// state is the state of a variable, the only one of a real variable.
func (f *forest) state(i int) *int32 { return &f.m.Ints[f.m.Program.State][i] }

// parent is what a variable hangs below.
func (f *forest) parent(i int) *int32 { return &f.m.Ints[f.s.Ints][i] }

// row is the row of weights of what hangs below state x of variable j, or below the root.
func (f *forest) row(j, x int) int {
	if j == root {
		return 0
	}
	return 1 + f.first(j) + x
}

// now is the row of the present state.
func (f *forest) now(j int) int {
	if j == root {
		return 0
	}
	return f.row(j, int(*f.state(j)))
}

// edge is the weight of an edge from a row to state x of variable i.
func (f *forest) edge(row, i, x int) float64 {
	return f.m.Numbers[f.s.Reads[0]][row*f.first(f.n())+f.first(i)+x]
}

// own is the weight of a state by itself: its likelihood and its stop weight.
func (f *forest) own(i, x int) float64 {
	w := 1.0
	if id := f.s.Reads[2+i]; id != ir.NoSpan {
		w = f.m.Numbers[id][x]
	}
	if id := f.s.Reads[1]; id != ir.NoSpan {
		w *= f.m.Numbers[id][1+f.first(i)+x]
	}
	return w
}

// redraw draws the state of a variable by weights and adds their shares to its tally. Without any
// weight the state stays.
func (f *forest) redraw(i int, w []float64) {
	tally, total := f.m.Numbers[f.s.Writes[1+i]], sum(w)
	if total == 0 {
		tally[*f.state(i)]++
		return
	}
	*f.state(i) = int32(f.m.draw(w))
	for x := range w {
		tally[x] += w[x] / total
	}
}

// under reports whether variable j is i, or hangs below it or below what does.
func (f *forest) under(j, i int) bool {
	for j >= 0 && j != i {
		j = int(*f.parent(j))
	}
	return j == i
}

// hang draws the parent of a variable: the root or one of the variables that may be it.
func (f *forest) hang(i int, may func(j int) bool) {
	var w []float64
	for j := root; j < f.n(); j++ {
		if j == root || may(j) {
			w = append(w, f.edge(f.now(j), i, int(*f.state(i))))
		} else {
			w = append(w, 0)
		}
	}
	if sum(w) > 0 {
		*f.parent(i) = int32(f.m.draw(w) + root)
	}
}

// start grows a tree that spans all variables, and begins anew as long as it cannot, 1000 times.
func (f *forest) start() {
	outcome := f.m.number(f.s.Writes[0])
	for i := range f.n() {
		possible := 0.0
		for x := range f.card(i) {
			possible += f.own(i, x)
		}
		if possible == 0 {
			*outcome = 0
			return
		}
	}
	*outcome = 2
	for range 1000 {
		if f.grow() {
			*outcome = 1
			return
		}
	}
}

// grow adds a variable at a time: it draws the variable and its state in proportion to the weight
// with which these can be reached from the tree, then the parent.
func (f *forest) grow() bool {
	for i := range f.n() {
		*f.parent(i) = loose
	}
	for range f.n() {
		var w []float64
		var which [][2]int
		for i := range f.n() {
			for x := range f.card(i) {
				reach := f.edge(0, i, x)
				for j := range f.n() {
					if *f.parent(j) != loose {
						reach += f.edge(f.now(j), i, x)
					}
				}
				if *f.parent(i) == loose {
					w, which = append(w, reach*f.own(i, x)), append(which, [2]int{i, x})
				}
			}
		}
		k := f.m.draw(w)
		if sum(w) == 0 {
			return false
		}
		i := which[k][0]
		*f.state(i) = int32(which[k][1])
		f.hang(i, func(j int) bool { return *f.parent(j) != loose })
		if f.real(i) >= 0 {
			f.begin(i)
		}
	}
	return true
}

// sweep draws each variable's state and parent, together, given all other states and the rest of
// the tree.
func (f *forest) sweep() {
	for i := range f.n() {
		if f.real(i) >= 0 {
			f.moveReal(i)
			continue
		}
		may := func(j int) bool { return !f.under(j, i) }
		w := make([]float64, f.card(i))
		for x := range w {
			reach := f.edge(0, i, x)
			for j := range f.n() {
				if may(j) {
					reach += f.edge(f.now(j), i, x)
				}
			}
			w[x] = reach * f.own(i, x)
			for c := range f.n() {
				if int(*f.parent(c)) == i {
					w[x] *= f.edge(f.row(i, x), c, int(*f.state(c))) * f.density(f.row(i, x), root, c)
				}
			}
		}
		f.redraw(i, w)
		f.hang(i, may)
	}
}

// treesSummedOut draws each variable's state given all other states, by the sum over all trees. A
// variable with one possible state has that.
func (f *forest) treesSummedOut() {
	for i := range f.n() {
		w, possible, last, now := make([]float64, f.card(i)), 0, 0, *f.state(i)
		for x := range w {
			if f.own(i, x) > 0 {
				possible, last = possible+1, x
			}
		}
		if possible == 1 {
			*f.state(i) = int32(last)
			f.m.Numbers[f.s.Writes[1+i]][last]++
			continue
		}
		for x := range w {
			*f.state(i) = int32(x)
			w[x] = f.own(i, x) * f.trees(make([]int, f.n()), 0)
		}
		*f.state(i) = now
		f.redraw(i, w)
	}
}

// trees is the sum over all trees whose parents agree with those of the first i variables.
func (f *forest) trees(parents []int, i int) float64 {
	if i == f.n() {
		for j := range parents { // each variable leads to the root
			at := j
			for steps := 0; at != root; steps++ {
				if at = parents[at]; steps > f.n() {
					return 0
				}
			}
		}
		return 1
	}
	total := 0.0
	for j := root; j < f.n(); j++ {
		if j != i {
			parents[i] = j
			if w := f.edge(f.now(j), i, int(*f.state(i))); w > 0 {
				total += w * f.trees(parents, i+1)
			}
		}
	}
	return total
}

// value is the value of a real variable, and 0 of others and of the root.
func (f *forest) value(i int) float64 {
	if f.real(i) < 0 {
		return 0
	}
	return *f.m.number(f.s.Writes[1+f.n()+f.real(i)])
}

func (f *forest) setValue(i int, x float64) {
	*f.m.number(f.s.Writes[1+f.n()+f.real(i)]) = within(x)
}

// within keeps values where all numbers are finite.
func within(x float64) float64 { return math.Max(-1e30, math.Min(1e30, x)) }

// observed is what is known of a real variable: whether it is, and its value.
func (f *forest) observed(i int) (x float64, ok bool) {
	known := f.m.Numbers[f.s.Reads[4+f.n()+f.real(i)]]
	return known[1], known[0] != 0
}

// normal is the distribution of real variable i in a row: its mean is mean + slope times the value
// above.
func (f *forest) normal(row, i int) (mean, slope, variance float64) {
	g := f.m.Numbers[f.s.Reads[2+f.n()]][3*(row*int(f.s.Numbers[1])+f.real(i)):]
	return g[0], g[1], g[2]
}

// density is that of real variable c below variable j in a row, but for a constant; 1 of a variable
// of states.
func (f *forest) density(row, j, c int) float64 {
	if f.real(c) < 0 {
		return 1
	}
	mean, slope, variance := f.normal(row, c)
	d := f.value(c) - mean - float64(slope*f.value(j))
	return math.Exp(-d*d/(2*variance)) / math.Sqrt(variance)
}

// gauss draws from the normal distribution of mean 0 and variance 1 (Box and Muller 1958).
func (f *forest) gauss() float64 {
	radius := math.Sqrt(-2 * math.Log(1-f.m.Rand.Float64()))
	return radius * math.Cos(2*math.Pi*f.m.Rand.Float64())
}

// begin gives a real variable the value that is observed, or draws one below its parent.
func (f *forest) begin(i int) {
	x, ok := f.observed(i)
	if !ok {
		j := int(*f.parent(i))
		mean, slope, variance := f.normal(f.now(j), i)
		x = mean + slope*f.value(j) + math.Sqrt(variance)*f.gauss()
	}
	f.setValue(i, x)
}

// moveReal draws the parent of a real variable, its value summed out, and then the value.
func (f *forest) moveReal(i int) {
	var logs, means, variances []float64
	for j := root; j < f.n(); j++ {
		log, mean, variance := math.Inf(-1), 0.0, 0.0
		if !f.under(j, i) || j == root {
			log, mean, variance = f.below(j, i)
		}
		logs, means, variances = append(logs, log), append(means, mean), append(variances, variance)
	}
	top := math.Inf(-1)
	for _, x := range logs {
		top = math.Max(top, x)
	}
	w := make([]float64, len(logs))
	for k, x := range logs {
		w[k] = math.Exp(x - top)
	}
	chosen := f.m.draw(w)
	*f.parent(i) = int32(chosen + root)
	tally, unit := f.m.Numbers[f.s.Writes[1+i]], f.m.Numbers[f.s.Reads[3+f.n()]][2*f.real(i):]
	for k, total := 0, sum(w); k < len(w); k++ { // the first two moments of the mixture
		z := (means[k] - unit[0]) / unit[1]
		tally[0] += w[k] / total * z
		tally[1] += w[k] / total * (z*z + variances[k]/(unit[1]*unit[1]))
	}
	if _, ok := f.observed(i); !ok {
		f.setValue(i, means[chosen]+math.Sqrt(variances[chosen])*f.gauss())
	}
}

// below returns the logarithm of the weight with which real variable i hangs below j, and the mean
// and the variance of its value there. The value has a normal distribution below j, and so have,
// around it, the values of the real variables below i: the product of these densities is a normal
// density again, of the precision and the linear term that add up, times a number.
func (f *forest) below(j, i int) (log, mean, variance float64) {
	edge := f.edge(f.now(j), i, 0)
	if edge == 0 {
		return math.Inf(-1), 0, 0
	}
	if x, ok := f.observed(i); ok {
		return math.Log(edge * f.density(f.now(j), j, i)), x, 0
	}
	m, slope, v := f.normal(f.now(j), i)
	m += slope * f.value(j)
	precision, linear := 1/v, m/v
	for c := range f.n() {
		if int(*f.parent(c)) == i && f.real(c) >= 0 {
			mean, slope, variance := f.normal(f.now(i), c)
			precision += slope * slope / variance
			linear += slope * (f.value(c) - mean) / variance
		}
	}
	log = math.Log(edge) - .5*math.Log(v*precision) + .5*(linear*linear/precision-m*m/v)
	return log, within(linear / precision), 1 / precision
}

// units brings the answers for real variables, a mean and a variance each, from the units of their
// scales to their own. The mean of what was observed is the value.
func (f *forest) units() {
	scales := f.m.Numbers[f.s.Reads[0]]
	for i, id := range f.s.Writes {
		out, known, unit := f.m.Numbers[id], f.m.Numbers[f.s.Reads[1+i]], scales[2*i+1]
		out[0], out[1] = scales[2*i]+out[0]*unit, out[1]*unit*unit
		if known[0] != 0 {
			out[0], out[1] = known[1], 0
		}
	}
}
