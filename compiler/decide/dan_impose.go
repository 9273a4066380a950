package decide

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Step is what a strategy of a decision analysis network does after a history.
type Step struct {
	Known    []model.VarID // what was observed and decided, without what does not exist
	States   []int         // of these
	Decision model.VarID   // the next one
	Choice   int
}

// ImposeSteps returns the solution in which the open decisions of a decision analysis network
// follow steps, whatever their utility. Those whose history contradicts the evidence do not count.
// It is an error if there is none in a history of positive probability, if there are two, or if a
// restriction excludes it.
func ImposeSteps(ctx context.Context, m *model.Model, likelihood [][]float64, steps []Step, o Options) (*Solution, error) {
	if m.Diagram == nil || m.Diagram.Asymmetry == nil {
		return nil, errors.New("a strategy of histories is for decision analysis networks; want policies")
	}
	return solveNetwork(ctx, m, likelihood, append([]Step{}, steps...), o)
}

// impose makes decisions follow steps, given the evidence, which the history holds.
func (n *asymmetric) impose(steps []Step) error {
	n.imposed = map[string]Step{}
	evidence := n.state
	defer func() { n.state = evidence }()
	for _, x := range steps {
		n.state = slices.Clone(evidence)
		contradicts := evidence[x.Decision] >= 0 // it was taken
		for i, v := range x.Known {
			contradicts = contradicts || evidence[v] >= 0 && evidence[v] != x.States[i]
			n.state[v] = x.States[i]
		}
		if contradicts {
			continue
		}
		key := n.existing()
		if _, twice := n.imposed[key]; twice {
			return fmt.Errorf("the strategy has two choices in one case%s; want one", n.history())
		}
		n.imposed[key] = x
	}
	return nil
}

// existing names the history without what does not exist.
func (n *asymmetric) existing() string {
	state := n.state
	defer func() { n.state = state }()
	n.state = slices.Clone(state)
	for v, k := range n.state {
		if k == n.absent[v] {
			n.state[v] = -1
		}
	}
	return n.key()
}

// follows returns those of the options of decision d that the imposed strategy takes next: none if
// another decision is next. One that does not exist may come at any time.
func (n *asymmetric) follows(d model.VarID, options []int) ([]int, error) {
	x, ok := n.imposed[n.existing()]
	switch {
	case slices.Equal(options, []int{n.absent[d]}):
		return options, nil
	case !ok || x.Decision != d:
		return nil, nil
	case !slices.Contains(options, x.Choice):
		return nil, fmt.Errorf("the strategy chooses %q of decision %q, which a restriction excludes%s", n.m.States(d)[x.Choice], n.m.Vars[d].Name, n.history())
	}
	return []int{x.Choice}, nil
}

// missing returns an error if the imposed strategy has none of some decisions next, and the history
// is possible.
func (n *asymmetric) missing(c *solver, list []model.VarID) error {
	if p, err := n.marginal(c, nil); err != nil || p[0] == 0 {
		return err
	}
	var names []string
	for _, d := range list {
		names = append(names, n.m.Vars[d].Name)
	}
	return fmt.Errorf("the strategy has no choice in a case that can occur%s; want one of %q", n.history(), names)
}

// history names what was observed and decided.
func (n *asymmetric) history() string {
	var vars []model.VarID
	for v, k := range n.state {
		if k >= 0 && k != n.absent[v] {
			vars = append(vars, model.VarID(v))
		}
	}
	return n.where(vars, n.state)
}
