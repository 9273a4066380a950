package decide

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// defaultMaxTable is the most entries of a table, as elsewhere in the compiler.
const defaultMaxTable = 1 << 27

// solver holds a diagram and its remaining potentials.
type solver struct {
	ctx    context.Context
	m      *model.Model
	most   int
	risk   float64           // the tolerance of risk; 0 to maximise the mean
	open   []*model.Decision // decisions that are not fixed, with ancestors before descendants
	fixed  []bool            // by variable: evidence leaves one state
	soft   []bool            // by variable: evidence leaves several
	barren []bool            // by variable: without effect on utilities, evidence and decisions
	after  [][]model.VarID   // by variable: its children, decisions among them
	kept   []model.VarID     // stay until the end
	on     []*model.Decision // by variable: the first open decision from which a path leads to it, or nil

	packaged   bool // the strategy is for a package
	likelihood [][]float64
	terms      []*model.Utility // without functions; decisions maximise their sum

	chances   pool  // of potentials whose product is a probability
	utilities pool  // of potentials whose sum is a utility
	state     []int // scratch, zero between uses

	further bool    // utilities have a variance
	lawful  bool    // and a distribution
	work    int     // the pairs of values that were added for distributions
	size    float64 // bounds the magnitude of all sums of utilities
}

func newSolver(ctx context.Context, m *model.Model, likelihood [][]float64, o Options) (*solver, error) {
	n := len(m.Vars)
	s := &solver{ctx: ctx, m: m, most: o.MaxTable, packaged: o.Packaged, risk: o.RiskTolerance, likelihood: likelihood, fixed: make([]bool, n), soft: make([]bool, n), state: make([]int, n)}
	s.chances.by, s.utilities.by = make([][]*potential, n), make([][]*potential, n)
	if s.most == 0 {
		s.most = defaultMaxTable
	}
	if err := Check(m); err != nil {
		return nil, err
	}
	if m.Transition != nil {
		return nil, errTemplate
	}
	var err error
	if s.terms, err = m.Terms(m.Diagram.Roots(), s.most); err != nil {
		return nil, err
	}
	if !(s.risk >= 0) || math.IsInf(s.risk, 1) {
		return nil, fmt.Errorf("the tolerance of risk is %v; want a positive number", s.risk)
	}
	if err := s.evidence(likelihood); err != nil {
		return nil, err
	}
	if err := s.order(); err != nil {
		return nil, err
	}
	for v, l := range likelihood {
		if d := s.on[v]; l != nil && d != nil && !s.isOpen(model.VarID(v)) {
			return nil, fmt.Errorf("evidence about %q depends on decision %q, which is open; want evidence about that, too", m.Vars[v].Name, m.Vars[d.Var].Name)
		}
	}
	s.prune(likelihood)
	return s, s.load()
}

// evidence keeps the likelihoods as potentials, and marks variables with one state left.
func (s *solver) evidence(likelihood [][]float64) error {
	for v, l := range likelihood {
		if l == nil {
			continue
		}
		positive := 0
		for _, x := range l {
			if x > 0 {
				positive++
			}
		}
		x := s.m.Vars[v]
		s.fixed[v], s.soft[v] = positive == 1, positive != 1
		if x.Given && !s.fixed[v] {
			return fmt.Errorf("evidence about the decision %q has %d states; want one", x.Name, positive)
		}
		if x.Given {
			one := make([]float64, len(l)) // the decision has no probability of its own
			one[slices.IndexFunc(l, func(x float64) bool { return x > 0 })] = 1
			l = one
		}
		s.chances.add(newPotential(s.m, []model.VarID{x.ID}, l))
	}
	return nil
}

// order finds the open decisions and sorts them.
func (s *solver) order() error {
	parents := make([][]model.VarID, len(s.m.Vars))
	for _, f := range s.m.Factors {
		parents[f.ChildVar()] = f.Parents()
	}
	for _, d := range s.m.Diagram.Decisions {
		parents[d.Var] = d.Known
	}
	s.after = make([][]model.VarID, len(s.m.Vars))
	left := make([]int, len(s.m.Vars))
	for v, list := range parents {
		left[v] = len(list)
		for _, p := range list {
			s.after[p] = append(s.after[p], model.VarID(v))
		}
		if x := s.m.Vars[v]; x.Given && s.m.Decides(x.ID) == nil && !s.fixed[v] {
			return diag.ErrorfAt(x.Pos, "variable %q is given and no decision; want evidence about it", x.Name)
		}
	}
	done := make([]bool, len(s.m.Vars))
	for range s.m.Vars {
		next := slices.IndexFunc(s.m.Vars, func(v *model.Var) bool { return !done[v.ID] && left[v.ID] == 0 })
		done[next] = true
		for _, c := range s.after[next] {
			left[c]--
		}
		if d := s.m.Decides(model.VarID(next)); d != nil && !s.fixed[next] {
			s.open = append(s.open, d)
		}
	}
	s.depend()
	return nil
}

