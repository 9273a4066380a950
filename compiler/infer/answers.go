package infer

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Distribution is the posterior of one variable.
type Distribution struct {
	Var    string
	States []string  // nil of a real variable
	P      []float64 // the probability of each state; nil of a real variable

	Mean, Variance float64 // of a real variable
}

// Of returns the probability of a state, or NaN if the variable has no such state.
func (d *Distribution) Of(state string) float64 {
	if i := slices.Index(d.States, state); i >= 0 {
		return d.P[i]
	}
	return math.NaN()
}

// Numbers returns P, or the mean and the variance of a real variable.
func (d *Distribution) Numbers() []float64 {
	if d.P == nil {
		return []float64{d.Mean, d.Variance}
	}
	return d.P
}

// Best returns the most probable state, the first one of several; "" for a real variable.
func (d *Distribution) Best() string {
	best := ""
	for i, most := 0, -1.0; i < len(d.P); i++ {
		if d.P[i] > most {
			best, most = d.States[i], d.P[i]
		}
	}
	return best
}

// Marginals holds the posteriors of all variables that are not latent, in the order of the model.
type Marginals struct {
	List    []Distribution
	LogProb float64 // ln P of the evidence; NaN if the method does not compute it
	Report  *Report // nil for exact methods

	Divergence *Divergence // of a belief in clusters; nil unless [Filter.Bound] asks for it
}

// Of returns the posterior of a variable, or nil if there is no such variable.
func (m *Marginals) Of(name string) *Distribution {
	for i := range m.List {
		if m.List[i].Var == name {
			return &m.List[i]
		}
	}
	return nil
}

// Table is the joint posterior of several variables. If some are real, it has their means and
// covariances for each joint state of the others, which are the discrete ones; without discrete
// variables there is one joint state, of probability 1.
type Table struct {
	Vars   []string    // the discrete variables
	States [][]string  // of each discrete variable
	P      []float64   // by joint state, the last variable varying fastest
	Reals  []string    // the real variables
	Mean   [][]float64 // by joint state and real variable; zeros if P is 0
	Cov    [][]float64 // by joint state: the covariances, row-major; zeros if P is 0
}

// MaxMarginals holds max-marginals of single variables, or of sets of variables.
type MaxMarginals struct {
	List    []MaxMarginal
	LogProb float64 // the log-probability of the best completion; of pseudo-max-marginals, of the chosen one
	Report  *Report // nil for exact max-marginals, and not nil for pseudo-max-marginals
}

// MaxMarginal holds the log-probability of a most probable completion with each joint state of
// Vars. It is -Inf if there is none, or if its probability is below the range of a float64,
// relative to the best completion.
type MaxMarginal struct {
	Vars    []string
	States  [][]string // of each variable
	LogProb []float64  // by joint state, the last variable varying fastest
}

// Of returns the number of a joint state, given by a state for each variable, or NaN if there is no
// such state.
func (x *MaxMarginal) Of(states ...string) float64 { return numberOf(x.LogProb, x.States, states) }

// Component is one normal distribution of a [Mixture].
type Component = pgmrt.Component

// Mixture is the posterior of a real variable: a mixture of normal distributions. Its methods
// return the mean, the variance, densities, probabilities and quantiles.
type Mixture = pgmrt.Mixture

// Of returns the probability of a joint state, given by a state for each variable, or NaN if there
// is no such state.
func (t *Table) Of(states ...string) float64 { return numberOf(t.P, t.States, states) }

// numberOf returns the number of a joint state, or NaN if there is no such state. The last of the
// variables with the given states varies fastest.
func numberOf(numbers []float64, of [][]string, states []string) float64 {
	at := 0
	if len(states) != len(of) {
		return math.NaN()
	}
	for i, s := range states {
		k := slices.Index(of[i], s)
		if k < 0 {
			return math.NaN()
		}
		at = at*len(of[i]) + k
	}
	return numbers[at]
}

// Numbers returns P, or if some variables are real, for each joint state of the others: its
// probability, the means, and the covariances, row-major.
func (t *Table) Numbers() (list []float64) {
	if t.Reals == nil {
		return t.P
	}
	for d, p := range t.P {
		list = append(append(append(list, p), t.Mean[d]...), t.Cov[d]...)
	}
	return list
}

// moments sets the moments of t from the numbers of an answer; see [model.JointParts].
func (t *Table) moments(numbers []float64) {
	n := len(t.Reals)
	states := len(numbers) / model.JointParts(n)
	t.P = slices.Clone(numbers[:states])
	for d := range states {
		mean, cov := make([]float64, n), make([]float64, n*n)
		next := (1+n)*states + d
		for i := range n {
			mean[i] = numbers[(1+i)*states+d]
			for k := range i + 1 {
				cov[i*n+k], cov[k*n+i] = numbers[next], numbers[next]
				next += states
			}
		}
		t.Mean, t.Cov = append(t.Mean, mean), append(t.Cov, cov)
	}
}

