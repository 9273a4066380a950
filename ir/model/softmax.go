package model

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Softmax is the CPD of a discrete child with real parents, a multinomial logistic regression. The
// scope of its factor has the order of [Gaussian]. In row r, the joint state of the discrete
// parents, state s of the child has the weight
//
//	exp(Bias[r*card+s] + Σ Coef[(r*card+s)*n+k]·x[k])
//
// where card is the number of states of the child and x are the values of the n real parents. Its
// probability is its weight divided by the sum of the weights.
//
// Source: Koller and Friedman, section 5.5.1.
type Softmax struct{ Bias, Coef []float64 }

// Kind returns "softmax".
func (*Softmax) Kind() string { return "softmax" }

// Numbers returns the biases and the coefficients, in a new slice.
func (d *Softmax) Numbers() []float64 { return slices.Concat(d.Bias, d.Coef) }

// Size returns the number of numbers.
func (d *Softmax) Size() int { return len(d.Bias) + len(d.Coef) }

// HasZeros returns false: every state has a positive weight.
func (d *Softmax) HasZeros() bool { return false }

// Work returns one step for each state and variable.
func (d *Softmax) Work(m *Model, f *Factor) int { return m.Card(f.ChildVar()) * len(f.Scope) }

func (d *Softmax) value(m *Model, f *Factor, _ []int) float64 { return noValue(m, f) }

func (d *Softmax) logDensity(m *Model, f *Factor, state []int, x []float64) float64 {
	discrete, real := m.SplitParents(f)
	values := make([]float64, len(real))
	for k, v := range real {
		values[k] = x[v]
	}
	logs := make([]float64, m.Card(f.ChildVar()))
	d.Logs(m.Index(discrete, state), values, logs)
	return logs[state[f.ChildVar()]]
}

// Logs computes ln of the probabilities of the states of the child, one for each element of out, in
// a row and at values of the real parents.
func (d *Softmax) Logs(row int, x, out []float64) {
	top := math.Inf(-1)
	for s := range out {
		at := row*len(out) + s
		out[s] = d.Bias[at]
		for k, c := range d.Coef[at*len(x):][:len(x)] {
			out[s] += float64(c * x[k])
		}
		top = max(top, out[s])
	}
	sum := 0.0
	for _, w := range out {
		sum += math.Exp(w - top)
	}
	log := pgmrt.Ln(sum)
	for s := range out {
		out[s] = out[s] - top - log
	}
}

func (*Softmax) fits(cpd bool) bool { return cpd }

func (d *Softmax) normalized(*Model, *Factor) Dist { return d }

// MapRows implements [Rowwise]. What is not known is uniform. The child can have no new state: one
// that is not known would have the weight 1. Without a state, the others keep their proportions.
func (d *Softmax) MapRows(m *Model, f *Factor, _ []VarID, v VarID, change RowChange) Dist {
	over, real := m.SplitParents(f)
	card := m.Card(f.ChildVar())
	if v == f.ChildVar() {
		over, card = append(slices.Clip(over), v), 1
	}
	return &Softmax{change(d.Bias, over, make([]float64, card)), change(d.Coef, over, make([]float64, card*len(real)))}
}

// Table returns the table of a CPD without real parents, of a child with card states.
func (d *Softmax) Table(card int) *Table {
	out := &Table{make([]float64, len(d.Bias))}
	for r := range len(d.Bias) / card {
		row := out.Values[r*card:][:card]
		d.Logs(r, nil, row)
		for s, x := range row {
			row[s] = math.Exp(x)
		}
	}
	return out
}

func (*Softmax) regression() {}

// Parameters implements [Parametric].
func (*Softmax) Parameters(m *Model, f *Factor) []Parameter { return m.linearParameters(f, Bias) }

// ParameterRows implements [Parametric].
func (d *Softmax) ParameterRows() (rows []float64) {
	n := len(d.Coef) / len(d.Bias)
	for i, bias := range d.Bias {
		rows = append(append(rows, bias), d.Coef[i*n:][:n]...)
	}
	return rows
}

// WithParameterRows implements [Parametric].
func (*Softmax) WithParameterRows(rows []float64, n int) Dist {
	out := &Softmax{}
	for row := range slices.Chunk(rows, n+1) {
		out.Bias, out.Coef = append(out.Bias, row[0]), append(out.Coef, row[1:]...)
	}
	return out
}

func (d *Softmax) check(c *checker, f *Factor, pos diag.Pos, what string) (rows [][]float64, ok bool) {
	n, reals, ok := c.hybridScope(f, pos, what, false)
	if !ok {
		return nil, false
	}
	if reals == 0 {
		c.Errorf(pos, "%s is of kind softmax and has no real parent; want one, or a table", what)
		return nil, false
	}
	card := c.m.Card(f.ChildVar())
	if n > math.MaxInt32/card || len(d.Bias) != n*card || len(d.Coef) != len(d.Bias)*reals {
		c.Errorf(pos, "%s has %d biases and %d coefficients; want %.0f and %.0f, for each joint state of the discrete parents and of the child a bias and one coefficient for each real parent",
			what, len(d.Bias), len(d.Coef), float64(n)*float64(card), float64(n)*float64(card)*float64(reals))
		return nil, false
	}
	for r := range n {
		c.reals(c.rowPos(f, r), what, "bias", d.Bias[r*card:][:card]...)
		c.reals(c.rowPos(f, r), what, "coefficient", d.Coef[r*card*reals:][:card*reals]...)
	}
	return nil, !c.HasErrors()
}
