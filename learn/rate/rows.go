package rate

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Rows scores complete rows by a model. It has its own scratch memory: one goroutine may use it at
// a time.
type Rows struct {
	m        *model.Model
	terms    []model.Term
	plain    []model.Term // those that flip one row at a time
	circuits []*flipper   // the others
	// flips is by row, variable and state: ln of the product of the factors at that state, up to a
	// constant.
	flips [][][]float64
}

// NewRows returns the scorer of a model that has passed its checks and has CPD rows that sum to
// one.
func NewRows(m *model.Model) (*Rows, error) {
	r := &Rows{m: m}
	for _, f := range m.Factors {
		t := m.Term(f)
		r.terms = append(r.terms, t)
		if c := newFlipper(m, f); c != nil {
			r.circuits = append(r.circuits, c)
		} else {
			r.plain = append(r.plain, t)
		}
	}
	for v := range m.Vars {
		switch id := model.VarID(v); {
		case m.IsReal(id):
			return nil, fmt.Errorf("variable %q is real-valued, and its density given all others takes the sum over too many trees; "+
				"conditional log-likelihoods rate what sampling knows of it", m.Vars[v].Name)
		case m.Card(id) == 0 || m.Vars[v].Latent && !r.SumsOut():
			return nil, fmt.Errorf("variable %q is in no data, so that no row has all states; its probability takes inference", m.Vars[v].Name)
		}
	}
	for range r.AtOnce() {
		flips := make([][]float64, len(m.Vars))
		for v := range flips {
			flips[v] = make([]float64, m.Card(model.VarID(v)))
		}
		r.flips = append(r.flips, flips)
	}
	return r, nil
}

// AtOnce returns the number of rows at a time for which Pseudos takes the least time a row.
func (r *Rows) AtOnce() int {
	if len(r.circuits) > 0 {
		return pgmrt.Lanes
	}
	return 1
}

// SumsOut reports whether states may be [data.Missing] in Pseudos and Conditionals, which sum them
// out: the model is a smooth and decomposable circuit.
func (r *Rows) SumsOut() bool { return len(r.circuits) == 1 && len(r.plain) == 0 }

// Log returns ln of the product of the factors at a joint state of all variables. In a Bayesian
// network this is its log-probability; in a Markov network, the log-probability plus ln Z; in a
// dependency network, the pseudo-log-likelihood.
func (r *Rows) Log(state []int) float64 {
	sum := 0.0
	for _, t := range r.terms {
		sum += t.Log(state)
	}
	return sum
}

// Pseudo returns the pseudo-log-likelihood of a joint state of all variables. It is minus infinity
// if a state is impossible given the others, or if the others are impossible.
func (r *Rows) Pseudo(state []int) float64 {
	var log [1]float64
	r.Pseudos([][]int{state}, log[:])
	return log[0]
}

// Pseudos writes the pseudo-log-likelihoods of joint states to logs. If the model [Rows.SumsOut],
// states may be [data.Missing], as for latent variables, and have no term.
func (r *Rows) Pseudos(states [][]int, logs []float64) {
	if r.m.Kind == model.Dependency {
		for i, state := range states {
			logs[i] = r.Log(state)
		}
		return
	}
	for len(states) > 0 {
		n := min(len(states), r.AtOnce())
		r.rate(states[:n])
		for i, state := range states[:n] {
			logs[i] = 0
			for v, row := range r.flips[i] {
				logs[i] += conditional(row, state[v])
			}
		}
		states, logs = states[n:], logs[n:]
	}
}

// Conditionals writes the terms of Pseudo to logs, by variable: 0 for a state that is missing.
func (r *Rows) Conditionals(state []int, logs []float64) {
	if r.m.Kind == model.Dependency {
		for i, t := range r.terms {
			logs[r.m.Factors[i].ChildVar()] = t.Log(state)
		}
		return
	}
	r.rate([][]int{state})
	for v, row := range r.flips[0] {
		logs[v] = conditional(row, state[v])
	}
}

// rate computes the flips of at most AtOnce rows.
func (r *Rows) rate(states [][]int) {
	for i, state := range states {
		for _, row := range r.flips[i] {
			clear(row)
		}
		for _, t := range r.plain {
			t.Flip(state, r.flips[i])
		}
	}
	for _, c := range r.circuits {
		c.flip(states, r.flips)
	}
}

// conditional returns ln of the share of a state, and 0 for one that is missing.
func conditional(row []float64, state int) float64 {
	if state == data.Missing {
		return 0
	}
	if math.IsInf(row[state], -1) { // or all are impossible
		return row[state]
	}
	return row[state] - floats.LogSumExp(row)
}
