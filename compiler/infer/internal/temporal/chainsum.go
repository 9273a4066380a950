package temporal

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// averaging goes over the joint states of the variables of a CPD in a slice that evidence allows.
type averaging struct {
	scope       []model.VarID
	nodes       []*chainNode  // by place in the scope
	vars        []model.VarID // by place: the variable of the node
	partner     []int         // by place of a variable of the slice: that of the same one in the slice before, or -1
	paired      []bool        // by place: it has a partner, or is one
	state       []int         // by variable of the slice's network
	now, before int           // places of the variable that is updated, in the slice and in the one before; -1 for none
}

func newAveraging(c *Chains, t int, f *model.Factor) *averaging {
	a := &averaging{scope: f.Scope, state: make([]int, len(c.of[min(t, 1)].Vars))}
	for _, v := range f.Scope {
		node, of := c.node(t, v)
		a.nodes, a.vars = append(a.nodes, node), append(a.vars, of)
		a.state[v] = max(node.seen, 0)
	}
	a.paired = make([]bool, len(f.Scope))
	for i, v := range f.Scope {
		a.partner = append(a.partner, -1)
		for k, w := range f.Scope {
			if int(v) < len(c.m.Vars) && int(w) >= len(c.m.Vars) && a.vars[k] == a.vars[i] {
				a.partner[i], a.paired[i], a.paired[k] = k, true, true
			}
		}
	}
	return a
}

// places returns the places of v in the scope.
func (a *averaging) places(v model.VarID) (now, before int) {
	now, before = -1, -1
	for i, w := range a.scope {
		switch {
		case a.vars[i] != v:
		case w == v:
			now = i
		default:
			before = i
		}
	}
	return now, before
}

// weight returns the probability of the states of all variables but v, under their distributions.
func (a *averaging) weight(v model.VarID) float64 {
	w := 1.0
	for i, of := range a.vars {
		if k := a.partner[i]; of != v && k >= 0 {
			w *= a.nodes[i].pair[a.state[a.scope[k]]*len(a.nodes[i].q)+a.state[a.scope[i]]]
		}
	}
	for i, of := range a.vars {
		if of != v && !a.paired[i] {
			w *= a.nodes[i].q[a.state[a.scope[i]]]
		}
	}
	return w
}

// next goes to the next joint state; it returns false after the last one.
func (a *averaging) next() bool {
	for i := len(a.scope) - 1; i >= 0; i-- {
		if a.nodes[i].seen != Unknown {
			continue
		}
		v := a.scope[i]
		if a.state[v]++; a.state[v] < len(a.nodes[i].q) {
			return true
		}
		a.state[v] = 0
	}
	return false
}

// update sets the distributions of a chain by what was averaged, going forwards and backwards in
// logarithms.
func (c *Chains) update(v model.VarID) {
	if len(c.at) == 0 {
		return
	}
	forth, back := c.messages(v)
	total := logSum(forth[len(forth)-1])
	c.entropy[v] = total
	for t := range c.at {
		x := &c.at[t][v]
		k := len(x.q)
		if x.barren {
			c.entropy[v] -= pgmrt.Ln(float64(k))
		}
		for s := range x.q {
			if x.q[s] = math.Exp(forth[t][s] + back[t][s] - total); x.q[s] > 0 {
				c.entropy[v] -= float64(x.q[s] * x.own[s])
			}
		}
		for i := range x.pair {
			a, b := i/k, i%k
			if x.pair[i] = 0; x.allows(b) {
				x.pair[i] = math.Exp(forth[t-1][a] + x.link[i] + x.own[b] + back[t][b] - total)
			}
			c.entropy[v] -= float64(x.pair[i] * x.link[i])
		}
	}
}

// messages returns, by slice and state of v, the logarithm of the sum over all earlier states of
// what was averaged up to the slice, and over all later states of what was averaged after it.
func (c *Chains) messages(v model.VarID) (forth, back [][]float64) {
	n, k := len(c.at), c.m.Card(v)
	terms := make([]float64, k)
	for t := range n {
		x := &c.at[t][v]
		forth = append(forth, make([]float64, k))
		for b := range k {
			for a := range k {
				if terms[a] = 0; t > 0 {
					terms[a] = forth[t-1][a] + x.linked(a, b)
				}
			}
			sum := 0.0
			if t > 0 {
				sum = logSum(terms)
			}
			if forth[t][b] = math.Inf(-1); x.allows(b) {
				forth[t][b] = sum + x.own[b]
			}
		}
	}
	back = make([][]float64, n)
	for t := n - 1; t >= 0; t-- {
		back[t] = make([]float64, k)
		for a := range k {
			if t+1 == n {
				continue
			}
			after := &c.at[t+1][v]
			for b := range k {
				if terms[b] = math.Inf(-1); after.allows(b) {
					terms[b] = after.linked(a, b) + after.own[b] + back[t+1][b]
				}
			}
			back[t][a] = logSum(terms)
		}
	}
	return forth, back
}

// allows reports whether the evidence on x allows a state.
func (x *chainNode) allows(s int) bool { return x.seen == Unknown || x.seen == s }

// linked returns what was averaged for a state of the slice before and one of this slice.
func (x *chainNode) linked(before, s int) float64 {
	if x.link == nil {
		return 0
	}
	return x.link[before*len(x.q)+s]
}

// logSum returns ln of the sum of exponentials.
func logSum(list []float64) float64 {
	top := math.Inf(-1)
	for _, x := range list {
		top = max(top, x)
	}
	if math.IsInf(top, -1) {
		return top
	}
	sum := 0.0
	for _, x := range list {
		sum += math.Exp(x - top)
	}
	return top + pgmrt.Ln(sum)
}
