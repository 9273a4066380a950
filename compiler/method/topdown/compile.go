package topdown

import (
	"context"
	"errors"

	"github.com/pgmc-go/pgmc/ir/model"
)

// errTooLarge reports that the circuit, or what the search keeps, outgrew its limit, and errWork
// that the search took too many steps.
var (
	errTooLarge = errors.New("topdown: too many nodes")
	errWork     = errors.New("topdown: too many steps")
)

// limits bounds a compilation.
type limits struct {
	nodes  int64 // bytes of the circuit
	tables int64 // bytes of what is left of factors
	cache  int64 // bytes of the cache, which is emptied if it is full
	steps  int64 // tables and variables that the search looks at
}

// compiler compiles factors to a circuit by search: it branches on the states of a variable, and
// compiles the components into which the rest falls, each of them once.
type compiler struct {
	*search
	out    *nodes
	ctx    context.Context
	limits limits
	hidden []bool    // by variable: it has no indicators
	weight []float64 // by variable: how early to branch on it, beside the number of its factors
	number []int32   // by symbol: its node

	cache      map[string]int32 // the nodes of components, by what is left of their factors
	cached     []string         // its keys, the latest last
	emptied    int              // how often it was emptied
	cacheBytes int64
	levels     []int32 // places in the trail of the branches that are open
	again      []late  // clauses to look at again above the branches below which they were learned
	checked    int64   // steps at the last look at the context

	parent []int32   // by variable: its parent in a tree of its component
	part   []int32   // by variable: the component of the tree with that root
	count  []int32   // by variable: the number of factors that tie it to others of its component
	active []float64 // by variable: how much it took part in conflicts lately
	bump   float64   // what a conflict adds

	branches, hits, conflicts, dropped int
}

// component is a set of variables with several states, and the factors that tie them, in increasing
// order.
type component struct{ vars, factors []int32 }

// The weights of the conflicts of a variable against the number of its factors, and of a conflict
// against the next one (Sang, Beame and Kautz, "Heuristics for fast exact model counting", 2005).
const (
	activeWeight = .2
	activeDecay  = .95
)

// checkSteps is the number of steps between looks at the context.
const checkSteps = 1 << 16

// newCompiler returns a compiler of what begin left of the factors of e.
func newCompiler(ctx context.Context, e *encoded, limits limits) *compiler {
	n := len(e.domain)
	c := &compiler{search: e.search, out: newNodes(), ctx: ctx, limits: limits, cache: map[string]int32{}, checked: e.steps, bump: 1,
		parent: make([]int32, n), part: make([]int32, n), count: make([]int32, n), active: make([]float64, n)}
	c.number = e.numberNodes(c.out)
	return c
}

// run compiles all factors.
func (c *compiler) run() (root int32, err error) {
	whole := &component{}
	for v := range c.domain {
		whole.vars = append(whole.vars, int32(v))
	}
	for f := range c.table {
		whole.factors = append(whole.factors, int32(f))
	}
	return c.rest(whole)
}

// check returns an error if a limit is exceeded or the context is done.
func (c *compiler) check() error {
	switch {
	case c.steps > c.limits.steps:
		return errWork
	case c.out.bytes() > c.limits.nodes || c.bytes() > c.limits.tables:
		return errTooLarge
	case c.steps-c.checked > checkSteps:
		c.checked = c.steps
		return c.ctx.Err()
	}
	return nil
}

// rest returns the node of what is left of a component: the indicators of its variables that have
// become known, the numbers of its factors that have lost their variables, and the components of
// the others.
func (c *compiler) rest(of *component) (int32, error) {
	var args []int32
	for _, v := range of.vars {
		if c.known(v) {
			args = append(args, c.indicator(v, c.sets.states(c.domain[v])[0]))
		}
	}
	for _, f := range of.factors {
		if t := &c.list[c.table[f]]; t.constant() {
			args = append(args, c.number[t.values[0]])
		}
	}
	parts, kept, emptied := c.split(of), len(c.cached), c.emptied
	for _, part := range parts {
		n, err := c.node(part)
		if err != nil {
			return nodeZero, err
		}
		if n == nodeZero {
			if len(parts) > 1 && emptied == c.emptied {
				c.drop(kept)
			} else if len(parts) > 1 {
				c.drop(0)
			}
			return nodeZero, nil
		}
		args = append(args, n)
	}
	return c.out.product(args), nil
}

// indicator returns the node of a state of a variable.
func (c *compiler) indicator(v, state int32) int32 {
	if c.hidden[v] {
		return nodeOne
	}
	return c.out.leaf(model.CircuitIndicator, v, state)
}

// node returns the node of a component.
func (c *compiler) node(of *component) (int32, error) {
	if err := c.check(); err != nil {
		return nodeZero, err
	}
	key := c.keyOf(of)
	if n, ok := c.cache[string(key)]; ok && len(of.factors) > 0 {
		c.hits++
		return n, nil
	}
	c.branches++
	mark := len(c.trail)
	n, err := c.branch(of, c.choose(of))
	if c.undo(mark); err != nil {
		return nodeZero, err
	}
	c.keep(key, n)
	return n, nil
}

// choose returns the variable of a component to branch on.
func (c *compiler) choose(of *component) int32 {
	for _, v := range of.vars {
		c.count[v] = 0
	}
	for _, f := range of.factors {
		scope := c.factors[f].scope
		for _, a := range c.list[c.table[f]].axes {
			c.count[scope[a]]++
		}
	}
	most := int32(1)
	for _, v := range of.vars {
		most = max(most, c.count[v])
	}
	best, score := int32(-1), 0.0
	for _, v := range of.vars {
		if s := c.weight[v] + float64(c.count[v])/float64(most) + activeWeight*c.active[v]/c.bump; best < 0 || s > score {
			best, score = v, s
		}
	}
	return best
}
