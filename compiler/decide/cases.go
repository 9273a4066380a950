package decide

import (
	"context"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Cases holds what the options of a decision are worth, given the known variables.
type Cases struct {
	Decision model.VarID
	Known    []model.VarID
	List     []Case // those of positive probability
}

// Case is a joint state of the known variables of a decision.
type Case struct {
	Given       []int     // the states
	Probability float64   // under the strategy, given the evidence
	Utilities   []float64 // of each option, if the other decisions follow the strategy
	Choice      int
}

// Cases returns the cases of decision i of the policies, over all known variables that matter after
// the decision.
func (x *Solution) Cases(ctx context.Context, i int) (*Cases, error) {
	return x.cases(ctx, i, x.known[i])
}

// Options returns the utility of each option of decision i, averaged over all that is known then.
func (x *Solution) Options(ctx context.Context, i int) ([]float64, error) {
	c, err := x.cases(ctx, i, nil)
	if err != nil {
		return nil, err
	}
	return c.List[0].Utilities, nil
}

// cases returns the cases of decision i by the states of some of what it knows, among them that on
// which its choice depends.
func (x *Solution) cases(ctx context.Context, i int, known []model.VarID) (*Cases, error) {
	s := *x.solver
	s.ctx = ctx
	p := x.Policies[i]
	scope := append(slices.Clone(known), p.Decision)
	n, ok := s.m.TableSize(scope)
	if !ok || n > s.most {
		return nil, s.tooLarge(scope)
	}
	b, err := s.about(scope, x.tables, i)
	if err != nil {
		return nil, err
	}
	out := &Cases{Decision: p.Decision, Known: known}
	state, sum := make([]int, len(s.m.Vars)), 0.0
	for range n / s.m.Card(p.Decision) {
		c := Case{Choice: max(0, p.choice(s.m, state))}
		for state[p.Decision] = range s.m.Card(p.Decision) {
			q, u := b.value(state)
			c.Probability, c.Utilities = q, append(c.Utilities, u)
		}
		if c.Probability > 0 {
			for _, v := range known {
				c.Given = append(c.Given, state[v])
			}
			sum += c.Probability
			out.List = append(out.List, c)
		}
		s.m.Next(known, state)
	}
	for k := range out.List {
		out.List[k].Probability /= sum
	}
	return out, nil
}

// table returns a policy as the probability of each option: 0 or 1.
func (s *solver) table(p *Policy) *potential {
	n := s.m.Card(p.Decision)
	values := make([]float64, n*len(p.Choice))
	for k, c := range p.Choice {
		values[n*k+max(0, c)] = 1
	}
	return newPotential(s.m, append(slices.Clone(p.Known), p.Decision), values)
}

// varying returns the variables of list that no evidence fixes.
func (s *solver) varying(list []model.VarID) []model.VarID {
	return slices.DeleteFunc(slices.Clone(list), func(v model.VarID) bool { return s.fixed[v] })
}