// leads reports whether a path leads from a to another variable b.
func (s *solver) leads(a, b model.VarID) bool {
	seen := make([]bool, len(s.m.Vars))
	s.follow(a, seen)
	return seen[b]
}

// follow marks the variables to which a path leads from v. It goes on from those only that were not
// marked.
func (s *solver) follow(v model.VarID, seen []bool) {
	list := []model.VarID{v}
	for len(list) > 0 {
		v := list[len(list)-1]
		list = list[:len(list)-1]
		for _, c := range s.after[v] {
			if !seen[c] {
				seen[c] = true
				list = append(list, c)
			}
		}
	}
}

// depend finds the first open decision on which each variable depends.
func (s *solver) depend() {
	s.on = make([]*model.Decision, len(s.m.Vars))
	seen := make([]bool, len(s.m.Vars))
	for _, d := range s.open {
		s.follow(d.Var, seen)
		for v, is := range seen {
			if is && s.on[v] == nil {
				s.on[v] = d
			}
		}
	}
}

func (s *solver) isOpen(v model.VarID) bool {
	return slices.ContainsFunc(s.open, func(d *model.Decision) bool { return d.Var == v })
}

// prune marks chance variables with a CPD that sums to one because nothing else needs them.
func (s *solver) prune(likelihood [][]float64) {
	needed := make([]int, len(s.m.Vars))
	for _, f := range s.m.Factors {
		for _, p := range f.Parents() {
			needed[p]++
		}
	}
	for _, d := range s.m.Diagram.Decisions {
		for _, v := range d.Known {
			needed[v]++
		}
	}
	for _, u := range s.m.Diagram.Utilities { // those as well whose weights cancel in the sum: they have moments
		for _, v := range u.Scope {
			needed[v]++
		}
	}
	if a := s.m.Diagram.Asymmetry; a != nil {
		for _, v := range a.Observed {
			needed[v]++
		}
	}
	s.barren = make([]bool, len(s.m.Vars))
	for more := true; more; {
		more = false
		for _, f := range s.m.Factors {
			if v := f.ChildVar(); needed[v] == 0 && !s.barren[v] && likelihood[v] == nil {
				s.barren[v], more = true, true
				for _, p := range f.Parents() {
					needed[p]--
				}
			}
		}
	}
}

// load makes potentials of the CPDs and utilities.
func (s *solver) load() error {
	for _, f := range s.m.Factors {
		if s.barren[f.ChildVar()] {
			continue
		}
		for _, v := range f.Scope {
			if s.m.IsReal(v) {
				return diag.ErrorfAt(s.m.Vars[v].Pos, "variable %q is real; want discrete ones in what decisions depend on", s.m.Vars[v].Name)
			}
		}
		values, err := s.m.Tabulate(f, s.most)
		if err != nil {
			return err
		}
		s.chances.add(newPotential(s.m, f.Scope, values))
	}
	for _, u := range s.terms {
		most := 0
		for i, x := range u.Values {
			if math.Abs(x) > math.Abs(u.Values[most]) {
				most = i
			}
		}
		if s.size += math.Abs(u.Values[most]); math.IsInf(s.size, 0) {
			return diag.ErrorfAt(u.Pos, "the utilities are too large to be added: utility %q is %v%s; want a sum of magnitudes below 1.8e308",
				u.Name, u.Values[most], s.where(u.Scope, most))
		}
		s.utilities.add(newPotential(s.m, u.Scope, u.Values))
	}
	return nil
}

// where names the joint state number i of a scope.
func (s *solver) where(scope []model.VarID, i int) (text string) {
	for k := len(scope) - 1; k >= 0; k-- {
		n := s.m.Card(scope[k])
		text = fmt.Sprintf(", %s=%s", s.m.Vars[scope[k]].Name, s.m.States(scope[k])[i%n]) + text
		i /= n
	}
	return strings.Replace(text, ",", " at", 1)
}
