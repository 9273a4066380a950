package decide

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Branch is a part of a strategy's tree: a state of a variable that the decision maker sees, or a
// choice.
type Branch struct {
	Var         model.VarID // -1 in the root
	State       int         // -1 if the variable does not exist, and could
	Probability float64     // of the state, given the branches above
	Utility     float64     // its mean, or with a tolerance of risk its certainty equivalent, given the branches above and the state
	Branches    []*Branch

	// Options are the choices from which that of this branch is one, of all decisions whose turn it
	// can be, with their utilities. Only decision analysis networks have them.
	Options []Option

	sum float64 // the probability, not normalised
}

// Option is a choice of a decision with the utility of the best strategy after it.
type Option struct {
	Decision model.VarID
	State    int
	Utility  float64
}

// MaxLeaves is the most leaves of a tree.
const MaxLeaves = 1 << 12

var errLeaves = fmt.Errorf("the tree of the strategy has more than %d leaves", MaxLeaves)

// Tree returns the policies as a tree of what happens in order: the variables at which a policy
// looks, and then its choice. Branches of probability zero are left out. It is an error if there
// are more than MaxLeaves leaves.
func (x *Solution) Tree(ctx context.Context) (*Branch, error) {
	if x.network != nil {
		return x.network.plan()
	}
	s := *x.solver
	s.ctx = ctx
	var order []model.VarID
	for _, p := range x.Policies {
		for _, v := range append(slices.Clone(p.Known), p.Decision) {
			if !slices.Contains(order, v) {
				order = append(order, v)
			}
		}
	}
	if n, ok := s.m.TableSize(order); !ok || n > s.most {
		return nil, s.tooLarge(order)
	}
	b, err := s.about(order, x.tables, -1)
	if err != nil {
		return nil, err
	}
	t := &tree{s: &s, b: b, order: order, state: make([]int, len(s.m.Vars))}
	root := t.branch(-1, 0)
	if t.leaves > MaxLeaves {
		return nil, errLeaves
	}
	root.normalise(root.sum)
	return root, nil
}

// tree builds a tree.
type tree struct {
	s      *solver
	b      *bucket
	order  []model.VarID // the levels
	state  []int
	leaves int
}

// branch returns the branch of a variable's current state, with the variables of the order from
// next on below it, or nil if its probability is zero.
func (t *tree) branch(v model.VarID, next int) *Branch {
	out := &Branch{Var: v}
	if v >= 0 {
		out.State = t.state[v]
	}
	if next == len(t.order) {
		out.sum, out.Utility = t.b.value(t.state)
		if t.leaves++; out.sum == 0 {
			t.leaves--
			return nil
		}
		return out
	}
	var q, w []float64
	for k := range t.s.m.Card(t.order[next]) {
		t.state[t.order[next]] = k
		if t.leaves > MaxLeaves {
			break
		}
		if c := t.branch(t.order[next], next+1); c != nil {
			out.Branches = append(out.Branches, c)
			out.sum, q, w = out.sum+c.sum, append(q, c.sum), append(w, c.Utility)
		}
	}
	t.state[t.order[next]] = 0
	if out.sum == 0 {
		return nil
	}
	out.Utility = t.s.mean(q, w, out.sum)
	return out
}

// normalise sets the probabilities, given the sum of all branches at this place.
func (b *Branch) normalise(all float64) {
	b.Probability = b.sum / all
	for _, c := range b.Branches {
		c.normalise(b.sum)
	}
}
