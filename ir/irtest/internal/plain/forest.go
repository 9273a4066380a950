package plain

import (
	"math"

	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// forest is a kernel of a latent dependency forest model (Chu, Jiang and Tu 2017). The weight of a
// joint state is the sum, over the trees that span a root and all variables, of the products of the
// weights of their edges. Numbers holds the number of variables, the number of real ones, the first
// column of each variable, and the number of columns. In a model with real variables each
// variable's index among these follows, or -1.
type forest struct {
	m *Memory
	s *ir.Kernel
}

// root is the root as a parent, and loose is the parent of a variable that is not in the tree yet.
const (
	root  = -1
	loose = -2
)

func (f *forest) n() int          { return int(f.s.Numbers[0]) }
func (f *forest) first(i int) int { return int(f.s.Numbers[2+i]) }
func (f *forest) card(i int) int  { return f.first(i+1) - f.first(i) }

// real returns the index of a variable among the real ones, or -1 if it has states.
func (f *forest) real(i int) int {
	if i < 0 || f.s.Numbers[1] == 0 {
		return -1
	}
	return int(f.s.Numbers[3+f.n()+i])
}

// state returns the state of a variable. A real variable has one state.
func (f *forest) state(i int) *int32 { return &f.m.Ints[f.m.Program.State][i] }

// parent returns the parent of a variable.
func (f *forest) parent(i int) *int32 { return &f.m.Ints[f.s.Ints][i] }

// row returns the row of weights of the children of state x of variable j, or of the root.
func (f *forest) row(j, x int) int {
	if j == root {
		return 0
	}
	return 1 + f.first(j) + x
}

// now returns the row of the present state.
func (f *forest) now(j int) int {
	if j == root {
		return 0
	}
	return f.row(j, int(*f.state(j)))
}

// edge returns the weight of an edge from a row to state x of variable i.
func (f *forest) edge(row, i, x int) float64 {
	return f.m.Numbers[f.s.Reads[0]][row*f.first(f.n())+f.first(i)+x]
}

// own returns the factor of a state by itself: its likelihood times its stop weight.
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

// redraw draws the state of a variable in proportion to weights and adds their shares to its tally.
// If all weights are 0 the state stays.
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

// under reports whether variable j is i or a descendant of i.
func (f *forest) under(j, i int) bool {
	for j >= 0 && j != i {
		j = int(*f.parent(j))
	}
	return j == i
}

// hang draws the parent of a variable from the candidates: the root and variables.
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

// start grows a tree that spans all variables. If it cannot complete one, it starts again, at most
// 1000 times.
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

// grow adds one variable at a time. It draws the variable and its state in proportion to the weight
// with which the tree reaches them, and then the parent.
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

// trees returns the sum over all trees with parents that agree with the parents of the first i
// variables.
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

// value returns the value of a real variable, and 0 for others and the root.
func (f *forest) value(i int) float64 {
	if f.real(i) < 0 {
		return 0
	}
	return *f.m.number(f.s.Writes[1+f.n()+f.real(i)])
}

func (f *forest) setValue(i int, x float64) {
	*f.m.number(f.s.Writes[1+f.n()+f.real(i)]) = within(x)
}

// within bounds a value by 1e30 in size, so that all numbers stay finite.
func within(x float64) float64 { return math.Max(-1e30, math.Min(1e30, x)) }

// observed returns the observed value of a real variable. ok is false if it is not observed.
func (f *forest) observed(i int) (x float64, ok bool) {
	known := f.m.Numbers[f.s.Reads[4+f.n()+f.real(i)]]
	return known[1], known[0] != 0
}

// normal returns the distribution of real variable i in a row: its mean is mean + slope times the
// parent's value.
func (f *forest) normal(row, i int) (mean, slope, variance float64) {
	g := f.m.Numbers[f.s.Reads[2+f.n()]][3*(row*int(f.s.Numbers[1])+f.real(i)):]
	return g[0], g[1], g[2]
}

// density returns the density of real variable c below variable j in a row, up to a constant, or 1
// for a variable with states.
func (f *forest) density(row, j, c int) float64 {
	if f.real(c) < 0 {
		return 1
	}
	mean, slope, variance := f.normal(row, c)
	d := f.value(c) - mean - float64(slope*f.value(j))
	return math.Exp(-d*d/(2*variance)) / math.Sqrt(variance)
}

// gauss returns a standard normal variate (Box and Muller 1958).
func (f *forest) gauss() float64 {
	radius := math.Sqrt(-2 * pgmrt.Ln(1-f.m.Rand.Float64()))
	return radius * math.Cos(2*math.Pi*f.m.Rand.Float64())
}

// begin sets a real variable to its observed value, or to one drawn given its parent.
func (f *forest) begin(i int) {
	x, ok := f.observed(i)
	if !ok {
		j := int(*f.parent(i))
		mean, slope, variance := f.normal(f.now(j), i)
		x = mean + slope*f.value(j) + math.Sqrt(variance)*f.gauss()
	}
	f.setValue(i, x)
}

// moveReal draws the parent of a real variable, with its value summed out, and then the value.
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

// below returns the logarithm of the weight of j as the parent of real variable i, and the mean and
// the variance of i's value under it. The value has a normal density given j, and so have, as
// functions of it, the values of the real children of i. The product is a normal density with the
// sums as precision and linear term, times a number.
func (f *forest) below(j, i int) (log, mean, variance float64) {
	edge := f.edge(f.now(j), i, 0)
	if edge == 0 {
		return math.Inf(-1), 0, 0
	}
	if x, ok := f.observed(i); ok {
		return pgmrt.Ln(edge * f.density(f.now(j), j, i)), x, 0
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
	log = pgmrt.Ln(edge) - .5*pgmrt.Ln(v*precision) + .5*(linear*linear/precision-m*m/v)
	return log, within(linear / precision), 1 / precision
}

// units converts the answers for real variables, a mean and a variance each, from scaled units to
// the variables' units. The mean of an observed variable is its value.
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
