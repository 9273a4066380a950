package ir

import (
	"fmt"
	"io"

	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Plan is what a method makes of a problem: table operations, a circuit, or some queries the one way and some the other.
type Plan struct {
	Schedule *Schedule // empty where no query has table operations
	Circuit  *Circuit  // of sums; nil where no query has it
	Max      *Circuit  // of maxima, for best completions; nil where no query has it
	Note     string    // what the method decided, for people; empty for nothing
}

// Circuit is a plan in the form of one arithmetic circuit, in which the answers of several queries are nodes. Its nodes are
// computed in the order of their numbers.
type Circuit struct {
	Model   *model.Model
	Nodes   *circuit.Circuit
	Leaves  []Leaf      // by number of an input
	Params  [][]float64 // by factor: the numbers of parameters, row-major; nil where all numbers are constants
	Scaled  []Group
	Entries []CircuitEntry
}

// Leaf is what an input of a circuit stands for.
type Leaf struct {
	Kind  LeafKind
	Var   model.VarID // of a likelihood
	Table int         // of a parameter: the factor of the model; of a scaled value: the group
	Index int         // the state, the element of the factor's table, or the element of the group
}

// LeafKind says what kind of number an input is.
type LeafKind uint8

// The kinds of leaf.
const (
	LeafLikelihood LeafKind = iota // of a state of a variable
	LeafParam                      // a number of the model that may be replaced
	LeafScaled                     // a value after rescaling
)

// Group is nodes that are rescaled together, by the power of two that brings the largest into [1, 2), before others go on with
// them; each root has to be taken times the power that all groups took off.
type Group struct {
	Name  string
	Nodes []circuit.Node
}

// CircuitEntry says where the answers to a query are.
type CircuitEntry struct {
	Query *Query
	Root  circuit.Node // the probability of the evidence, or of its best completion; there a walk for states begins
	Outs  []CircuitOut
}

// CircuitOut is the posterior of a variable: nodes in proportion to it, one a state.
type CircuitOut struct {
	Var   model.VarID
	Nodes []circuit.Node
}

// CircuitSize measures a circuit. Ops are binary operations; nodes and edges are those of a circuit whose sums and products
// have any number of operands: chains of one operation that nothing else uses are one node.
type CircuitSize struct{ Nodes, Edges, Ops int }

// RootSize measures what the roots of c need: the probability of the evidence.
func (c *Circuit) RootSize() CircuitSize {
	var roots []circuit.Node
	for _, e := range c.Entries {
		roots = append(roots, e.Root)
	}
	return c.SizeOf(roots)
}

// Size measures all of c: roots and answers.
func (c *Circuit) Size() CircuitSize {
	var roots []circuit.Node
	for _, e := range c.Entries {
		roots = append(roots, e.Root)
		for _, o := range e.Outs {
			roots = append(roots, o.Nodes...)
		}
	}
	return c.SizeOf(roots)
}

// SizeOf measures what roots need, through rescaled values too.
func (c *Circuit) SizeOf(roots []circuit.Node) CircuitSize {
	roots = c.closure(roots)
	uses := c.Nodes.Uses(roots)
	var s CircuitSize
	absorbed := make([]bool, len(uses))
	for i := len(uses) - 1; i >= 0; i-- {
		n := circuit.Node(i)
		if uses[n] == 0 {
			continue
		}
		if op := c.Nodes.Op(n); op < circuit.Sum {
			s.Nodes++
			continue
		}
		s.Ops++
		s.Edges++
		if !absorbed[n] {
			s.Nodes++
			s.Edges++
		}
		a, b := c.Nodes.Args(n)
		for _, x := range []circuit.Node{a, b} {
			absorbed[x] = uses[x] == 1 && c.Nodes.Op(x) == c.Nodes.Op(n)
		}
	}
	return s
}

// closure adds to roots the nodes of the groups that they need. A rescaled value comes after the nodes of its group, so that one way
// back over the nodes finds all.
func (c *Circuit) closure(roots []circuit.Node) []circuit.Node {
	if len(c.Scaled) == 0 {
		return roots
	}
	used, have := make([]bool, c.Nodes.Len()), make([]bool, len(c.Scaled))
	for _, r := range roots {
		used[r] = true
	}
	for n := circuit.Node(len(used) - 1); n >= 0; n-- {
		switch {
		case !used[n]:
		case c.Nodes.Op(n) >= circuit.Sum:
			a, b := c.Nodes.Args(n)
			used[a], used[b] = true, true
		case c.Nodes.Op(n) == circuit.Input:
			l := c.Leaves[c.Nodes.Leaf(n)]
			if l.Kind != LeafScaled || have[l.Table] {
				continue
			}
			have[l.Table] = true
			for _, x := range c.Scaled[l.Table].Nodes {
				used[x] = true
				roots = append(roots, x)
			}
		}
	}
	return roots
}

// Print writes the plan as text for people.
func (p *Plan) Print(w io.Writer) error {
	if err := p.Schedule.Print(w); err != nil {
		return err
	}
	for _, c := range []*Circuit{p.Circuit, p.Max} {
		if c == nil {
			continue
		}
		if err := c.print(w); err != nil {
			return err
		}
	}
	return nil
}

func (c *Circuit) print(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "circuit %q: %d nodes, %d operations\n", c.Model.Name, c.Nodes.Len(), c.Size().Ops); err != nil {
		return err
	}
	for n := range c.Nodes.Len() {
		if _, err := fmt.Fprintf(w, "\tn%d = %s\n", n, c.nodeText(circuit.Node(n))); err != nil {
			return err
		}
	}
	for _, g := range c.Scaled {
		if _, err := fmt.Fprintf(w, "rescale %s: %v\n", g.Name, g.Nodes); err != nil {
			return err
		}
	}
	for _, e := range c.Entries {
		if _, err := fmt.Fprintf(w, "entry %s %s: root n%d\n", e.Query.Kind, e.Query.Name, e.Root); err != nil {
			return err
		}
		for _, o := range e.Outs {
			if _, err := fmt.Fprintf(w, "\t%s: %v\n", c.Model.Vars[o.Var].Name, o.Nodes); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *Circuit) nodeText(n circuit.Node) string {
	switch op := c.Nodes.Op(n); op {
	case circuit.Const:
		return number(c.Nodes.Value(n))
	case circuit.Input:
		l := c.Leaves[c.Nodes.Leaf(n)]
		switch l.Kind {
		case LeafLikelihood:
			return fmt.Sprintf("λ %s=%s", c.Model.Vars[l.Var].Name, c.Model.States(l.Var)[l.Index])
		case LeafParam:
			return fmt.Sprintf("%s, number %d", c.Model.FactorName(c.Model.Factors[l.Table]), l.Index)
		default:
			return fmt.Sprintf("%s, rescaled, element %d", c.Scaled[l.Table].Name, l.Index)
		}
	default:
		a, b := c.Nodes.Args(n)
		return fmt.Sprintf("%s n%d n%d", op, a, b)
	}
}
