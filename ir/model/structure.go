package model

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/pgmc-go/pgmc/ir/circuit"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Structure looks for nodes that prevent a single pass over d from summing out variables: a product
// of two operands over one variable, so that d is not decomposable, or a sum of operands over
// different variables, so that d is not smooth (Darwiche and Marquis, "A knowledge compilation
// map", 2002). It returns the first such node and the reason, or -1 if there is none. Nodes that
// the root does not need do not count. The operands of each node must precede it, as [Model.Check]
// verifies.
func (d *Circuit) Structure() (node int, why string) {
	s := structure{d: d, last: d.lastUses(), scopes: make([]axes, len(d.Nodes))}
	for i := range d.Nodes {
		if s.last[i] == unused {
			continue
		}
		if why := s.visit(i); why != "" {
			return i, why
		}
	}
	return -1, ""
}

// structure is the state of [Circuit.Structure].
type structure struct {
	d      *Circuit
	last   []int32
	scopes []axes // scopes of earlier nodes that a later one needs
}

// visit computes the scope of node i from its operands' scopes.
func (s *structure) visit(i int) string {
	n := &s.d.Nodes[i]
	switch n.Op {
	case CircuitIndicator:
		s.scopes[i] = axes(nil).with(n.Axis)
	case CircuitSum:
		for k, a := range n.Args {
			if k == 0 {
				s.scopes[i] = s.scopes[a]
			} else if axis, differ := s.scopes[i].difference(s.scopes[a]); differ {
				return fmt.Sprintf("is a sum of operands of which some have position %d of the scope and others not", axis)
			}
		}
	case CircuitProduct:
		for _, a := range n.Args {
			if axis, both := s.scopes[i].common(s.scopes[a]); both {
				return fmt.Sprintf("is a product of two operands with position %d of the scope", axis)
			}
			s.scopes[i] = s.scopes[i].union(s.scopes[a])
		}
	}
	for _, a := range n.Args {
		if s.last[a] == int32(i) {
			s.scopes[a] = nil
		}
	}
	return ""
}

// unused marks a node that the root does not need.
const unused = -1

// lastUses returns, for each node, the last node that has it as an operand, and for the root
// itself.
func (d *Circuit) lastUses() []int32 {
	last := make([]int32, len(d.Nodes))
	for i := range last {
		last[i] = unused
	}
	if n := len(last); n > 0 {
		last[n-1] = int32(n - 1)
	}
	for i := len(last) - 1; i >= 0; i-- {
		if last[i] == unused {
			continue
		}
		for _, a := range d.Nodes[i].Args {
			if last[a] == unused {
				last[a] = int32(i)
			}
		}
	}
	return last
}

// Needed marks the nodes that the root needs, including itself.
func (d *Circuit) Needed() []bool {
	out := make([]bool, len(d.Nodes))
	for i, last := range d.lastUses() {
		out[i] = last != unused
	}
	return out
}

// axes is a set of positions of a scope, one bit each. Sets are never changed, since nodes share
// them.
type axes []uint64

func (s axes) with(axis int) axes {
	out := make(axes, max(len(s), axis/64+1))
	copy(out, s)
	out[axis/64] |= 1 << (axis % 64)
	return out
}

func (s axes) union(t axes) axes {
	if len(s) < len(t) {
		s, t = t, s
	}
	if len(t) == 0 {
		return s
	}
	out := slices.Clone(s)
	for i, w := range t {
		out[i] |= w
	}
	return out
}

// len returns the number of positions.
func (s axes) len() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// common returns the first position that is in both sets.
func (s axes) common(t axes) (axis int, ok bool) {
	for i := range min(len(s), len(t)) {
		if w := s[i] & t[i]; w != 0 {
			return 64*i + bits.TrailingZeros64(w), true
		}
	}
	return 0, false
}

// difference returns the first position that is in only one of the sets.
func (s axes) difference(t axes) (axis int, ok bool) {
	for i := range max(len(s), len(t)) {
		w := uint64(0)
		if i < len(s) {
			w = s[i]
		}
		if i < len(t) {
			w ^= t[i]
		}
		if w != 0 {
			return 64*i + bits.TrailingZeros64(w), true
		}
	}
	return 0, false
}

// EvalLog returns the logarithm of [Circuit.Eval]. It is correct even if Eval underflows.
func (d *Circuit) EvalLog(indicator func(axis int, state int32) float64, buf []float64) float64 {
	for i := range d.Nodes {
		switch n := &d.Nodes[i]; n.Op {
		case CircuitNumber:
			buf[i] = pgmrt.Ln(n.Value)
		case CircuitIndicator:
			buf[i] = pgmrt.Ln(indicator(n.Axis, n.State))
		case CircuitSum:
			buf[i] = circuit.LogSumOf(n.Args, buf)
		case CircuitProduct:
			buf[i] = circuit.SumOf(n.Args, buf)
		}
	}
	return buf[len(d.Nodes)-1]
}
