package growing

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/circuit"
)

// Split replaces parameters by new ones that depend on whether a variable has a state. With P
// parameters so far and n to be replaced, the i-th becomes P+i if the variable has the state, and
// P+n+i if not.
type Split struct {
	Params     []int32
	Var, State int
	Keep       bool // the old parameters stay, as factors in addition to the new ones
}

// Results of conditioning that are not nodes.
const (
	zero = -1 - int32(iota)
	one
)

// draft is a node that a split would add.
type draft struct {
	op         circuit.Op
	a          int32 // number of a parameter
	start, end int   // range of its operands in the arena
}

// join is a product that a split rewrites.
type join struct {
	node  int32
	d, v  int32 // its operands with the parameters and with the variable
	pair  int   // index of the pair; -1 if v is the indicator of a state
	state int   // the state of that indicator
}

// pair is a pair of operands that becomes a sum over the variable.
type pair struct {
	d, v  int32
	terms []int32
	sum   int32
}

// memo records the result of a node in a pass.
type memo struct{ pass, node int32 }

// Planner measures the cost of splits of a circuit and makes them. One goroutine may use it at a
// time; several may measure, each with a planner of its own.
type Planner struct {
	c     *Circuit
	split Split
	base  int32 // number of the circuit's nodes; drafts are numbered from here
	limit int

	pass   int32
	plan   int32   // pass in which the plan began
	marks  []int32 // by node: the last plan in which its scope has the parameters
	joined []int32 // by node: the last plan in which it is a join
	yes    []memo
	no     []memo
	cond   []memo
	counts []memo // by node: its number of uses after the split

	joins   []join
	pairs   []pair
	pairOf  map[[2]int32]int
	drafts  []draft
	arena   []int32
	scratch []int32
	stack   []int32

	delta  int // edges added so far, less those removed
	failed bool
}

// Planner returns a planner of the circuit.
func (c *Circuit) Planner() *Planner { return &Planner{c: c, pairOf: map[[2]int32]int{}} }

// Cost returns how many edges a split would add. If that exceeds limit, it stops early: exact is
// false, and edges is above limit and a lower bound of the cost.
func (p *Planner) Cost(s Split, limit int) (edges int, exact bool) {
	p.measure(s, limit)
	return p.delta, !p.failed
}

// measure drafts a split and counts its edges.
func (p *Planner) measure(s Split, limit int) {
	p.reset(s, limit)
	p.climb()
	for i := range p.joins {
		j := &p.joins[i]
		p.drop(j.d)
		if j.pair >= 0 {
			p.drop(j.v)
			p.delta -= 1
			if len(p.c.nodes[j.node].args) == 2 { // the product becomes the sum
				p.delta += len(p.c.inds[s.Var]) - 1
			}
		}
	}
	for state := range p.c.cards[s.Var] {
		p.pass++
		for i := range p.pairs {
			if p.failed {
				return
			}
			p.term(&p.pairs[i], state)
		}
	}
	for i := range p.joins {
		if j := &p.joins[i]; j.pair < 0 {
			p.copy(j.d, j.state == s.State)
		} else if x := &p.pairs[j.pair]; x.sum == zero && len(p.c.nodes[j.node].args) > 2 {
			x.sum = p.draft(sum, x.terms)
		}
	}
	p.failed = p.failed || p.delta > p.limit
}

// reset prepares the planner for another split.
func (p *Planner) reset(s Split, limit int) {
	if n := len(p.c.nodes); n > len(p.marks) {
		n += n / 4
		p.marks, p.joined = make([]int32, n), make([]int32, n)
		p.yes, p.no, p.cond, p.counts = make([]memo, n), make([]memo, n), make([]memo, n), make([]memo, n)
		p.pass = 0
	}
	if p.pass > math.MaxInt32-1<<16 {
		clear(p.marks)
		clear(p.joined)
		clear(p.yes)
		clear(p.no)
		clear(p.cond)
		clear(p.counts)
		p.pass = 0
	}
	p.pass++
	p.plan = p.pass
	p.split, p.limit, p.base = s, limit, int32(len(p.c.nodes))
	p.joins, p.drafts, p.arena, p.scratch = p.joins[:0], p.drafts[:0], p.arena[:0], p.scratch[:0]
	p.pairs = p.pairs[:0]
	clear(p.pairOf)
	p.delta, p.failed = 0, false
}

