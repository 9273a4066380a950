package jointree

import (
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// signature plans the posterior of one target given states of q.Evidence on a separate tree. The
// tree has no likelihoods, fixes the observed variables at their states, and eliminates the target
// last, so that the upward pass suffices. Methods that plan a part of a problem by this one may ask
// for the joint posterior of several targets, or for none.
func (b *builder) signature(q *ir.Query) error {
	vars := b.eliminated(q)
	group := make([]int, len(b.p.Model.Vars))
	for _, v := range q.Targets {
		group[v] = 1
	}
	factors := b.relevant(q)
	var together [][]model.VarID
	if len(q.Targets) > 1 {
		together = [][]model.VarID{q.Targets}
	}
	tree, err := b.tree(factors, vars, group, together...)
	if err != nil {
		return err
	}
	f := b.place(tree, factors)
	for _, v := range q.Targets {
		if !b.mentioned(q, v) {
			f.leaves[tree.Rank[v]] = []ir.TableID{b.ones(v)}
		}
	}
	b.number++
	name := "signature" + strconv.Itoa(b.number)
	e := ir.ScheduleEntry{Query: q}
	var ans *answer
	if n := len(q.Targets); n > 0 {
		ans = &answer{name: "P(" + b.set(q.Targets) + ", evidence)", from: len(f.leaves) - n, scope: q.Targets, of: -1}
		if n == 1 {
			ans.of = q.Targets[0]
			ans.name = "P(" + b.p.Model.Vars[ans.of].Name + ", evidence)"
		}
	}
	e.Root = b.up(name, f, nil, ans).root
	e.Blocks = []int{b.block[name]}
	block := &b.s.Blocks[b.block[name]]
	block.Fixed = q.Evidence
	if ans != nil {
		block.Ops = append(block.Ops, &ir.NormalizeOp{Table: ans.table})
		e.Outs = []ir.TableID{ans.table}
	}
	b.s.Entries = append(b.s.Entries, e)
	return nil
}

// relevant returns the factors over discrete variables that matter to q; see ir.Query. Fronts
// matter.
func (b *builder) relevant(q *ir.Query) (list []int) {
	m := b.p.Model
	for _, n := range b.all() {
		switch {
		case n >= len(m.Factors):
		case q.Factors != nil && !slices.Contains(q.Factors, n), q.Factors == nil && q.Cuts(m.Factors[n]):
			continue
		}
		list = append(list, n)
	}
	return list
}

// mentioned reports whether a factor that matters to q has v in its scope.
func (b *builder) mentioned(q *ir.Query, v model.VarID) bool {
	return slices.ContainsFunc(b.relevant(q), func(n int) bool { return slices.Contains(b.factorScope(n), v) })
}

// eliminated returns the variables to eliminate for q: those of its factors and its targets,
// without its evidence.
func (b *builder) eliminated(q *ir.Query) []model.VarID {
	in := make([]bool, len(b.p.Model.Vars))
	for _, v := range q.Targets {
		in[v] = true
	}
	for _, n := range b.relevant(q) {
		for _, v := range b.factorScope(n) {
			in[v] = true
		}
	}
	var vars []model.VarID
	for v := range in {
		if in[v] && !slices.Contains(q.Evidence, model.VarID(v)) {
			vars = append(vars, model.VarID(v))
		}
	}
	return vars
}
