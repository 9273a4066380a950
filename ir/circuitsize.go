package ir

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/circuit"
)

// EntrySizes returns, for each entry, the size of the part of c that computes its root and its
// answers. For single posteriors this takes as long as their own ways down from the root.
func (c *Circuit) EntrySizes() []CircuitSize {
	sizes := make([]CircuitSize, len(c.Entries))
	var root *rootPart
	for i := range c.Entries {
		e := &c.Entries[i]
		if len(e.Outs) != 1 {
			one := *c
			one.Entries = c.Entries[i : i+1]
			sizes[i] = one.Size()
			continue
		}
		if root == nil || root.of != e.Root {
			root = newRootPart(c, e.Root)
		}
		sizes[i] = root.with(e.Outs[0].Nodes)
	}
	return sizes
}

// rootPart is the part of a circuit that computes a root.
type rootPart struct {
	c        *Circuit
	of       circuit.Node
	size     CircuitSize
	uses     []int32 // by node of the part: its uses within the part
	absorbed []bool  // by node: it is an operand of a chain of one operation
	groups   []bool  // by group of rescaled values: the part computes it
	more     []int32 // by node: uses by other nodes; all 0 between calls of with
}

func newRootPart(c *Circuit, root circuit.Node) *rootPart {
	p := &rootPart{c: c, of: root, uses: c.Nodes.Uses(c.closure([]circuit.Node{root})), groups: make([]bool, len(c.Scaled)), more: make([]int32, c.Nodes.Len())}
	p.size, p.absorbed = c.sizeBy(p.uses)
	for i, n := range p.uses {
		if g := c.Group(circuit.Node(i)); n > 0 && g >= 0 {
			p.groups[g] = true
		}
	}
	return p
}

// Group returns the group that node n is a rescaled value of, or -1.
func (c *Circuit) Group(n circuit.Node) int {
	if c.Nodes.Op(n) == circuit.Input {
		if l := c.Leaves[c.Nodes.Leaf(n)]; l.Kind == LeafScaled {
			return l.Table
		}
	}
	return -1
}

// with returns the size of p together with the nodes that compute others.
func (p *rootPart) with(others []circuit.Node) CircuitSize {
	own, shared, groups := p.reach(others)
	s := p.size
	if len(own) > 0 {
		p.add(&s, slices.Max(own))
	}
	for _, n := range shared {
		if p.more[n] = 0; p.absorbed[n] {
			s.Nodes++
			s.Edges++
		}
	}
	for _, n := range own {
		p.more[n], p.absorbed[n] = 0, false
	}
	for _, g := range groups {
		p.groups[g] = false
	}
	return s
}

// reach counts the uses that others and the nodes they need add, in p.more. It returns the nodes
// beyond p, the nodes of p that these use, and the groups beyond p's, now noted in p.groups.
func (p *rootPart) reach(others []circuit.Node) (own, shared []circuit.Node, groups []int) {
	c := p.c.Nodes
	use := func(nodes ...circuit.Node) {
		for _, n := range nodes {
			switch p.more[n]++; {
			case p.more[n] > 1:
			case p.uses[n] > 0:
				shared = append(shared, n)
			default:
				own = append(own, n)
			}
		}
	}
	use(others...)
	for i := 0; i < len(own); i++ {
		if c.Op(own[i]) >= circuit.Sum {
			use(c.Args(own[i]))
		} else if g := p.c.Group(own[i]); g >= 0 && !p.groups[g] {
			p.groups[g] = true
			groups = append(groups, g)
			use(p.c.Scaled[g].Nodes...)
		}
	}
	return own, shared, groups
}

// add adds the nodes beyond p that reach has found to s. The last of them is last.
func (p *rootPart) add(s *CircuitSize, last circuit.Node) {
	c := p.c.Nodes
	for n := last; n >= 0; n-- { // faster than sorting them
		if p.more[n] == 0 || p.uses[n] > 0 {
			continue
		}
		if c.Op(n) < circuit.Sum {
			s.Nodes++
			continue
		}
		s.Ops++
		s.Edges++
		if !p.absorbed[n] {
			s.Nodes++
			s.Edges++
		}
		a, b := c.Args(n)
		for _, x := range [2]circuit.Node{a, b} {
			if p.uses[x] == 0 {
				p.absorbed[x] = p.more[x] == 1 && c.Op(x) == c.Op(n)
			}
		}
	}
}
