package switching

import (
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// This file plans the numbers that leave a slice by its stream.

// leave plans the belief about the variables of to that leaves by the stream.
func (b *builder) leave(s *slice, to interfaceVars) {
	moments := s.moments.Of(to.real)
	var scope []model.VarID
	if b.rule.Each {
		scope = to.discrete
	}
	states := s.weights
	switch {
	case s.weights == ir.NoTable:
	case b.rule.Each:
		states, moments = b.merge(moments, s.weights, s.over, scope)
	default:
		moments = b.Mixture(moments, s.weights, nil)
	}
	if len(to.discrete) > 0 {
		b.leaveStates(s, states, to.discrete)
	}
	b.leaveMoments(s, moments, scope)
}

// leaveApart plans the beliefs of all histories that go on: the probability and the moments of each
// joint state of the variables of s.over.
func (b *builder) leaveApart(s *slice) {
	if s.weights != ir.NoTable {
		b.leaveStates(s, s.weights, s.over)
	} else {
		one := b.Add(ir.Table{Name: "one history, " + s.name, Role: ir.RoleOut, Var: -1})
		c := gauss.NewCode()
		c.Write(ir.MapPart{Table: one}, circuit.One)
		b.Do(c)
		s.e.Stream.Out = append(s.e.Stream.Out, one)
	}
	b.leaveMoments(s, s.moments.Of(b.after.real), s.over)
}

// leaveStates adds the marginal of a distribution to the stream.
func (b *builder) leaveStates(s *slice, states ir.TableID, scope []model.VarID) {
	out := b.Add(ir.Table{Name: "states after, " + s.name, Scope: scope, Role: ir.RoleOut, Var: -1})
	c := gauss.NewCode()
	c.Write(ir.MapPart{Table: out}, c.Read(gauss.Part(states, 0)))
	b.Do(c)
	s.e.Stream.Out = append(s.e.Stream.Out, out)
}

// leaveMoments adds moments to the stream.
func (b *builder) leaveMoments(s *slice, moments gauss.Stored, scope []model.VarID) {
	n := len(moments.Scope)
	if n == 0 {
		return
	}
	out := b.Add(ir.Table{Name: "moments after, " + s.name, Scope: scope, Role: ir.RoleOut, Var: -1, Parts: numbers(n)})
	c := gauss.NewCode()
	to := stored(out, moments.Scope)
	for i := range n {
		c.Write(to.Mean[i].MapPart, c.Read(moments.Mean[i]))
		for j := range i + 1 {
			c.Write(to.Cov[i][j].MapPart, c.Read(moments.Cov[i][j]))
		}
	}
	b.Do(c)
	s.e.Stream.Out = append(s.e.Stream.Out, out)
}
