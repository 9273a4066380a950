package jointree

import (
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// signature plans the posterior of one target given states of q.Evidence on a separate tree. The
// tree has no likelihoods, fixes the observed variables at their states, and eliminates the target
// last, so that the upward pass suffices.
func (b *builder) signature(q *ir.Query) error {
	target := q.Targets[0]
	vars := b.eliminated(q)
	group := make([]int, len(b.p.Model.Vars))
	group[target] = 1
	f, err := b.forest(b.relevant(q), vars, group)
	if err != nil {
		return err
	}
	if i := f.tree.Rank[target]; !b.mentioned(q, target) {
		f.leaves[i] = []ir.TableID{b.ones(target)}
	}
	b.number++
	name := "signature" + strconv.Itoa(b.number)
	ans := &answer{name: "P(" + b.p.Model.Vars[target].Name + ", evidence)", from: f.tree.Rank[target], scope: q.Targets, of: target}
	u := b.up(name, f, nil, ans)
	block := &b.s.Blocks[b.block[name]]
	block.Fixed = q.Evidence
	block.Ops = append(block.Ops, &ir.NormalizeOp{Table: ans.table})
	b.s.Entries = append(b.s.Entries, ir.ScheduleEntry{Query: q, Blocks: []int{b.block[name]}, Root: u.root, Outs: []ir.TableID{ans.table}})
	return nil
}

// relevant returns the factors that matter to q; see ir.Query.
func (b *builder) relevant(q *ir.Query) []int {
	if q.Factors != nil {
		return q.Factors
	}
	var all []int
	for i, f := range b.p.Model.Factors {
		if !q.Cuts(f) {
			all = append(all, i)
		}
	}
	return all
}

// mentioned reports whether a factor that matters to q has v in its scope.
func (b *builder) mentioned(q *ir.Query, v model.VarID) bool {
	return slices.ContainsFunc(b.relevant(q), func(n int) bool { return slices.Contains(b.p.Model.Factors[n].Scope, v) })
}

// eliminated returns the variables to eliminate for q: those of its factors and its target, without
// its evidence.
func (b *builder) eliminated(q *ir.Query) []model.VarID {
	in := make([]bool, len(b.p.Model.Vars))
	in[q.Targets[0]] = true
	for _, n := range b.relevant(q) {
		for _, v := range b.p.Model.Factors[n].Scope {
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
