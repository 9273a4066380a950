package decide

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// limid is the graph of a diagram with limited memory: decisions have what they know as parents,
// and fixed ones none. A likelihood of several states is an observed child of its variable.
type limid struct {
	s      *solver
	g      *model.Graph
	known  [][]model.VarID // by open decision: what it knows, fixed variables left out
	seen   []model.VarID   // the observed variables
	scopes [][]model.VarID // of the utilities; with a tolerance of risk, all in one: they multiply
}

func (s *solver) limid() *limid {
	n := len(s.m.Vars)
	l := &limid{s: s, g: &model.Graph{Kind: model.Bayes, Parents: make([][]model.VarID, n), Children: make([][]model.VarID, n)}}
	for _, f := range s.m.Factors {
		l.g.Parents[f.ChildVar()] = f.Parents()
	}
	for _, d := range s.open {
		l.known = append(l.known, s.varying(d.Known))
		l.g.Parents[d.Var] = l.known[len(l.known)-1]
	}
	for v := range n {
		if s.fixed[v] {
			l.seen = append(l.seen, model.VarID(v))
		} else if s.soft[v] {
			l.seen = append(l.seen, model.VarID(len(l.g.Parents)))
			l.g.Parents, l.g.Children = append(l.g.Parents, []model.VarID{model.VarID(v)}), append(l.g.Children, nil)
		}
	}
	for v, list := range l.g.Parents {
		for _, p := range list {
			l.g.Children[p] = append(l.g.Children[p], model.VarID(v))
		}
	}
	for _, u := range s.terms {
		if s.risk > 0 && len(l.scopes) > 0 {
			l.scopes[0] = slices.Concat(l.scopes[0], u.Scope)
		} else {
			l.scopes = append(l.scopes, u.Scope)
		}
	}
	return l
}

// reduce removes what decisions know without need: a variable that is independent of the utilities
// that the decision affects, given the rest of what it knows and its choice. No best strategy needs
// it (Lauritzen and Nilsson 2001, section 4).
func (l *limid) reduce() {
	for more := true; more; {
		more = false
		for i := len(l.known) - 1; i >= 0; i-- {
			d := l.s.open[i].Var
			for _, p := range slices.Clone(l.known[i]) {
				rest := slices.DeleteFunc(slices.Clone(l.known[i]), func(v model.VarID) bool { return v == p })
				if l.reach(d, []model.VarID{p}, append(slices.Clip(rest), d)) {
					continue
				}
				more = true
				l.known[i], l.g.Parents[d] = rest, rest
				l.g.Children[p] = slices.DeleteFunc(slices.Clone(l.g.Children[p]), func(v model.VarID) bool { return v == d })
			}
		}
	}
}

// reach reports whether a utility that decision d affects depends on one of vars, given others and
// the evidence.
func (l *limid) reach(d model.VarID, vars, given []model.VarID) bool {
	below := make([]bool, len(l.g.Parents))
	for list := []model.VarID{d}; len(list) > 0; {
		v := list[len(list)-1]
		list = list[:len(list)-1]
		if !below[v] {
			below[v] = true
			list = append(list, l.g.Children[v]...)
		}
	}
	in := l.g.Reached(vars, slices.Concat(given, l.seen))
	return slices.ContainsFunc(l.scopes, func(scope []model.VarID) bool {
		return slices.ContainsFunc(scope, func(v model.VarID) bool { return below[v] }) &&
			slices.ContainsFunc(scope, func(v model.VarID) bool { return in[v] })
	})
}

// exact returns an order of the open decisions in which one pass of single policy updating from
// uniform policies ends at a best strategy; ok is false if there is none. Each decision is extremal
// in its turn: the utilities that it affects are independent of the open decisions before it and
// what they know, given what it knows and its choice. Source: Lauritzen and Nilsson 2001,
// definition 5 and algorithm 1.
func (l *limid) exact() (order []int, ok bool) {
	for len(order) < len(l.known) {
		next := -1
		for i := len(l.known) - 1; i >= 0 && next < 0; i-- {
			if !slices.Contains(order, i) && l.extremal(i, order) {
				next = i
			}
		}
		if next < 0 {
			return nil, false
		}
		order = append(order, next)
	}
	return order, true
}

// extremal reports whether decision i is extremal once those of done have policies.
func (l *limid) extremal(i int, done []int) bool {
	family := append(slices.Clip(l.known[i]), l.s.open[i].Var)
	var others []model.VarID
	for j, d := range l.s.open {
		if j == i || slices.Contains(done, j) {
			continue
		}
		for _, v := range append(slices.Clip(l.known[j]), d.Var) {
			if !slices.Contains(family, v) {
				others = append(others, v)
			}
		}
	}
	return !l.reach(l.s.open[i].Var, others, family)
}
