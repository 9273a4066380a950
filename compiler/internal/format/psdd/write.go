package psdd

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/circuits"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/ir/model"
)

// write writes the circuit that m must consist of, and a side file with the vtree of its products.
func write(out *format.Sink, m *model.Model) error {
	const what = "a .psdd file"
	for _, v := range m.Vars {
		if card := m.Card(v.ID); card != 2 {
			return fmt.Errorf("%q has %d states; variables of %s have two", v.Name, card, what)
		}
	}
	lines, err := circuits.Lines(m, what)
	if err != nil {
		return err
	}
	if err := circuits.CheckLeaves(m, lines, what); err != nil {
		return err
	}
	d := &diagram{nodes: make([]node, len(lines)), vtree: vtree{leaves: make([]int, len(m.Vars)), inner: map[[2]int]int{}}}
	for i := range lines {
		if err := d.add(lines, i); err != nil {
			return fmt.Errorf("the circuit is not a PSDD: %w", err)
		}
	}
	if err := d.deterministic(); err != nil {
		return fmt.Errorf("the circuit is not a PSDD: %w", err)
	}
	numbers.LoseNames(out, m, "PSDD", "x", func(v model.VarID) int { return int(v) })
	d.vtree.number(d.nodes[len(lines)-1].vtree)
	d.write(out.Add(out.Name))
	d.vtree.write(out.Add(sideName(out.Name)))
	return nil
}

// sideName returns the name of the vtree file of a diagram's file.
func sideName(name string) string {
	name = strings.TrimSuffix(name, ".gz")
	return strings.TrimSuffix(name, ext) + ".vtree"
}

// node is a node of a diagram. Each belongs to a line; a line that is a product may be an element
// instead.
type node struct {
	kind     byte       // L, T or D
	vtree    int        // its node of the vtree
	v        int        // of L and T
	weights  [2]float64 // of L and T: the weights of the states of v
	elements []element  // of D
}

// element is an element of a decision: a weighted product of a prime and a sub.
type element struct {
	prime, sub int // indices of nodes
	weight     float64
}

// diagram is a circuit whose products have two operands each, so that a vtree determines the
// variables of either operand.
type diagram struct {
	nodes []node // by line
	vtree vtree
}

// sumTolerance bounds the distance from one of the sum of a node's weights. Some files have only
// six digits.
const sumTolerance = 1e-4

// add makes a node of line i.
func (d *diagram) add(lines []circuits.Line, i int) error {
	l, n := &lines[i], &d.nodes[i]
	switch l.Op {
	case model.CircuitIndicator:
		n.kind, n.v = 'L', l.Var
		n.weights[l.State] = 1
		n.vtree = d.vtree.leaf(l.Var)
		return nil
	case model.CircuitProduct:
		e, err := d.element(lines, i, 1)
		if err != nil {
			return err
		}
		n.kind, n.elements = 'D', []element{e}
		n.vtree, err = d.vtree.join(d.nodes[e.prime].vtree, d.nodes[e.sub].vtree)
		return err
	}
	total := 0.0
	for _, w := range l.Weights {
		total += w
	}
	if !(math.Abs(total-1) <= sumTolerance) {
		return fmt.Errorf("the weights of a sum add up to %v; want 1", total)
	}
	if d.either(lines, l, n) {
		return nil
	}
	n.kind = 'D'
	for k, a := range l.Args {
		e, err := d.element(lines, a, l.Weights[k])
		if err != nil {
			return err
		}
		place, err := d.vtree.join(d.nodes[e.prime].vtree, d.nodes[e.sub].vtree)
		if err != nil {
			return err
		}
		if k > 0 && place != n.vtree {
			return errors.New("a sum has operands that divide variables in different ways")
		}
		n.vtree = place
		n.elements = append(n.elements, e)
	}
	return nil
}

// either makes n a distribution of one variable, if l is one.
func (d *diagram) either(lines []circuits.Line, l *circuits.Line, n *node) bool {
	if len(l.Args) != 2 {
		return false
	}
	a, b := &lines[l.Args[0]], &lines[l.Args[1]]
	if a.Op != model.CircuitIndicator || b.Op != model.CircuitIndicator || a.Var != b.Var || a.State == b.State {
		return false
	}
	n.kind, n.v, n.vtree = 'T', a.Var, d.vtree.leaf(a.Var)
	n.weights[a.State], n.weights[b.State] = l.Weights[0], l.Weights[1]
	return true
}

// element returns the operands of line i, which must be a product of two.
func (d *diagram) element(lines []circuits.Line, i int, weight float64) (element, error) {
	l := &lines[i]
	if l.Op != model.CircuitProduct || len(l.Args) != 2 {
		return element{}, errors.New("it has a sum or product that is neither over products of a prime and a sub nor over the states of a variable")
	}
	return element{l.Args[0], l.Args[1], weight}, nil
}

// write writes the nodes that the root reaches, except for those that occur only as elements.
func (d *diagram) write(w *bytes.Buffer) {
	root := len(d.nodes) - 1
	needed, count := make([]bool, len(d.nodes)), 0
	needed[root] = true
	for i := root; i >= 0; i-- {
		if !needed[i] {
			continue
		}
		count++
		for _, e := range d.nodes[i].elements {
			needed[e.prime], needed[e.sub] = true, true
		}
	}
	fmt.Fprintf(w, "psdd %d\n", count)
	ids, next := make([]int, len(d.nodes)), 0
	for i := range d.nodes {
		if !needed[i] {
			continue
		}
		ids[i] = next
		next++
		n := &d.nodes[i]
		fmt.Fprintf(w, "%c %d %d", n.kind, ids[i], d.vtree.nodes[n.vtree].id)
		switch {
		case n.kind == 'D':
			fmt.Fprintf(w, " %d", len(n.elements))
			for _, e := range n.elements {
				fmt.Fprintf(w, " %d %d ", ids[e.prime], ids[e.sub])
				numbers.WriteLogOf(w, e.weight)
			}
		case n.kind == 'T':
			fmt.Fprintf(w, " %d ", n.v+1)
			writeWeights(w, n.weights)
		case n.weights[0] > 0:
			fmt.Fprintf(w, " -%d", n.v+1)
		default:
			fmt.Fprintf(w, " %d", n.v+1)
		}
		w.WriteByte('\n')
	}
}

// writeWeights writes the logarithm of the second weight if the first follows from it, and both
// otherwise.
func writeWeights(w *bytes.Buffer, weights [2]float64) {
	for _, log := range [2]float64{numbers.LogOf(weights[1]), math.Log1p(-weights[0])} {
		for _, x := range [3]float64{log, math.Nextafter(log, 0), math.Nextafter(log, math.Inf(-1))} {
			if math.Exp(x) == weights[1] && -math.Expm1(x) == weights[0] {
				numbers.WriteLog(w, x)
				return
			}
		}
	}
	numbers.WriteLogOf(w, weights[0])
	w.WriteByte(' ')
	numbers.WriteLogOf(w, weights[1])
}
