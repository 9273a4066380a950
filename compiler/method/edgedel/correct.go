package edgedel

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/cluster"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// general adds, after convergence, the general correction of ln P. Let Z' be the sum of the
// simplified network, and Z(e) the sum of the network with edge e restored and without its
// replacement. Then ln P is ln Z' + Σ ln Z(e)/Z', which is exact for one edge. The sums differ only
// on the paths from the ends of e to where they meet, so their operations are shared. The logarithm
// of the sum of an operation counts once for each Z(e) that it is part of, and 1-n times for Z',
// where n is the number of edges.
//
// Source: Choi and Darwiche 2008, EC-G. There Z(e)/Z' is y/z, with z the sum of the products of the
// two messages along e and y = Σ Pr'(U=u | U'=u) for the parent U and its clone U', which is equal
// at a fixed point.
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

// restored returns the scopes of the factors and the tables to multiply if edge e is restored; -1
// restores none.
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
		leaves = append(leaves, present(b.Lambda[v])...)
		for _, i := range edges {
			if i != e {
				leaves = append(leaves, b.lambda[i])
			}
		}
	}
	return scopes, leaves
}

// sharing collects the operations of several upward passes, equal ones once.
type sharing struct {
	made   map[string]ir.TableID // by scope and operands
	times  map[ir.TableID]int    // how many times ln of the sum of a table counts
	weight int                   // of the current pass
	list   []sharedTable
}

// sharedTable is a table of sharing, in the order of computation.
type sharedTable struct {
	table   ir.TableID
	op      ir.Op // the operation that computes it; nil for a number that exists already
	counted bool  // ln of its sum counts, and it is normalized
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

// number counts a table without variables that no operation computes.
func (s *sharing) number(t ir.TableID) {
	if _, ok := s.times[t]; !ok {
		s.list = append(s.list, sharedTable{table: t})
	}
	s.times[t] += s.weight
}
