package infer

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/meanfield"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// lowLog stands for the logarithm of 0, so that no average is infinite: that of 2^-1022.
const lowLog = -1022 * math.Ln2

// MeanFieldPath returns approximate posteriors of the slices of a sequence given all evidence, by
// structured mean field: the nearest distribution in which discrete variables are independent of
// each other, and each that persists is a Markov chain over all slices. LogProb is a lower bound of
// ln P(evidence), up to rounding, and the report of each slice says after how many sweeps over the
// chains it stopped, and by how much the last one raised the bound. No sweep lowers it. Of the
// options it takes Iterations, Tolerance, Start and Seed. Marginals may be far off.
//
// Cost: a sweep reads, for each slice, the table of each CPD once for each of its variables that is
// not observed. Source: Ghahramani and Jordan 1997, "Factorial hidden Markov models".
func (e *Engine) MeanFieldPath(ctx context.Context, sequence []Given, opt meanfield.Options) ([]Marginals, error) {
	m := e.vars.m
	if m.Transition == nil {
		return nil, fmt.Errorf("the model has no transition from slice to slice; want one for a sequence")
	}
	if reals := m.Reals(); len(reals) > 0 {
		return nil, diag.Errorf("structured mean field needs discrete variables alone; found real variable %q; try %v", m.Vars[reals[0]].Name, compiler.By(method.MergingFilter))
	}
	if def := meanfield.NewOptions(); opt.Schedule != def.Schedule || opt.Damping != def.Damping || opt.Mean != def.Mean {
		return nil, fmt.Errorf("structured mean field has no schedule, damping or mean; want iterations, tolerance, start and seed alone")
	}
	c, err := e.newChains(sequence)
	if err != nil {
		return nil, err
	}
	if opt.Start == "random" {
		c.scatter(pgmrt.NewRand(opt.Seed))
	}
	report := &Report{Status: pgmrt.NotConverged.String()}
	bound := math.Inf(-1)
	for report.Iterations < opt.Iterations && !report.Converged {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		before := bound
		bound = c.sweep()
		report.Iterations++
		report.Residual = bound - before
		if report.Residual <= opt.Tolerance*max(1, math.Abs(bound)) {
			report.Converged, report.Status = true, pgmrt.Converged.String()
		}
	}
	c.complete()
	out := make([]Marginals, len(sequence))
	for t := range out {
		out[t].LogProb, out[t].Report = bound, report
		for _, v := range e.vars.seen {
			out[t].List = append(out[t].List, e.distribution(v, c.at[t][v].q))
		}
	}
	return out, nil
}

// chains is the state of structured mean field: a distribution of each variable of each slice, and
// of those that persist also with the slice before.
type chains struct {
	m       *model.Model
	of      [2]*model.Model // slice 0, and a later one
	founds  []*Findings
	at      [][]chainNode // by slice and variable
	links   []bool        // by variable: it persists
	entropy []float64     // by variable: of its chain
}

// chainNode is a variable of a slice.
type chainNode struct {
	seen int       // the observed state, or Missing
	q    []float64 // its distribution
	// A barren variable is not observed and has no effect on evidence or on other slices. It is left
	// out, and its distribution follows from those of its parents.
	barren bool
	pair   []float64 // with the slice before, whose state is the slower index; nil in slice 0 and for variables that do not persist

	// What an update adds up: averages of logarithms.
	own, link []float64
}

// mostAverage is the most joint states of the hidden variables of one CPD.
const mostAverage = 1 << 22

func (e *Engine) newChains(sequence []Given) (*chains, error) {
	m := e.vars.m
	c := &chains{m: m, of: [2]*model.Model{m, m.Step()}, links: make([]bool, len(m.Vars)), entropy: make([]float64, len(m.Vars))}
	for _, v := range m.Transition.Before {
		c.links[v] = true
	}
	for t, given := range sequence {
		found, err := e.own(given)
		if err != nil {
			return nil, &SliceError{t, err}
		}
		nodes := make([]chainNode, len(m.Vars))
		for v := range nodes {
			x, k := &nodes[v], m.Card(model.VarID(v))
			if x.seen = found.State[v]; x.seen == Missing && m.Vars[v].Given {
				return nil, &SliceError{t, fmt.Errorf("variable %q is given and not observed; want a value", m.Vars[v].Name)}
			}
			x.q, x.own = make([]float64, k), make([]float64, k)
			for s := range x.q {
				if x.q[s] = 1; found.Soft[v] != nil {
					x.q[s] = found.Soft[v][s]
				}
				if x.seen != Missing && x.seen != s {
					x.q[s] = 0
				}
			}
			if c.links[v] && t > 0 {
				x.link, x.pair = make([]float64, k*k), make([]float64, k*k)
			}
		}
		c.founds, c.at = append(c.founds, found), append(c.at, nodes)
	}
	for t := range c.at {
		c.leaveOut(t)
	}
	c.separate()
	return c, c.check()
}

