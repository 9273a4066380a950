package switching

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// calibrate plans the posteriors of the discrete variables, and the weights of the Gaussians.
func (b *builder) calibrate(s *slice) error {
	if len(s.m.Reals()) == len(s.m.Vars) {
		b.root(s, circuit.One, gauss.NewCode())
		return nil
	}
	made, err := b.use(s, s.queries()...)
	if err != nil {
		return err
	}
	switch {
	case s.back && (s.best || s.draw): // the states are those of one history
		s.weights = s.chosen
	case s.drawsParticle():
	case len(s.over) > 0:
		s.weights = made[0].Outs[0]
	}
	last := made[len(made)-1]
	if s.e.Root = last.Root; !s.bare && !s.best && !s.draw {
		s.e.Outs = last.Outs
	}
	if s.gate != ir.NoTable {
		c := gauss.NewCode()
		b.root(s, c.Read(gauss.Part(last.Root, 0)), c)
	}
	return nil
}

// root plans the root of a slice, which is of in code c, or 0 if observed values contradict each
// other.
func (b *builder) root(s *slice, of circuit.Node, c *gauss.Code) {
	if s.gate != ir.NoTable {
		of = c.Prod(of, c.Read(gauss.Part(s.gate, 0)))
	}
	s.e.Root = b.Temp("root, "+s.name, nil)
	c.Write(ir.MapPart{Table: s.e.Root}, of)
	b.Do(c)
}

// queries returns the queries about the discrete variables of a slice.
func (s *slice) queries() (list []*ir.Query) {
	weights := &ir.Query{Name: s.name + " weights", Kind: ir.Joint, Targets: s.over, Best: s.best}
	switch {
	case s.draw:
		return append(list, &ir.Query{Name: s.name, Kind: ir.Sample})
	case s.best && (s.back || len(s.over) == 0):
		return append(list, &ir.Query{Name: s.name, Kind: ir.MPE})
	case s.best:
		return append(list, weights)
	}
	if len(s.over) > 0 {
		list = append(list, weights)
	}
	if !s.bare || list == nil {
		list = append(list, &ir.Query{Name: s.name, Kind: ir.Marginals})
	}
	return list
}

// answers plans the means and variances of the variables of the slice.
func (b *builder) answers(s *slice) {
	for _, v := range b.own(s.m) {
		if s.m.Vars[v].Latent {
			continue
		}
		one := s.moments.Of([]model.VarID{v})
		if s.weights != ir.NoTable {
			one = b.Mixture(one, s.weights, nil)
		}
		out := b.Add(ir.Table{Name: fmt.Sprintf("P(%s | evidence), %s", s.m.Vars[v].Name, s.name), Scope: []model.VarID{v}, Role: ir.RoleOut, Var: v})
		c := gauss.NewCode()
		c.Write(ir.MapPart{Table: out, Part: 0}, c.Read(one.Mean[0]))
		c.Write(ir.MapPart{Table: out, Part: 1}, c.Read(one.Cov[0][0]))
		b.Do(c)
		s.e.Outs = append(s.e.Outs, out)
	}
	slices.SortFunc(s.e.Outs, func(x, y ir.TableID) int { return int(b.S.Tables[x].Var - b.S.Tables[y].Var) })
}
