package brute

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/pgmc-go/pgmc/ir/model"
)

// maxStates is the largest number of joint states that New enumerates.
const maxStates = 1 << 22

// Joint holds the product of all factors of a model at every joint state of its variables,
// row-major in their order: the last variable changes fastest.
type Joint struct {
	Model   *model.Model
	vars    []model.VarID
	product []number
	tables  []table
	z       func() float64 // ln Z, computed once
}

// table holds the value of a factor at every joint state of its scope, row-major.
type table struct {
	scope  []model.VarID
	values []float64
}

// New enumerates m, which must have passed its checks.
func New(m *model.Model) (*Joint, error) {
	j := &Joint{Model: m}
	for _, v := range m.Vars {
		j.vars = append(j.vars, v.ID)
	}
	if reals := m.Reals(); len(reals) > 0 {
		return nil, fmt.Errorf("brute: variable %q of model %q is real-valued; want states alone", m.Vars[reals[0]].Name, m.Name)
	}
	n, ok := m.TableSize(j.vars)
	if !ok || n > maxStates {
		return nil, fmt.Errorf("brute: model %q has e^%.1f joint states; the limit is %d", m.Name, m.LogTableSize(j.vars), maxStates)
	}
	for _, f := range m.Factors {
		j.tables = append(j.tables, tabulate(m, f))
	}
	j.product = make([]number, n)
	j.z = sync.OnceValue(j.LogPartition)
	state := make([]int, len(m.Vars))
	for i := range j.product {
		p := number{0.5, 1} // one
		for f := range j.tables {
			p = p.times(j.value(f, state))
		}
		j.product[i] = p
		m.Next(j.vars, state)
	}
	return j, nil
}

// tabulate evaluates f at every joint state of its scope.
func tabulate(m *model.Model, f *model.Factor) table {
	size, _ := m.TableSize(f.Scope) // at most that of the joint, which fits
	t := table{f.Scope, make([]float64, size)}
	state := make([]int, len(m.Vars))
	for i := range t.values {
		t.values[i] = m.Value(f, state)
		m.Next(f.Scope, state)
	}
	return t
}

// place returns the index into the table of factor n of a joint state.
func (j *Joint) place(n int, state []int) (at int) {
	for _, v := range j.tables[n].scope {
		at = at*j.Model.Card(v) + state[v]
	}
	return at
}

// value returns the value of factor n at a joint state.
func (j *Joint) value(n int, state []int) float64 { return j.tables[n].values[j.place(n, state)] }

// Len returns the number of joint states.
func (j *Joint) Len() int { return len(j.product) }

// State returns the state of each variable, by VarID, in joint state i.
func (j *Joint) State(i int) []int {
	state := make([]int, len(j.vars))
	for v := len(state) - 1; v >= 0; v-- {
		card := j.Model.Card(model.VarID(v))
		state[v], i = i%card, i/card
	}
	return state
}

// Index returns the joint state in which each variable has the given state.
func (j *Joint) Index(state []int) int {
	i := 0
	for v, s := range state {
		i = i*j.Model.Card(model.VarID(v)) + s
	}
	return i
}

// Evidence holds states of some variables, likelihoods with one number of at least 0 per state, and
// sets of states. A variable may have all of them. A likelihood of zeros and an empty set mean
// none, as in generated code.
type Evidence struct {
	Hard map[model.VarID]int
	Soft map[model.VarID][]float64
	In   map[model.VarID][]int
}

// likelihoods returns the weight of e for each state of each variable.
func (j *Joint) likelihoods(e Evidence) [][]float64 {
	l := make([][]float64, len(j.vars))
	for _, v := range j.vars {
		l[v] = make([]float64, j.Model.Card(v))
		for s := range l[v] {
			l[v][s] = e.weight(v, s)
		}
	}
	return l
}

// weight returns the weight of the evidence on variable v for its state s.
func (e Evidence) weight(v model.VarID, s int) float64 {
	if observed, ok := e.Hard[v]; ok && observed != s {
		return 0
	}
	if set := e.In[v]; len(set) > 0 && !slices.Contains(set, s) {
		return 0
	}
	if soft, ok := e.Soft[v]; ok && slices.Max(soft) > 0 {
		return soft[s]
	}
	return 1
}

// weights returns the product of all factors and the evidence at every joint state, divided by
// 2^exp, which brings the largest into [1/2, 1).
func (j *Joint) weights(e Evidence) (w []float64, exp int) {
	l := j.likelihoods(e)
	all := make([]number, len(j.product))
	exp = math.MinInt
	state := make([]int, len(j.vars))
	for i, p := range j.product {
		for v, s := range state {
			p = p.times(l[v][s])
		}
		if all[i] = p; p.frac > 0 {
			exp = max(exp, p.exp)
		}
		j.Model.Next(j.vars, state)
	}
	w = make([]float64, len(all))
	for i, p := range all {
		if p.frac > 0 {
			w[i] = math.Ldexp(p.frac, p.exp-exp)
		}
	}
	return w, exp
}
