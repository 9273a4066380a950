package ir

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Plan is the result of a method for a problem. Each query is answered by table operations or by a
// circuit.
type Plan struct {
	Schedule *Schedule // empty if no query has table operations
	Circuit  *Circuit  // circuit of sums; nil if no query uses it
	Max      *Circuit  // circuit of maxima, for most probable completions; nil if no query uses it
	Note     string    // the decisions of the method, for people; may be empty
	Priors   []Prior   // distributions that tables of Schedule are computed from
}

// Left reports how constants have left the range of float64 while a circuit or tables were made.
func (p *Plan) Left() (left circuit.Range) {
	for _, c := range []*Circuit{p.Circuit, p.Max} {
		if c != nil {
			x := c.Nodes.Left()
			left.Over, left.Under = left.Over || x.Over, left.Under || x.Under
		}
	}
	if p.Schedule == nil {
		return left
	}
	infinite := func(x float64) bool { return math.IsInf(x, 0) || math.IsNaN(x) }
	for i := range p.Schedule.Tables {
		left.Over = left.Over || slices.ContainsFunc(p.Schedule.Tables[i].Data, infinite)
	}
	for _, b := range p.Schedule.Blocks {
		for _, op := range b.Ops {
			if x, ok := op.(*MapOp); ok {
				left.Over = left.Over || slices.ContainsFunc(x.Consts, infinite)
			}
		}
	}
	return left
}

// Prior is a distribution without evidence that a plan needs. The compiler computes it by exact
// inference before it uses the numbers of the schedule's tables.
type Prior struct {
	Vars []model.VarID
	// Fill receives the joint distribution of Vars, row-major, and sets the numbers of a table. It
	// may change values.
	Fill func(values []float64)
}

// Circuit is a plan in the form of one arithmetic circuit, in which the answers of several queries
// are nodes. Nodes are computed in the order of their numbers.
type Circuit struct {
	Model   *model.Model
	Nodes   *circuit.Circuit
	Leaves  []Leaf      // by number of the input
	Params  [][]float64 // by factor: its parameters, row-major; nil if all numbers are constants
	Scaled  []Group
	Entries []CircuitEntry
}

// Leaf is the meaning of an input of a circuit.
type Leaf struct {
	Kind  LeafKind
	Var   model.VarID // variable of a likelihood
	Table int         // factor of a parameter, or group of a scaled value
	Index int         // state of the variable, element of the factor's table, or element of the group
}

// LeafKind is the kind of number of an input.
type LeafKind uint8

// The kinds of leaf.
const (
	LeafLikelihood LeafKind = iota // likelihood of a state of a variable
	LeafParam                      // parameter of the model that a caller may replace
	LeafScaled                     // value after rescaling
)

// Group is a set of nodes that are rescaled together, by the power of two that brings the largest
// into [1, 2), before other nodes use them. The value of each root must be multiplied by the powers
// that all groups divided by.
type Group struct {
	Name  string
	Nodes []circuit.Node
}

// CircuitEntry lists the nodes that hold the answers to a query.
type CircuitEntry struct {
	Query *Query
	Root  circuit.Node // the probability of the evidence, or of its best completion; a walk for states begins at this node
	Outs  []CircuitOut
}

// CircuitOut holds the posterior of a variable: one node per state, proportional to its posterior.
type CircuitOut struct {
	Var   model.VarID
	Nodes []circuit.Node
}

// CircuitSize is the size of a circuit. Ops counts binary operations. Nodes and Edges count a
// circuit with sums and products of any number of operands: a chain of one operation that nothing
// else uses is one node.
type CircuitSize struct{ Nodes, Edges, Ops int }

// RootSize returns the size of the part of c that computes the roots.
func (c *Circuit) RootSize() CircuitSize {
	var roots []circuit.Node
	for _, e := range c.Entries {
		roots = append(roots, e.Root)
	}
	return c.SizeOf(roots)
}

// Size returns the size of the part of c that computes the roots and answers.
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

// SizeOf returns the size of the part of c that computes the given roots, including the groups that
// they use.
func (c *Circuit) SizeOf(roots []circuit.Node) CircuitSize {
	s, _ := c.sizeBy(c.Nodes.Uses(c.closure(roots)))
	return s
}

// sizeBy returns the size of the nodes that have uses. It also reports, by node, which are operands
// of a chain of one operation, and no nodes of their own.
func (c *Circuit) sizeBy(uses []int32) (s CircuitSize, absorbed []bool) {
	absorbed = make([]bool, len(uses))
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
		for _, x := range [2]circuit.Node{a, b} {
			absorbed[x] = uses[x] == 1 && c.Nodes.Op(x) == c.Nodes.Op(n)
		}
	}
	return s, absorbed
}

// closure adds the nodes of the groups that roots use to roots. A rescaled value comes after the
// nodes of its group, so that one backward pass over the nodes finds all.
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
