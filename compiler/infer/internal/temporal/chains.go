package temporal

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// lowLog stands for the logarithm of 0, so that no average is infinite: that of 2^-1022.
const lowLog = -1022 * math.Ln2

// Chains is the state of structured mean field: a distribution of each variable of each slice, and
// of those that persist also with the slice before.
type Chains struct {
	m       *model.Model
	of      [2]*model.Model // slice 0, and a later one
	founds  []Slice
	at      [][]chainNode // by slice and variable
	links   []bool        // by variable: it persists
	entropy []float64     // by variable: of its chain
}

// chainNode is a variable of a slice.
type chainNode struct {
	seen int       // the observed state, or Unknown
	q    []float64 // its distribution
	// A barren variable is not observed and has no effect on evidence or on other slices. It is
	// left out, and its distribution follows from those of its parents.
	barren bool
	pair   []float64 // with the slice before, whose state is the slower index; nil in slice 0 and for variables that do not persist

	// What an update adds up: averages of logarithms.
	own, link []float64
}

// mostAverage is the most joint states of the hidden variables of one CPD.
const mostAverage = 1 << 22

// NewChains returns the state before slice 0.
func NewChains(m *model.Model) *Chains {
	c := &Chains{m: m, of: [2]*model.Model{m, m.Step()}, links: make([]bool, len(m.Vars)), entropy: make([]float64, len(m.Vars))}
	for _, v := range m.Transition.Before {
		c.links[v] = true
	}
	return c
}

// Add adds a slice with its evidence.
func (c *Chains) Add(found Slice) error {
	m := c.m
	nodes := make([]chainNode, len(m.Vars))
	for v := range nodes {
		x, k := &nodes[v], m.Card(model.VarID(v))
		if x.seen = found.State[v]; x.seen == Unknown && m.Vars[v].Given {
			return fmt.Errorf("variable %q is given and not observed; want a value", m.Vars[v].Name)
		}
		x.q, x.own = make([]float64, k), make([]float64, k)
		for s := range x.q {
			if x.q[s] = 1; found.Soft[v] != nil {
				x.q[s] = found.Soft[v][s]
			}
			if x.seen != Unknown && x.seen != s {
				x.q[s] = 0
			}
		}
		if c.links[v] && len(c.at) > 0 {
			x.link, x.pair = make([]float64, k*k), make([]float64, k*k)
		}
	}
	c.founds, c.at = append(c.founds, found), append(c.at, nodes)
	return nil
}

// Begin makes the distributions to start from, once all slices are added. An error is about the
// slice that it returns: a CPD has too many joint states.
func (c *Chains) Begin() (slice int, err error) {
	for t := range c.at {
		c.leaveOut(t)
	}
	c.separate()
	return c.check()
}

// Marginal returns the distribution of a variable of a slice.
func (c *Chains) Marginal(t int, v model.VarID) []float64 { return c.at[t][v].q }

// leaveOut marks the barren variables of a slice, children before parents.
func (c *Chains) leaveOut(t int) {
	of := c.of[min(t, 1)]
	order := of.Topological()
	for i := len(order) - 1; i >= 0; i-- {
		v := order[i]
		if int(v) >= len(c.m.Vars) {
			continue
		}
		x := &c.at[t][v]
		x.barren = x.seen == Unknown && c.founds[t].Soft[v] == nil && !c.links[v]
		for _, f := range of.Factors {
			if slices.Contains(f.Parents(), v) && !c.at[t][f.ChildVar()].barren {
				x.barren = false
			}
		}
	}
}

// factors returns the CPDs of a slice of which chains are updated.
func (c *Chains) factors(t int) (list []*model.Factor) {
	for _, f := range c.of[min(t, 1)].Factors {
		if !c.at[t][f.ChildVar()].barren {
			list = append(list, f)
		}
	}
	return list
}

// Complete sets the distributions of barren variables.
func (c *Chains) Complete() {
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
func (c *Chains) separate() {
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

// Scatter multiplies the start by numbers drawn at random.
func (c *Chains) Scatter(r *pgmrt.Rand) {
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
func (c *Chains) check() (slice int, err error) {
	for t := range c.at {
		of := c.of[min(t, 1)]
		for _, f := range of.Factors {
			n := 1.0
			for _, v := range f.Scope {
				if node, _ := c.node(t, v); node.seen == Unknown {
					n *= float64(len(node.q))
				}
			}
			if n > mostAverage {
				return t, fmt.Errorf("the %s has %.3g joint states of variables that are not observed; mean field averages over at most %d", of.FactorName(f), n, mostAverage)
			}
		}
	}
	return 0, nil
}

// node returns the node of a variable in the scope of a CPD of slice t, and its variable.
func (c *Chains) node(t int, v model.VarID) (*chainNode, model.VarID) {
	if n := len(c.m.Vars); int(v) >= n {
		before := c.m.Transition.Before[int(v)-n]
		return &c.at[t-1][before], before
	}
	return &c.at[t][v], v
}

// Sweep updates the chain of each variable, and returns the bound.
func (c *Chains) Sweep() (bound float64) {
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
func (c *Chains) average(t int, f *model.Factor, v model.VarID) (all float64) {
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
