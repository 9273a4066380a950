package decide

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// merge gives what later decisions observe fewer states. The stages are those of the elimination.
//
// An observation is a variable without evidence that occurs in no potential but its CPD. For given
// states of the parents that are eliminated after it, some of its states have probability 0, as the
// result of a test that is not done, and some have probabilities in the same ratio for all states
// of the other parents, so that they say the same about these. One state can stand for all of the
// latter, with the sum of their probabilities: the variable needs as many states as differ at once.
func (n *network) merge(stages [][]model.VarID, known model.VarID) {
	m := *n.m
	m.Vars = slices.Clone(m.Vars)
	n.m = &m
	after := []model.VarID{known}
	for i, vars := range stages {
		after = append(after, n.open[i].Var)
		for _, v := range vars {
			if len(n.chances.by[v]) == 1 && len(n.utilities.by[v]) == 0 {
				n.mergeStates(v, after)
			}
		}
		after = append(after, vars...)
	}
}

// mostMerged is the most states that are compared with each other.
const mostMerged = 256

// mergeStates merges states of v, which occurs in one potential. The variables of after are
// eliminated later.
func (n *network) mergeStates(v model.VarID, after []model.VarID) {
	if n.m.Decides(v) != nil || n.m.Card(v) > mostMerged {
		return
	}
	cpd, most := n.chances.by[v][0], 1
	var given, rest []model.VarID
	for _, p := range cpd.scope {
		switch {
		case p == v:
		case slices.Contains(after, p):
			given = append(given, p)
		default:
			rest = append(rest, p)
		}
	}
	var rows [][][]float64 // by joint state of given: the probabilities of merged states by joint state of rest
	for more := true; more; more = n.m.Next(given, n.state) {
		merged := n.merged(cpd, v, rest)
		rows, most = append(rows, merged), max(most, len(merged))
	}
	if most == n.m.Card(v) {
		return
	}
	x := *n.m.Vars[v]
	x.Domain = model.Discrete{States: n.m.States(v)[:most]}
	n.m.Vars[v] = &x
	var values []float64
	size, _ := n.m.TableSize(rest)
	for _, merged := range rows {
		for r := range size {
			for k := range most {
				if k < len(merged) {
					values = append(values, merged[k][r])
				} else {
					values = append(values, 0)
				}
			}
		}
	}
	n.chances.remove(v)
	n.chances.add(newPotential(n.m, slices.Concat(given, rest, []model.VarID{v}), values))
}

// merged returns the probabilities of the states of v by joint state of rest, with those in one
// ratio added.
func (n *network) merged(cpd *potential, v model.VarID, rest []model.VarID) (list [][]float64) {
	for n.state[v] = range n.m.Card(v) {
		var p []float64
		for more := true; more; more = n.m.Next(rest, n.state) {
			p = append(p, cpd.at(n.state))
		}
		if i := slices.IndexFunc(list, func(q []float64) bool { return proportional(p, q) }); i >= 0 {
			for r := range p {
				list[i][r] += p[r]
			}
		} else if slices.Max(p) > 0 {
			list = append(list, p)
		}
	}
	n.state[v] = 0
	return list
}

// proportional reports whether p is a multiple of q.
func proportional(p, q []float64) bool {
	at := slices.IndexFunc(q, func(x float64) bool { return x > 0 })
	ratio := p[at] / q[at]
	for i := range p {
		if p[i] != q[i]*ratio {
			return false
		}
	}
	return true
}
