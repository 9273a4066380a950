package pass

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// ProblemPrune finds the factors that can change the answer of each declared signature, and notes
// them in the query. It leaves out the CPDs of barren variables: they sum to one, and neither the
// variable nor a descendant is a target or evidence. It also leaves out factors that the evidence
// separates from the target, unless they hold zeros, which could make the evidence impossible. The
// CPDs of variables that are set by intervention are cut first, so that all of this holds in the
// mutilated network.
//
// Source: Shachter 1986, Evaluating influence diagrams; Koller and Friedman, section 9.3 and
// exercise 9.2; for do(...) Pearl 2009, Causality, section 3.2.
func ProblemPrune(p *ir.Problem) {
	for _, q := range p.Queries {
		if q.Kind == ir.Signature {
			q.Factors = pruned(p, q)
		}
	}
}

func pruned(p *ir.Problem, q *ir.Query) []int {
	keep := notBarren(p, q)
	part := components(p.Model, q, keep)
	out := []int{}
	for i, f := range p.Model.Factors {
		if keep[i] && (part.reaches(f.Scope) || !part.positive(f.Scope, i)) {
			out = append(out, i)
		}
	}
	return out
}

// notBarren marks the factors that remain after childless variables that are neither targets nor
// evidence have been removed repeatedly. The numbers of a Var problem may be replaced, so that no
// CPD of it is known to sum to one.
func notBarren(p *ir.Problem, q *ir.Query) []bool {
	m := p.Model
	asked := make([]bool, len(m.Vars))
	for _, v := range append(append([]model.VarID(nil), q.Targets...), q.Evidence...) {
		asked[v] = true
	}
	uses := make([]int, len(m.Vars)) // factors with the variable in their scope
	keep := make([]bool, len(m.Factors))
	cpd := make([]int, len(m.Vars)) // 1 + the factor whose child the variable is; 0 if there is none
	var candidates []int
	for i, f := range m.Factors {
		if q.Cuts(f) {
			continue
		}
		keep[i] = true
		for _, v := range f.Scope {
			uses[v]++
		}
		if c := f.ChildVar(); c >= 0 {
			cpd[c] = i + 1
			candidates = append(candidates, i)
		}
	}
	for len(candidates) > 0 {
		i := candidates[len(candidates)-1]
		candidates = candidates[:len(candidates)-1]
		f := m.Factors[i]
		c := f.ChildVar()
		if !keep[i] || asked[c] || uses[c] > 1 || p.Params == ir.Var || !m.SumsToOne(f) {
			continue
		}
		keep[i] = false
		for _, v := range f.Scope {
			if uses[v]--; uses[v] == 1 && cpd[v] > 0 {
				candidates = append(candidates, cpd[v]-1)
			}
		}
	}
	return keep
}

// partition holds the components of the variables outside the evidence. Two variables are joined if
// a kept factor contains both.
type partition struct {
	m      *model.Model
	sets   *model.DisjointSets // of variables; observed ones are marked in fixed
	fixed  []bool
	zero   map[model.VarID]bool // components, by root, with a factor that holds a zero
	target model.VarID
}

func components(m *model.Model, q *ir.Query, keep []bool) *partition {
	c := &partition{m: m, sets: model.NewDisjointSets(len(m.Vars)), fixed: make([]bool, len(m.Vars)), zero: map[model.VarID]bool{}}
	for _, v := range q.Evidence {
		c.fixed[v] = true
	}
	for i, f := range m.Factors {
		if root, ok := c.root(f.Scope); ok && keep[i] {
			for _, v := range f.Scope {
				if !c.fixed[v] {
					c.sets.Join(int(root), int(v))
				}
			}
		}
	}
	for i, f := range m.Factors {
		if root, ok := c.root(f.Scope); ok && keep[i] && hasZero(f) {
			c.zero[root] = true
		}
	}
	c.target = c.find(q.Targets[0])
	return c
}

// find returns the representative of the component of v.
func (c *partition) find(v model.VarID) model.VarID {
	return model.VarID(c.sets.Find(int(v)))
}

// root returns the component of a scope. ok is false if the whole scope is observed.
func (c *partition) root(scope []model.VarID) (root model.VarID, ok bool) {
	for _, v := range scope {
		if !c.fixed[v] {
			return c.find(v), true
		}
	}
	return -1, false
}

// reaches reports whether a factor over scope is in the target's component.
func (c *partition) reaches(scope []model.VarID) bool {
	root, ok := c.root(scope)
	return ok && root == c.target
}

// positive reports whether factor i and all factors connected with it can only scale the answer.
func (c *partition) positive(scope []model.VarID, i int) bool {
	if root, ok := c.root(scope); ok {
		return !c.zero[root]
	}
	return !hasZero(c.m.Factors[i])
}

// hasZero reports whether an entry of a factor may be zero. It returns true for a factor that is
// neither a table nor a Gaussian CPD. A density is nowhere 0 unless a variance is.
func hasZero(f *model.Factor) bool {
	if d := f.Gaussian(); d != nil {
		return d.HasZeros()
	}
	values, ok := f.Table()
	if !ok {
		return true
	}
	for _, x := range values {
		if x == 0 {
			return true
		}
	}
	return false
}