// leaveOut marks the barren variables of a slice, children before parents.
func (c *chains) leaveOut(t int) {
	of := c.of[min(t, 1)]
	order := of.Topological()
	for i := len(order) - 1; i >= 0; i-- {
		v := order[i]
		if int(v) >= len(c.m.Vars) {
			continue
		}
		x := &c.at[t][v]
		x.barren = x.seen == Missing && c.founds[t].Soft[v] == nil && !c.links[v]
		for _, f := range of.Factors {
			if slices.Contains(f.Parents(), v) && !c.at[t][f.ChildVar()].barren {
				x.barren = false
			}
		}
	}
}

// factors returns the CPDs of a slice of which chains are updated.
func (c *chains) factors(t int) (list []*model.Factor) {
	for _, f := range c.of[min(t, 1)].Factors {
		if !c.at[t][f.ChildVar()].barren {
			list = append(list, f)
		}
	}
	return list
}

// complete sets the distributions of barren variables.
func (c *chains) complete() {
	for t := range c.at {
		of := c.of[min(t, 1)]
		for _, v := range of.Topological() {
			if int(v) >= len(c.m.Vars) || !c.at[t][v].barren {
				continue
			}
			a, q := newAveraging(c, t, of.CPD(v)), c.at[t][v].q
			clear(q)
			for ok := true; ok; ok = a.next() {
				q[a.state[v]] += float64(a.weight(v) * of.Value(of.CPD(v), a.state))
			}
		}
	}
}

// separate makes the distributions of a start sum to 1, and those of pairs products.
func (c *chains) separate() {
	for t := range c.at {
		for v := range c.at[t] {
			x := &c.at[t][v]
			pgmrt.Normalize(x.q)
			if x.pair != nil {
				for i := range x.pair {
					x.pair[i] = c.at[t-1][v].q[i/len(x.q)] * x.q[i%len(x.q)]
				}
			}
		}
	}
}

// scatter multiplies the start by numbers drawn at random.
func (c *chains) scatter(r *pgmrt.Rand) {
	for t := range c.at {
		for v := range c.at[t] {
			for s := range c.at[t][v].q {
				c.at[t][v].q[s] *= .1 + r.Float64()
			}
		}
	}
	c.separate()
}

// check refuses CPDs with too many joint states.
func (c *chains) check() error {
	for t := range c.at {
		of := c.of[min(t, 1)]
		for _, f := range of.Factors {
			n := 1.0
			for _, v := range f.Scope {
				if node, _ := c.node(t, v); node.seen == Missing {
					n *= float64(len(node.q))
				}
			}
			if n > mostAverage {
				return &SliceError{t, fmt.Errorf("the %s has %.3g joint states of variables that are not observed; mean field averages over at most %d", of.FactorName(f), n, mostAverage)}
			}
		}
	}
	return nil
}

// node returns the node of a variable in the scope of a CPD of slice t, and its variable.
func (c *chains) node(t int, v model.VarID) (*chainNode, model.VarID) {
	if n := len(c.m.Vars); int(v) >= n {
		before := c.m.Transition.Before[int(v)-n]
		return &c.at[t-1][before], before
	}
	return &c.at[t][v], v
}

// sweep updates the chain of each variable, and returns the bound.
func (c *chains) sweep() (bound float64) {
	for _, v := range c.m.Vars {
		for t := range c.at {
			x := &c.at[t][v.ID]
			for s := range x.own {
				if x.own[s] = 0; c.founds[t].Soft[v.ID] != nil {
					x.own[s] = max(pgmrt.Ln(c.founds[t].Soft[v.ID][s]), lowLog)
				}
			}
			clear(x.link)
		}
		for t := range c.at {
			for _, f := range c.factors(t) {
				c.average(t, f, v.ID)
			}
		}
		c.update(v.ID)
	}
	for t := range c.at {
		for _, f := range c.factors(t) {
			bound += c.average(t, f, -1)
		}
		for v, soft := range c.founds[t].Soft {
			for s := range soft {
				if q := c.at[t][v].q[s]; q > 0 {
					bound += float64(q * max(pgmrt.Ln(soft[s]), lowLog))
				}
			}
		}
	}
	for _, h := range c.entropy {
		bound += h
	}
	return bound
}

// average adds the averages of the logarithm of a CPD of slice t to what the states of v have so
// far: under the distributions of the other variables. It returns the average under those of all
// variables if v is negative.
func (c *chains) average(t int, f *model.Factor, v model.VarID) (all float64) {
	a := newAveraging(c, t, f)
	if a.now, a.before = a.places(v); v >= 0 && a.now < 0 && a.before < 0 {
		return 0
	}
	of := c.of[min(t, 1)]
	for ok := true; ok; ok = a.next() {
		w := a.weight(v)
		if w == 0 {
			continue
		}
		x := float64(w * max(of.LogFactor(f, a.state, nil), lowLog))
		switch {
		case v < 0:
			all += x
		case a.now >= 0 && a.before >= 0:
			node := a.nodes[a.now]
			node.link[a.state[f.Scope[a.before]]*len(node.q)+a.state[f.Scope[a.now]]] += x
		default:
			at := max(a.now, a.before)
			a.nodes[at].own[a.state[f.Scope[at]]] += x
		}
	}
	return all
}
