package topdown

import (
	"context"
	"errors"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// errTooLarge reports that the circuit, or the memory of the search, outgrew its limit, and errWork
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
	*parts
	heuristic
	out    *nodes
	root   int32 // the node of all factors, after run
	ctx    context.Context
	limits limits
	hidden []bool  // by variable: it has no indicators
	number []int32 // by symbol: its node

	indicators []int32 // by pair: the node of its indicator; nodeZero if there is none yet

	cache      map[key]int32 // the nodes of components
	cached     []key         // its keys, the latest last
	emptied    int           // how often it was emptied
	cacheBytes int64
	levels     []int32         // places in the trail of the branches that are open
	delayed    []delayedClause // clauses to look at again above the branches below which they were learned
	checked    int64           // steps at the last look at the context

	activity []float64 // by variable: how much it took part in conflicts lately
	bump     float64   // what a conflict adds

	progress float64 // the share of the search that is done, if the states of a variable take equal shares

	branches, hits, conflicts, dropped int
}

// heuristic says how to choose the variable to branch on.
type heuristic struct {
	rank   []int32   // by variable: its place in an elimination order; the last comes first in a component
	weight []float64 // by variable: how early to branch on it, beside the number of its factors
	strict bool      // the rank decides alone
}

// The weights of the conflicts of a variable against the number of its factors, and of a conflict
// against the next one (Sang, Beame and Kautz, "Heuristics for fast exact model counting", 2005).
const (
	activityWeight = .5
	activityDecay  = .95
	maxActivity    = activityWeight / (1 - activityDecay) // if a variable takes part in every conflict
)

// checkSteps is the number of steps between looks at the context.
const checkSteps = 1 << 16

// newCompiler returns a compiler of what begin left of the factors of e. Variables that are hidden
// have no indicators.
func newCompiler(ctx context.Context, e *encoded, by heuristic, hidden []bool, limits limits) *compiler {
	c := &compiler{search: e.search, parts: newParts(e.search, by.rank), heuristic: by, out: newNodes(),
		ctx: ctx, limits: limits, hidden: hidden,
		cache: map[key]int32{}, checked: e.steps, bump: 1,
		activity: make([]float64, len(e.domain)), indicators: make([]int32, len(e.varOf))}
	c.number = e.numberNodes(c.out)
	return c
}

// run compiles all factors.
func (c *compiler) run() (err error) {
	var args []int32
	for v := range c.domain {
		if c.assigned(int32(v)) && c.isRepresentative(int32(v)) {
			args = append(args, c.indicator(int32(v)))
		}
	}
	for _, id := range c.table {
		if t := &c.list[id]; t.constant() {
			args = append(args, c.number[t.values[0]])
		}
	}
	c.root, err = c.product(args, c.components(), 1)
	return err
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

// remainder returns the node of the rest of a component: the indicators of its variables that have
// become known, the numbers of its factors that have lost their variables, and the components of
// the others.
func (c *compiler) remainder(comp component, share float64) (int32, error) {
	now := c.snapshot()
	known, constant, list := c.split(comp)
	args := make([]int32, 0, len(known)+len(constant)+len(list))
	for _, v := range known {
		args = append(args, c.indicator(v))
	}
	for _, f := range constant {
		args = append(args, c.number[c.list[c.table[f]].values[0]])
	}
	n, err := c.product(args, list, share)
	c.backtrack(now)
	return n, err
}

// product returns the product of args and of the nodes of components, the small ones first, which
// have a share of the progress in proportion to their variables. What a branch makes known is often
// the same, so that args and the components of one variable are a product of their own.
func (c *compiler) product(args []int32, list []component, share float64) (int32, error) {
	kept, emptied := len(c.cached), c.emptied
	size := 0
	for _, part := range list {
		size += part.size
	}
	if len(list) == 0 {
		c.progress += share
	}
	together := false
	for _, part := range list {
		if !together && part.size > 1 {
			args, together = []int32{c.multiply(args)}, true
		}
		n, err := c.node(part, share*float64(part.size)/float64(size))
		if err != nil {
			return nodeZero, err
		}
		if n == nodeZero {
			if len(list) > 1 && emptied == c.emptied {
				c.evict(kept)
			} else if len(list) > 1 {
				c.evict(0)
			}
			return nodeZero, nil
		}
		args = append(args, n)
	}
	return c.multiply(args), nil
}

// multiply returns the product of nodes in any order, which it sorts.
func (c *compiler) multiply(args []int32) int32 {
	slices.Sort(args)
	return c.out.product(args)
}

// indicator returns the node of the state of a variable that is known, and of those for which it
// stands.
func (c *compiler) indicator(v int32) int32 {
	state := c.sets.states(c.domain[v])[0]
	at := &c.indicators[c.base[v]+state]
	if *at == nodeZero {
		args := []int32{c.leaf(v, state)}
		for _, x := range c.members[v] {
			args = append(args, c.leaf(x.v, x.state(state)))
		}
		*at = c.multiply(args)
	}
	return *at
}

// leaf returns the indicator of a state of a variable.
func (c *compiler) leaf(v, state int32) int32 {
	if c.hidden[v] {
		return nodeOne
	}
	return c.out.leaf(model.CircuitIndicator, v, state)
}

// node returns the node of a component.
func (c *compiler) node(of component, share float64) (int32, error) {
	if err := c.check(); err != nil {
		return nodeZero, err
	}
	if n, ok := c.cache[of.key]; ok {
		c.hits++
		c.progress += share
		return n, nil
	}
	c.branches++
	mark := len(c.trail)
	n, err := c.branch(of, c.choose(of), share)
	if c.undo(mark); err != nil {
		return nodeZero, err
	}
	c.store(of.key, n)
	return n, nil
}

// choose returns the variable of a component to branch on.
func (c *compiler) choose(of component) int32 {
	if c.strict {
		return of.head
	}
	c.steps += int64(of.size) / scanned
	most := int32(1)
	for v := of.head; v >= 0; v = c.next[v] {
		most = max(most, c.degree(v))
	}
	best, score := int32(-1), 0.0
	for v := of.head; v >= 0; v = c.next[v] {
		if s := c.weight[v] + float64(c.degree(v))/float64(most) + activityWeight*c.activity[v]/c.bump; best < 0 || s > score {
			best, score = v, s
		}
	}
	return best
}