// Completion is an assignment of states to variables, and its probability.
type Completion struct {
	States []Assignment // in the order of the model, or of the call
	// LogProb is ln of the probability of the states together with the evidence, with all other
	// variables summed out. For a method that chooses states, in a Markov network it is not divided
	// by the partition function. Of a dependency network it is the pseudo-log-likelihood.
	LogProb float64
	Report  *Report // of an approximate method or a search; nil otherwise
	// Decided reports, for each of States, whether all most probable completions have that state;
	// nil if the method decides none.
	Decided []bool
	// MaxMarginals holds, for each variable that is not latent and each of its states, the largest
	// probability of a completion with that state, up to a factor; nil if the method does not
	// compute it.
	MaxMarginals []Distribution
}

// Assignment is a variable and its state.
type Assignment struct {
	Var, State string  // of a real variable, State is its value as text
	Index      int     // of the state, from 0; 0 of a real variable
	Value      float64 // of a real variable
}

// Of returns the state of a variable, or "" if it has none in c.
func (c *Completion) Of(name string) string {
	for _, a := range c.States {
		if a.Var == name {
			return a.State
		}
	}
	return ""
}

// Report describes the run of an approximate method or of a search. A number that the method does
// not have is 0.
type Report struct {
	Note       string // decision of the method as text; may be empty
	Status     string // "converged", "not converged", "incomplete" if messages were left out, or the quality of chosen states
	Converged  bool
	Iterations int
	Residual   float64 // the largest change of a probability in the last iteration, or for sampling its largest standard error

	RHat, ESS float64 // for sampling: split R-hat, and the effective sample size
	Refused   float64 // for sampling: the largest share of Metropolis steps of a variable that were refused; 0 without such steps
	Rejected  float64 // for sampling: the largest share of draws of a variable by rejection of which all tries were refused
	LogError  float64 // for weighted samples: the standard error of ln P; +Inf if unknown
	// Improper counts the messages of the last iteration that were no proper distribution, such as
	// a normal distribution with a negative variance. They were not used.
	Improper int
	// Bound is an upper bound, and +Inf if none is known: for edge deletion, of the divergence of
	// the answer from the exact posterior, in nats; for chosen states and searches, of the
	// log-probability of any states.
	Bound float64
	Gap   float64 // for chosen states and searches: Bound less the log-probability of the states; 0 proves that they are best
	// Strong reports that states are a strong local optimum of max-product messages: none are
	// better that differ only in variables whose factors form components of at most one cycle each.
	Strong bool
	// Frustrated reports that no joint state is the best of every belief of max-product messages,
	// as a search has proven.
	Frustrated bool
}

// With returns the report of two runs that together give an answer: the worse of the two, with the
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
	out.Residual, out.Improper = max(r.Residual, next.Residual), max(r.Improper, next.Improper)
	out.RHat, out.ESS = max(r.RHat, next.RHat), min(r.ESS, next.ESS)
	out.Refused, out.Rejected = max(r.Refused, next.Refused), max(r.Rejected, next.Rejected)
	return &out
}

// distributions copies the posteriors of the last run of m, of the entry of p.
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

// distribution returns the distribution of v with the given numbers.
func (e *Engine) distribution(v model.VarID, numbers []float64) Distribution {
	d := Distribution{Var: e.vars.m.Vars[v].Name, States: e.vars.m.States(v)}
	portOf(e.vars.m.Vars[v]).posterior(&d, numbers)
	return d
}

// completion returns the completion with the given states and values.
func (e *Engine) completion(vars []model.VarID, of func(model.VarID) model.Value, logProb float64) Completion {
	c := Completion{LogProb: logProb, States: make([]Assignment, len(vars))}
	for i, v := range vars {
		x, at := of(v), e.vars.m.Vars[v]
		c.States[i] = Assignment{at.Name, at.Domain.Text(x), x.State, x.Real}
	}
	return c
}

// Divergence bounds the error of a belief in clusters, as the relative entropy D of the exact
// belief from it, in nats (Boyen and Koller 1998, "Tractable inference for complex stochastic
// processes"). A step through the transition multiplies D by 1 - Contraction at most, and a
// projection adds Projection at most, so that in the long run D is at most the largest Projection
// over Contraction. These hold for the mean of D over evidence that the model draws; evidence of
// small probability may have more.
type Divergence struct {
	Contraction float64
	Projection  float64 // of the last slice: the largest logarithm by which it lowered the probability of a joint state
	Bound       float64 // of D after the last slice
}
