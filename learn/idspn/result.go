package idspn

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// result returns the network as one circuit.
func (s *search) result(stopped bool) (*learner.Result, error) {
	m := &model.Model{Name: "idspn", Kind: model.Markov}
	d := s.circuit(s.root)
	f := &model.Factor{Child: -1, Dist: d}
	for _, x := range s.train.Vars {
		f.Scope = append(f.Scope, m.NewVar(x.Name, x.States...).ID)
	}
	m.Factors = []*model.Factor{f}
	if list := m.Check(); list.HasErrors() {
		return nil, list.Err()
	}
	r := learner.Report{Score: "loglik", Steps: s.steps, Stopped: stopped, Families: []learner.Family{}}
	train := s.loglik(s.train, trainLogs)
	for row := range s.train.Len() {
		r.Total += s.train.Weight(row) * train
	}
	for _, x := range d.Nodes {
		if x.Op == model.CircuitNumber {
			r.Params++
		}
	}
	r.Remarks = append(r.Remarks, fmt.Sprintf("%d circuits, %d of %d extensions kept; %.6f a row of the data", len(s.root.circuits()), s.kept, s.steps, train))
	if s.valid != nil {
		r.Remarks = append(r.Remarks, fmt.Sprintf("%.6f a row of the validation data", s.loglik(s.valid, validLogs)))
	}
	return &learner.Result{Models: []*model.Model{m}, Report: r}, nil
}

// circuit returns the circuit of a node over all variables.
func (s *search) circuit(n *node) *model.Circuit {
	b := &builder{d: &model.Circuit{}}
	for v, x := range s.train.Vars {
		b.first = append(b.first, int32(len(b.d.Nodes)))
		for k := range x.States {
			b.add(model.CircuitNode{Op: model.CircuitIndicator, Axis: v, State: int32(k)})
		}
	}
	if root := b.node(n); int(root) != len(b.d.Nodes)-1 { // the last node must be the root
		b.add(model.CircuitNode{Op: model.CircuitProduct, Args: []int32{root}})
	}
	return b.d
}

// builder writes a circuit, operands first.
type builder struct {
	d     *model.Circuit
	first []int32 // by variable: the indicator of its first state
}

func (b *builder) add(x model.CircuitNode) int32 {
	b.d.Nodes = append(b.d.Nodes, x)
	return int32(len(b.d.Nodes) - 1)
}

// node writes the circuit of n; its root is the last node.
func (b *builder) node(n *node) int32 {
	if n.circuit != nil {
		return b.copied(n)
	}
	var args []int32
	for i, a := range n.args {
		at := b.node(a)
		if n.weights != nil {
			number := b.add(model.CircuitNode{Op: model.CircuitNumber, Value: n.weights[i]})
			at = b.add(model.CircuitNode{Op: model.CircuitProduct, Args: []int32{number, at}})
		}
		args = append(args, at)
	}
	op := model.CircuitProduct
	if n.weights != nil {
		op = model.CircuitSum
	}
	return b.add(model.CircuitNode{Op: op, Args: args})
}

// copied writes a copy of the circuit of n, with the indicators of the data's variables.
func (b *builder) copied(n *node) int32 {
	place := make([]int32, len(n.circuit.Nodes))
	for i, x := range n.circuit.Nodes {
		if x.Op == model.CircuitIndicator {
			place[i] = b.first[n.vars[x.Axis]] + x.State
			continue
		}
		args := x.Args
		x.Args = nil
		for _, a := range args {
			x.Args = append(x.Args, place[a])
		}
		place[i] = b.add(x)
	}
	return place[len(place)-1]
}