// climb finds the first mutual ancestors and marks all nodes below them that have the parameters.
func (p *Planner) climb() {
	p.stack = p.stack[:0]
	for _, x := range p.split.Params {
		if n := p.c.params[x]; n >= 0 {
			p.marks[n] = p.plan
			p.stack = append(p.stack, n)
		}
	}
	for len(p.stack) > 0 {
		n := p.stack[len(p.stack)-1]
		p.stack = p.stack[:len(p.stack)-1]
		for _, up := range p.c.nodes[n].above {
			switch {
			case p.c.nodes[up].dead:
			case p.c.over(up, p.split.Var):
				p.join(up, n)
			case p.marks[up] != p.plan:
				p.marks[up] = p.plan
				p.stack = append(p.stack, up)
			}
		}
	}
}

// join records a first mutual ancestor.
func (p *Planner) join(up, d int32) {
	if p.joined[up] == p.plan {
		return
	}
	p.joined[up] = p.plan
	j := join{node: up, d: d, pair: -1}
	for _, arg := range p.c.nodes[up].args {
		if p.c.over(arg, p.split.Var) {
			j.v = arg
		}
	}
	if v := &p.c.nodes[j.v]; v.op == indicator {
		j.state = int(v.b)
	} else {
		key := [2]int32{d, j.v}
		at, ok := p.pairOf[key]
		if !ok {
			at = len(p.pairs)
			p.pairOf[key] = at
			p.pairs = append(p.pairs, pair{d: d, v: j.v, sum: zero})
		}
		j.pair = at
	}
	p.joins = append(p.joins, j)
}

// count returns a pointer to a node's number of uses after the split.
func (p *Planner) count(n int32) *int32 {
	m := &p.counts[n]
	if m.pass != p.plan {
		*m = memo{p.plan, p.c.nodes[n].uses}
	}
	return &m.node
}

// drop removes a use of a node that has the parameters or the variable; a node without uses goes
// with its edges. The other nodes below it stay, because at least one of its copies uses them.
func (p *Planner) drop(n int32) {
	count := p.count(n)
	if *count--; *count > 0 {
		return
	}
	args := p.c.nodes[n].args
	p.delta -= len(args)
	for _, arg := range args {
		if p.marks[arg] == p.plan || p.c.over(arg, p.split.Var) && p.c.nodes[arg].op != indicator {
			p.drop(arg)
		}
	}
}

// draft drafts a node.
func (p *Planner) draft(op circuit.Op, args []int32) int32 {
	start := len(p.arena)
	p.arena = append(p.arena, args...)
	p.drafts = append(p.drafts, draft{op: op, start: start, end: len(p.arena)})
	p.delta += len(args)
	p.failed = p.failed || p.delta > p.limit
	return p.base + int32(len(p.drafts)) - 1
}

// Apply makes a split.
func (p *Planner) Apply(s Split) {
	c := p.c
	p.measure(s, math.MaxInt)
	for range 2 * len(s.Params) {
		c.params = append(c.params, -1)
	}
	for _, d := range p.drafts {
		id := c.add(node{op: d.op, a: d.a, args: append([]int32(nil), p.arena[d.start:d.end]...)})
		if d.op == param {
			c.params[d.a] = id
		}
	}
	for i := range p.joins {
		p.rewrite(&p.joins[i])
	}
	for i := range p.joins {
		j := &p.joins[i]
		c.release(j.d)
		if j.pair >= 0 {
			c.release(j.v)
		}
	}
}

// rewrite replaces the operands of a join. The caller releases the old ones.
func (p *Planner) rewrite(j *join) {
	c := p.c
	n := &c.nodes[j.node]
	old := n.args
	n.args = nil
	for _, arg := range old {
		if arg != j.d && (arg != j.v || j.pair < 0) {
			n.args = append(n.args, arg)
		}
	}
	kept := len(n.args)
	switch {
	case j.pair < 0:
		n.args = append(n.args, p.copy(j.d, j.state == p.split.State))
	case kept == 0:
		n.op = sum
		n.args = append(n.args, p.pairs[j.pair].terms...)
		c.unlink(j.v, j.node)
	default:
		n.args = append(n.args, p.pairs[j.pair].sum)
		c.unlink(j.v, j.node)
	}
	c.unlink(j.d, j.node)
	for _, arg := range n.args[kept:] {
		c.use(arg, j.node)
	}
	c.edges += len(n.args) - len(old)
}

// unlink removes a node from the users of another.
func (c *Circuit) unlink(n, up int32) {
	above := c.nodes[n].above
	for i, x := range above {
		if x == up {
			above[i] = above[len(above)-1]
			c.nodes[n].above = above[:len(above)-1]
			return
		}
	}
}
