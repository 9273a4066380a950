package edgedel

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/cluster"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// general replaces ln P, once the loop has settled, by its general correction: with Z' the sum of
// the simplified network, and Z(e) that of the network that has edge e again and nothing of what
// stands in for it, ln P is ln Z' + Σ ln Z(e)/Z'. With one edge that is exact. What is summed
// differs only along the way from the ends of e to where they meet. So operations are shared, and
// the logarithm of what an operation sums counts once for each Z(e) that it is part of, and for Z',
// of n edges, 1-n times.
//
// Source: Choi and Darwiche 2008, EC-G. There Z(e)/Z' is y/z, with z the sum of the products of the
// two messages along e and y = Σ Pr'(U=u | U'=u) for the parent U and its clone U': at a fixed
// point that is the same.
func (b *builder) general(order []int) {
	if len(b.deleted) == 0 {
		return
	}
	s := &sharing{made: map[string]ir.TableID{}, times: map[ir.TableID]int{}}
	for e := -1; e < len(b.deleted); e++ {
		s.weight = 1
		if e < 0 {
			s.weight = 1 - len(b.deleted)
		}
		scopes, leaves := b.restored(s, e)
		p := &passes{Plan: b.Plan, tree: cluster.New(len(b.Model.Vars), scopes, order), sharing: s}
		p.run(leaves)
	}
	b.End = append(b.End, b.Copy(b.LogP, b.Number("ln 1", 0)))
	for _, x := range s.list {
		if x.op != nil {
			b.End = append(b.End, x.op)
		}
		if n := s.times[x.table]; n != 0 {
			b.End = append(b.End, b.Log(float64(n), x.table))
		}
		if x.counted && len(b.Schedule.Tables[x.table].Scope) > 0 {
			b.End = append(b.End, &ir.NormalizeOp{Table: x.table})
		}
	}
}

// restored are the scopes of factors and what is multiplied, where edge e is there again; -1 is
// none.
func (b *builder) restored(s *sharing, e int) (scopes [][]model.VarID, leaves []ir.TableID) {
	scopes = slices.Clone(b.left)
	for n, lost := range b.lost {
		in := []ir.TableID{b.table[n]}
		for _, i := range lost {
			if i == e {
				scopes[n] = append(slices.Clone(b.left[n]), b.deleted[e].Parent)
			} else {
				in = append(in, b.pi[i])
			}
		}
		if len(in) == 1 {
			leaves = append(leaves, b.table[n])
			continue
		}
		scope := slices.Clone(scopes[n])
		b.tree.Sort(scope)
		leaves = append(leaves, s.contract(b.Plan, b.Schedule.Tables[b.table[n]].Name+", simplified", scope, in, false))
	}
	for v, edges := range b.out {
		leaves = append(leaves, known(b.Lambda[v])...)
		for _, i := range edges {
			if i != e {
				leaves = append(leaves, b.lambda[i])
			}
		}
	}
	return scopes, leaves
}

// sharing makes the operations of several passes up, equal ones once.
type sharing struct {
	made   map[string]ir.TableID // by scope and operands
	times  map[ir.TableID]int    // how often the sum of a table counts
	weight int                   // of the pass at hand
	list   []sharedTable
}

// sharedTable is a table in the order in which they are made.
type sharedTable struct {
	table   ir.TableID
	op      ir.Op // that makes it; nil for a number that was there before
	counted bool  // what it sums to counts, so that it is normalised
}

func (s *sharing) contract(l *loop.Plan, name string, scope []model.VarID, in []ir.TableID, counted bool) ir.TableID {
	key := fmt.Sprint(scope, in)
	out, ok := s.made[key]
	if !ok {
		out = l.Temp(name, scope...)
		s.made[key] = out
		s.list = append(s.list, sharedTable{out, l.Sum(out, in...), counted})
	}
	if counted {
		s.times[out] += s.weight
	}
	return out
}

// number counts a table without variables that no operation makes.
func (s *sharing) number(t ir.TableID) {
	if _, ok := s.times[t]; !ok {
		s.list = append(s.list, sharedTable{table: t})
	}
	s.times[t] += s.weight
}
