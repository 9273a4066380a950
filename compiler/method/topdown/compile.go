package topdown

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"

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
	cacheBytes int64
	checked    int64 // steps at the last look at the context

	parent []int32   // by variable: its parent in a tree of its component
	part   []int32   // by variable: the component of the tree with that root
	count  []int32   // by variable: the number of factors that tie it to others of its component
	active []float64 // by variable: how much it took part in conflicts lately
	bump   float64   // what a conflict adds

	branches, hits, conflicts int
}

// component is a set of variables with several states, and the factors that tie them, in increasing
// order.
type component struct{ vars, factors []int32 }

// cacheEntry is the memory of an entry of the cache besides its key.
const cacheEntry = 64

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
	for _, part := range c.split(of) {
		n, err := c.node(part)
		if err != nil || n == nodeZero {
			return nodeZero, err
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
	v := c.choose(of)
	var terms []int32
	for _, set := range c.sets.singles(c.domain[v]) {
		term, mark := nodeZero, len(c.trail)
		c.limit(v, set)
		var err error
		if c.propagate() {
			term, err = c.rest(of)
		} else {
			c.conflict()
		}
		c.undo(mark)
		if err != nil {
			return nodeZero, err
		}
		terms = append(terms, term)
	}
	n := c.out.sum(terms)
	c.keep(key, n)
	return n, nil
}

// conflict counts the conflict that propagation found.
func (c *compiler) conflict() {
	c.conflicts++
	for _, v := range c.factors[c.empty].scope {
		c.active[v] += c.bump
	}
	if c.bump /= activeDecay; c.bump > 1e100 {
		for v := range c.active {
			c.active[v] /= c.bump
		}
		c.bump = 1
	}
}

// keep adds a component to the cache.
func (c *compiler) keep(key []byte, n int32) {
	if c.cacheBytes > c.limits.cache {
		c.cache, c.cacheBytes = map[string]int32{}, 0
	}
	c.cache[string(key)] = n
	c.cacheBytes += int64(len(key)) + cacheEntry
}

// keyOf returns the key of a component: what is left of its factors, and the states of variables
// that have lost some.
func (c *compiler) keyOf(of *component) []byte {
	key := make([]byte, 0, 4*len(of.factors)+8)
	last := int32(0)
	for _, f := range of.factors {
		key = binary.AppendUvarint(key, uint64(f-last))
		key = binary.AppendUvarint(key, uint64(c.table[f]))
		last = f
	}
	for _, v := range of.vars {
		if c.domain[v] != c.full[v] {
			key = append(key, 0)
			key = binary.AppendUvarint(key, uint64(v))
			key = binary.AppendUvarint(key, uint64(c.domain[v]))
		}
	}
	return key
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

// split returns the components of what is left of a component, the small ones first.
func (c *compiler) split(of *component) []*component {
	c.steps += int64(len(of.vars) + len(of.factors))
	left := &component{vars: make([]int32, 0, len(of.vars)), factors: make([]int32, 0, len(of.factors))}
	for _, v := range of.vars {
		if !c.known(v) {
			c.parent[v], c.part[v] = v, -1
			left.vars = append(left.vars, v)
		}
	}
	trees := len(left.vars)
	for _, f := range of.factors {
		t := &c.list[c.table[f]]
		if t.constant() {
			continue
		}
		left.factors = append(left.factors, f)
		if trees > 1 {
			trees -= c.join(c.factors[f].scope, t.axes)
		}
	}
	switch trees {
	case 0:
		return nil
	case 1:
		return []*component{left}
	}
	parts := make([]*component, 0, trees)
	at := func(v int32) *component {
		r := c.root(v)
		if c.part[r] < 0 {
			c.part[r] = int32(len(parts))
			parts = append(parts, &component{})
		}
		return parts[c.part[r]]
	}
	for _, v := range left.vars {
		p := at(v)
		p.vars = append(p.vars, v)
	}
	for _, f := range left.factors {
		p := at(c.factors[f].scope[c.list[c.table[f]].axes[0]])
		p.factors = append(p.factors, f)
	}
	slices.SortStableFunc(parts, func(a, b *component) int { return len(a.vars) - len(b.vars) })
	return parts
}

// join makes one tree of those of the given variables and returns by how many trees there are
// fewer.
func (c *compiler) join(scope, axes []int32) (fewer int) {
	r := c.root(scope[axes[0]])
	for _, a := range axes[1:] {
		if x := c.root(scope[a]); x != r {
			c.parent[x] = r
			fewer++
		}
	}
	return fewer
}

// root returns the root of the tree of a variable.
func (c *compiler) root(v int32) int32 {
	for c.parent[v] != v {
		c.parent[v] = c.parent[c.parent[v]]
		v = c.parent[v]
	}
	return v
}
