package em

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// kalman infers in templates of real variables: the Kalman filter forwards and the smoother of
// Rauch, Tung and Striebel (1965) back. Expected statistics of all families follow from the joint
// moments of the variables before a slice and of the slice, as for Shumway and Stoffer (1982).
//
// Moments are numbers, not a program: a slice takes all its numbers anew in each step of EM. The
// programs of methods filter and gpb2 do the same arithmetic as steps that a compiler lays out, and
// with constants for numbers.
type kalman struct {
	t      *model.Model
	static *model.Model
	order  []model.VarID // of the real variables of a slice, parents first, in slice 0 and in a step
	next   []model.VarID
	after  []model.VarID       // the real variables that persist
	before []model.VarID       // the same of the slice before, as variables of a step
	delta  map[model.VarID]int // the diffuse variables of slice 0, by number
	out    []float64
}

func newKalman(t *model.Model) *kalman {
	slice := *t
	slice.Transition = nil
	k := &kalman{t: t, delta: map[model.VarID]int{}}
	_, k.order = t.SplitReal(slice.Topological())
	for i, v := range t.Transition.Before {
		if t.IsReal(v) {
			k.after, k.before = append(k.after, v), append(k.before, model.VarID(len(t.Vars)+i))
		}
	}
	for _, f := range t.Factors {
		if _, diffuse := f.Dist.(*model.Diffuse); diffuse {
			k.delta[f.ChildVar()] = len(k.delta)
		}
	}
	for _, v := range t.Step().Topological() {
		if int(v) < len(t.Vars) && t.IsReal(v) {
			k.next = append(k.next, v)
		}
	}
	return k
}

func (k *kalman) clone() (slicer, error) {
	c := *k
	c.out = nil
	return &c, nil
}

func (k *kalman) load(m *model.Model) error {
	k.static = m
	return nil
}

// joint is a normal distribution of several variables: means and covariances. The means are
// functions of the values δ of the diffuse variables of slice 0: mean + diffuse · δ.
type joint struct {
	mean    []float64
	diffuse [][]float64
	cov     [][]float64
}

// newJoint returns n constants, of d diffuse variables.
func newJoint(n, d int) *joint {
	x := &joint{mean: make([]float64, n)}
	for range n {
		x.cov, x.diffuse = append(x.cov, make([]float64, n)), append(x.diffuse, make([]float64, d))
	}
	return x
}

// of returns the distribution of some variables.
func (x *joint) of(vars []model.VarID) *joint {
	out := newJoint(len(vars), 0)
	for i, v := range vars {
		out.mean[i], out.diffuse[i] = x.mean[v], slices.Clone(x.diffuse[v])
		for j, u := range vars {
			out.cov[i][j] = x.cov[v][u]
		}
	}
	return out
}

