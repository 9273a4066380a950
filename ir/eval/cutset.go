package eval

import (
	"context"
	"math"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// cutset holds the sums of an entry over the joint states of its cutset. All are relative to 2^exp.
type cutset struct {
	root float64
	exp  int
	outs [][]float64
}

// sum runs the blocks of e at each joint state of its cutset that the evidence leaves possible, and
// leaves the sums as the answers. It ends early with the error of ctx.
func (m *Machine) sum(ctx context.Context, e *ir.Entry) error {
	s := &cutset{exp: math.MinInt32, outs: make([][]float64, len(e.Outs))}
	for i, out := range e.Outs {
		s.outs[i] = make([]float64, m.program.Spans[out].Len)
	}
	if err := m.slices(ctx, e, s, e.Cutset); err != nil {
		return err
	}
	m.Span(e.Root)[0] = s.root
	switch {
	case e.Exp != ir.NoSpan:
		m.Ints(e.Exp)[0] = int32(s.exp)
	case s.root > 0:
		m.Span(e.Root)[0] = math.Ldexp(s.root, s.exp)
	}
	for i, out := range e.Outs {
		for k, x := range s.outs[i] {
			m.Span(out)[k] = x / s.root
		}
	}
	return nil
}

// slices runs the blocks of e for all joint states of vars.
func (m *Machine) slices(ctx context.Context, e *ir.Entry, s *cutset, vars []model.VarID) error {
	if len(vars) == 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		m.runAll(e.Blocks)
		m.addSlice(e, s)
		return nil
	}
	v := vars[0]
	for state, l := range m.evidence[v].l {
		if l == 0 {
			continue
		}
		m.State()[v] = int32(state)
		if err := m.slices(ctx, e, s, vars[1:]); err != nil {
			return err
		}
	}
	return nil
}

// addSlice adds the answers of one run.
func (m *Machine) addSlice(e *ir.Entry, s *cutset) {
	root := m.Span(e.Root)[0]
	if root == 0 {
		return
	}
	frac, exp := math.Frexp(root)
	if e.Exp != ir.NoSpan {
		exp += int(m.Ints(e.Exp)[0])
	}
	if exp > s.exp {
		s.rescale(exp)
	}
	w := math.Ldexp(frac, exp-s.exp)
	s.root += w
	for i, out := range e.Outs {
		v := m.program.Spans[out].Var
		if at := m.cutState(e, v); at >= 0 {
			s.outs[i][at] += w
			continue
		}
		for k, p := range m.Span(out) {
			s.outs[i][k] += float64(w * p)
		}
	}
}

// cutState returns the state at which the cutset fixes v, or -1 if v is not part of it.
func (m *Machine) cutState(e *ir.Entry, v model.VarID) int32 {
	for _, c := range e.Cutset {
		if c == v {
			return m.State()[v]
		}
	}
	return -1
}

// rescale makes the sums relative to 2^exp.
func (s *cutset) rescale(exp int) {
	by := max(s.exp-exp, -math.MaxInt16)
	s.exp = exp
	s.root = math.Ldexp(s.root, by)
	for _, out := range s.outs {
		for k := range out {
			out[k] = math.Ldexp(out[k], by)
		}
	}
}
