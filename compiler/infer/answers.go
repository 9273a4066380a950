package infer

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Distribution is the posterior of one variable.
type Distribution struct {
	Var    string
	States []string  // nil of a real variable
	P      []float64 // the probability of each state; nil of a real variable

	Mean, Variance float64 // of a real variable
}

// Of returns the probability of a state; NaN if there is no such state.
func (d *Distribution) Of(state string) float64 {
	if i := slices.Index(d.States, state); i >= 0 {
		return d.P[i]
	}
	return math.NaN()
}

// Numbers returns P, or of a real variable the mean and the variance.
func (d *Distribution) Numbers() []float64 {
	if d.P == nil {
		return []float64{d.Mean, d.Variance}
	}
	return d.P
}

// Best returns the most probable state, of equally probable ones the first; "" of a real variable.
func (d *Distribution) Best() string {
	best := ""
	for i, most := 0, -1.0; i < len(d.P); i++ {
		if d.P[i] > most {
			best, most = d.States[i], d.P[i]
		}
	}
	return best
}

// Marginals are the posteriors of all variables that are not latent, in the order of the model.
type Marginals struct {
	List    []Distribution
	LogProb float64 // ln P of the evidence; NaN if the method does not know it
	Report  *Report // nil of exact answers
}

// Of returns the posterior of a variable; nil if there is no such variable.
func (m *Marginals) Of(name string) *Distribution {
	for i := range m.List {
		if m.List[i].Var == name {
			return &m.List[i]
		}
	}
	return nil
}

// Table is the posterior of several variables together.
type Table struct {
	Vars   []string
	States [][]string // of each variable
	P      []float64  // by joint state, the last variable fastest
}

// Of returns the probability of a joint state, a state for each variable; NaN if there is none
// such.
func (t *Table) Of(states ...string) float64 {
	at := 0
	if len(states) != len(t.States) {
		return math.NaN()
	}
	for i, s := range states {
		k := slices.Index(t.States[i], s)
		if k < 0 {
			return math.NaN()
		}
		at = at*len(t.States[i]) + k
	}
	return t.P[at]
}

// Completion is states of variables, and their probability.
type Completion struct {
	States []Assignment // in the order of the model, or of the call
	// LogProb is ln of the probability of the states together with the evidence, with all other
	// variables summed out. A search in a Markov network does not divide it by the partition
	// function.
	LogProb float64
	Report  *Report // of an approximate method or a search; nil otherwise
	// MaxMarginals are, of methods that find them, the largest probability with each state of each
	// variable that is not latent, up to a factor.
	MaxMarginals []Distribution
}

// Assignment is a variable and its state.
type Assignment struct {
	Var, State string
	Index      int // of the state, from 0
}

// Of returns the state of a variable; "" if it is not among them.
func (c *Completion) Of(name string) string {
	for _, a := range c.States {
		if a.Var == name {
			return a.State
		}
	}
	return ""
}

// Report says how an approximate answer came about. Which numbers mean something depends on the
// method; the others are 0.
type Report struct {
	Note       string // what the method decided; empty for nothing
	Status     string // "converged", "not converged", or what is known of chosen states
	Converged  bool
	Iterations int
	Residual   float64 // the largest change that was left, or standard error, of a probability

	RHat, ESS float64 // of sampling: split R-hat, and the effective sample size
	LogError  float64 // of weighted samples: the standard error of ln P; +Inf if it is unknown
	// Bound is, of edge deletion, a bound of the divergence from the exact posterior in nats, +Inf
	// if there is none, and of chosen states what no log-probability exceeds, +Inf if nothing is
	// known.
	Bound float64
	Gap   float64 // of chosen states: Bound less their log-probability; 0 proves them best
}

// With is the report of two runs that together give an answer: the worse of the two, with the
// iterations of both. r may be nil.
func (r *Report) With(next *Report) *Report {
	if r == nil || r.Iterations == 0 {
		return next
	}
	out := *r
	if !next.Converged {
		out.Status, out.Converged = next.Status, false
	}
	out.Iterations += next.Iterations
	out.Residual = max(r.Residual, next.Residual)
	out.RHat, out.ESS = max(r.RHat, next.RHat), min(r.ESS, next.ESS)
	return &out
}

// distributions copies the posteriors of the entry of p that ran, by number of variable.
func (e *Engine) distributions(p *program, m *eval.Machine) []Distribution {
	byVar := make([][]float64, len(e.vars.m.Vars))
	for i, id := range p.entry.Outs {
		byVar[p.Spans[id].Var] = slices.Clone(m.Posterior(i))
	}
	list := make([]Distribution, len(e.vars.seen))
	for i, v := range e.vars.seen {
		list[i] = e.distribution(v, byVar[v])
	}
	return list
}

// distribution gives the numbers of a posterior their names.
func (e *Engine) distribution(v model.VarID, numbers []float64) Distribution {
	d := Distribution{Var: e.vars.m.Vars[v].Name, States: e.vars.m.States(v)}
	portOf(e.vars.m.Vars[v]).posterior(&d, numbers)
	return d
}

// completion gives states their names.
func (e *Engine) completion(vars []model.VarID, states []int32, logProb float64) Completion {
	c := Completion{LogProb: logProb, States: make([]Assignment, len(vars))}
	for i, v := range vars {
		k := int(states[v])
		c.States[i] = Assignment{e.vars.m.Vars[v].Name, e.vars.m.States(v)[k], k}
	}
	return c
}