// slice returns the joint distribution of the real variables of a slice and those before it given
// the belief about the latter, the states of discrete variables, and the observed values, and adds
// the density of the values to l. The belief is nil in slice 0.
func (k *kalman) slice(belief *joint, r *row, states []int, l *likelihood) (*joint, error) {
	n := len(k.t.Vars)
	x, order, factors := newJoint(n+len(k.t.Transition.Before), len(k.delta)), k.order, k.t.Factors
	dist := k.static.Factors
	if belief != nil {
		order, factors, dist = k.next, k.t.Transition.Factors, dist[len(k.t.Factors):]
		for i, v := range k.before {
			x.mean[v] = belief.mean[i]
			copy(x.diffuse[v], belief.diffuse[i])
			for j, u := range k.before {
				x.cov[v][u] = belief.cov[i][j]
			}
		}
	}
	for _, v := range order {
		i := slices.IndexFunc(factors, func(f *model.Factor) bool { return f.ChildVar() == v })
		if i < 0 { // given
			x.mean[v] = r.value[v]
			continue
		}
		if d := dist[i].Gaussian(); d != nil {
			row, parents := k.family(factors[i], states)
			mean, coef, variance := d.Row(row)
			x.push(v, parents, mean, coef, variance)
		} else {
			x.diffuse[v][k.delta[v]] = 1
		}
		if r.state[v] == data.Missing {
			continue
		}
		if err := x.condition(v, r.value[v], l); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// family returns the row of a Gaussian CPD at states of discrete variables, and its real parents.
func (k *kalman) family(f *model.Factor, states []int) (row int, parents []model.VarID) {
	n := model.VarID(len(k.t.Vars))
	for i, v := range f.Scope {
		of := v
		if v >= n {
			of = k.t.Transition.Before[v-n]
		}
		switch {
		case i == f.Child:
		case k.t.IsReal(of):
			parents = append(parents, v)
		default:
			row = row*k.t.Card(of) + states[v]
		}
	}
	return row, parents
}

// push adds variable v, which is linear in its parents up to a variance.
func (x *joint) push(v model.VarID, parents []model.VarID, mean float64, coef []float64, variance float64) {
	x.mean[v] = mean
	for i, u := range parents {
		x.mean[v] += coef[i] * x.mean[u]
		for k, h := range x.diffuse[u] {
			x.diffuse[v][k] += coef[i] * h
		}
		for w := range x.mean {
			x.cov[v][w] += coef[i] * x.cov[u][w]
		}
	}
	for w := range x.mean {
		x.cov[w][v] = x.cov[v][w]
	}
	x.cov[v][v] = variance
	for i, u := range parents {
		x.cov[v][v] += coef[i] * x.cov[u][v]
	}
}

// collinear is the share of its variance below which the rest of a variable, given others, counts
// as none.
const collinear = 1e-12

// smooth changes the distribution of some variables to another one, and the distribution of all
// others by their regression on these.
func (x *joint) smooth(vars []model.VarID, to *joint) {
	n := len(x.mean)
	rest := newJoint(n, 0) // the covariances given the variables so far
	for i := range n {
		copy(rest.cov[i], x.cov[i])
	}
	gain := make([][]float64, n) // coefficients of the regression
	for i := range gain {
		gain[i] = make([]float64, len(vars))
	}
	for k, v := range vars {
		pivot := rest.cov[v][v]
		if pivot <= collinear*x.cov[v][v] {
			continue
		}
		own := slices.Clone(gain[v])
		own[k]--
		with := slices.Clone(rest.cov[v])
		for i := range n {
			share := with[i] / pivot
			if share == 0 {
				continue
			}
			for j := range k + 1 {
				gain[i][j] -= share * own[j]
			}
			for j := range n {
				rest.cov[i][j] -= share * with[j]
			}
		}
	}
	x.apply(vars, gain, rest, to)
}

// apply sets the moments to the moments of the regression with the given coefficients and
// covariances of the rest, on variables of distribution to.
func (x *joint) apply(vars []model.VarID, gain [][]float64, rest, to *joint) {
	for k, v := range vars { // exactly, whatever was rounded
		gain[v] = make([]float64, len(vars))
		gain[v][k] = 1
		for i := range rest.cov {
			rest.cov[v][i], rest.cov[i][v] = 0, 0
		}
	}
	shift, slopes := make([]float64, len(vars)), make([][]float64, len(vars))
	for k, v := range vars {
		shift[k], slopes[k] = to.mean[k]-x.mean[v], slices.Clone(to.diffuse[k])
		for i, h := range x.diffuse[v] {
			slopes[k][i] -= h
		}
	}
	spread := make([][]float64, len(gain)) // gain · to.cov
	for i, g := range gain {
		spread[i] = make([]float64, len(vars))
		for k, c := range g {
			x.mean[i] += c * shift[k]
			for j, h := range slopes[k] {
				x.diffuse[i][j] += c * h
			}
			for j := range vars {
				spread[i][j] += c * to.cov[k][j]
			}
		}
	}
	for i := range gain {
		for j := range i + 1 {
			c := rest.cov[i][j]
			for k := range vars {
				c += spread[i][k] * gain[j][k]
			}
			x.cov[i][j], x.cov[j][i] = c, c
		}
	}
}

func (k *kalman) sequence(est *mle.Estimator, rows []row, tables [][]float64) (float64, error) {
	var beliefs []*joint // after each slice
	var last *joint
	l := newLikelihood(len(k.delta))
	for t := range rows {
		var belief *joint
		if t > 0 {
			belief = beliefs[t-1]
		}
		x, err := k.slice(belief, &rows[t], nil, l)
		if err != nil {
			return 0, &sliceError{t, err}
		}
		last, beliefs = x, append(beliefs, x.of(k.after))
	}
	delta, logP, err := l.integrate()
	if err != nil {
		return 0, err
	}
	smoothed := beliefs[len(beliefs)-1]
	for t := len(rows) - 1; t >= 0; t-- {
		if t < len(rows)-1 {
			var belief *joint
			if t > 0 {
				belief = beliefs[t-1]
			}
			last, _ = k.slice(belief, &rows[t], nil, newLikelihood(len(k.delta))) // without error, as before
			last.smooth(k.after, smoothed)
		}
		k.add(est, t, last.given(delta), nil, 1, tables)
		smoothed = last.of(k.before)
	}
	return logP, nil
}

// add adds the expected statistics of the Gaussian CPDs of slice t, at states of discrete variables
// that have the given weight, to tables.
func (k *kalman) add(est *mle.Estimator, t int, x *joint, states []int, weight float64, tables [][]float64) {
	factors, first := k.t.Factors, 0
	if t > 0 {
		factors, first = k.t.Transition.Factors, len(k.t.Factors)
	}
	for i, f := range factors {
		d := k.static.Factors[first+i].Gaussian()
		if d == nil {
			continue // discrete, or diffuse
		}
		row, parents := k.family(f, states)
		rows, family := len(d.Mean), append(parents, f.ChildVar())
		k.out = slices.Grow(k.out[:0], d.Statistics())[:d.Statistics()]
		clear(k.out)
		k.out[row] = 1
		at := row
		for _, v := range family {
			at += rows
			k.out[at] = x.mean[v]
		}
		for a, v := range family {
			for _, u := range family[:a+1] {
				at += rows
				k.out[at] = x.cov[v][u]
			}
		}
		est.TallyExpected(first+i, tables[first+i], k.out, weight)
	}
}
