package decide

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Nothing stands for no variable.
const Nothing model.VarID = -1

// Network is a Markov network in which sums and maxima give the mean utility of each option of a
// decision, given any evidence about what comes before it, or the mean utility with each state of a
// variable that is known as well. It has the variables of the diagram, with the same numbers, and
// after them indices of pairs, which are 0 or 1.
//
// A pair is a probability, and the probability times the mean utility above the least. With two pairs
// (p, u) and (q, v) of independent events, (p·q, p·v + u·q) is the pair of both: the expectation
// semiring (Li and Eisner 2009), in which sums need no division and a probability of 0 no care. A
// potential with an index holds the pair, and the potential of three indices that is 1 where the
// third one is the sum of the others multiplies two pairs. Utilities above the least are at least 0,
// as all numbers of programs; their differences are exact to 1e-15 of the range of the utilities.
type Network struct {
	Model   *model.Model
	Order   []int         // of elimination, with Targets last
	Maxima  []model.VarID // the decisions that are eliminated by a maximum
	Targets []model.VarID // the index of the pair that is left, and the decision or the variable
	Least   float64       // the sum of the least values of the utilities
}

// network builds a Network by an elimination of scopes.
type network struct {
	*solver
	out   *Network
	index map[*potential]model.VarID // of each pair
}

// NewNetwork returns the network for a decision of the diagram m, which has passed its checks. The
// decisions that lead to it are taken. Unless known is Nothing, it is a variable that the decision
// and later ones know, and that does not depend on them. It returns the errors of Solve.
func NewNetwork(ctx context.Context, m *model.Model, decision, known model.VarID, maxTable int) (*Network, error) {
	if reals := m.Reals(); len(reals) > 0 {
		return nil, fmt.Errorf("variable %q is real; want discrete ones", m.Vars[reals[0]].Name)
	}
	likelihood := make([][]float64, len(m.Vars))
	timing := m.Timing(decision)
	for v, after := range timing.After {
		if x := m.Vars[v]; !x.Given && !x.Latent && after == nil {
			likelihood[v] = slices.Repeat([]float64{1}, m.Card(x.ID)) // there may be evidence
		}
	}
	for _, v := range timing.Earlier {
		likelihood[v] = make([]float64, m.Card(v))
		likelihood[v][0] = 1
	}
	s, err := newSolver(ctx, m, likelihood, Options{MaxTable: maxTable})
	if err != nil {
		return nil, err
	}
	if err := s.ordered(); err != nil {
		return nil, err
	}
	n := &network{solver: s, out: &Network{Model: &model.Model{Name: m.Name, Kind: model.Markov, File: m.File}}, index: map[*potential]model.VarID{}}
	first := slices.IndexFunc(s.open, func(d *model.Decision) bool { return d.Var == decision })
	s.open = slices.Insert(slices.Delete(slices.Clone(s.open), first, first+1), 0, s.open[first])
	stages := n.stages(known)
	n.merge(stages, known)
	n.variables()
	if err := n.factors(); err != nil {
		return nil, err
	}
	if err := n.eliminate(stages); err != nil {
		return nil, err
	}
	if known == Nothing {
		n.finish(decision)
		return n.out, nil
	}
	if err := n.maximum(decision); err != nil {
		return nil, err
	}
	n.finish(known)
	return n.out, nil
}

// variables adds the variables of the diagram. Those that nothing needs have one state.
func (n *network) variables() {
	for _, v := range n.m.Vars {
		c := *v
		c.Given, c.Latent = false, n.likelihood[v.ID] == nil
		if n.barren[v.ID] {
			c.Latent, c.Domain = true, model.Discrete{States: []string{"any"}}
			n.out.Order = append(n.out.Order, int(v.ID))
		}
		n.out.Model.Vars = append(n.out.Model.Vars, &c)
	}
}

// factors adds the potentials of probabilities, and pairs of the utilities.
func (n *network) factors() error {
	for _, f := range n.m.Factors {
		if n.barren[f.ChildVar()] {
			continue
		}
		values, err := n.m.Tabulate(f, n.most)
		if err != nil {
			return err
		}
		n.add(f.Scope, values)
	}
	seen := map[*potential]bool{}
	for _, list := range n.utilities.by {
		for _, p := range list {
			if !seen[p] {
				seen[p] = true
				n.pair(p)
			}
		}
	}
	for _, p := range n.utilities.none {
		n.out.Least += p.values[0]
	}
	n.utilities.none = nil
	return nil
}

// add adds a potential.
func (n *network) add(scope []model.VarID, values []float64) {
	n.out.Model.Factors = append(n.out.Model.Factors, &model.Factor{Scope: scope, Child: -1, Dist: &model.Table{Values: values}})
}

// pair adds the pair of a utility.
func (n *network) pair(p *potential) {
	least := slices.Min(p.values)
	n.out.Least += least
	values := slices.Repeat([]float64{1}, len(p.values))
	for _, u := range p.values {
		values = append(values, u-least)
	}
	n.index[p] = n.newIndex()
	n.add(append([]model.VarID{n.index[p]}, p.scope...), values)
}

// newIndex adds the index of a pair.
func (n *network) newIndex() model.VarID {
	m := n.out.Model
	name := fmt.Sprint("pair ", len(m.Vars)-len(n.m.Vars)+1)
	for _, taken := m.VarByName(name); taken; _, taken = m.VarByName(name) {
		name += "'"
	}
	v := m.NewVar(name, "probability", "utility")
	v.Latent = true
	return v.ID
}

// stages returns the variables that are eliminated before each open decision: what it does not know,
// and later ones do. With the first go all that were known before, but for the variable known.
func (n *network) stages(known model.VarID) (list [][]model.VarID) {
	unknown := n.unknown()
	for _, vars := range unknown[1:] {
		list = append(list, n.varying(vars))
	}
	list[0] = append(list[0], unknown[0]...)
	for v, fixed := range n.fixed {
		if fixed {
			list[0] = append(list[0], model.VarID(v))
		}
	}
	list[0] = slices.DeleteFunc(list[0], func(v model.VarID) bool { return v == known })
	return list
}

// eliminate finds the order: the stage of the last decision comes first. Within a stage, the
// variable with the smallest table does. The first decision is left.
func (n *network) eliminate(stages [][]model.VarID) error {
	for i, vars := range slices.Backward(stages) {
		if err := n.each(vars, n.drop); err != nil || i == 0 {
			return err
		}
		if err := n.maximum(n.open[i].Var); err != nil {
			return err
		}
	}
	return nil
}

// maximum eliminates a decision.
func (n *network) maximum(decision model.VarID) error {
	n.out.Maxima = append(n.out.Maxima, decision)
	_, err := n.drop(decision)
	return err
}

// drop eliminates one variable. The pairs in its bucket are multiplied before.
func (n *network) drop(v model.VarID) (*bucket, error) {
	b, err := n.take(v)
	if err != nil {
		return nil, err
	}
	left := newPotential(n.m, b.rest, nil)
	if len(b.utilities) > 0 {
		n.index[left] = n.product(b.utilities)
		n.utilities.add(left)
	} else if len(b.chances) > 0 {
		n.chances.add(left)
	}
	n.out.Order = append(n.out.Order, int(v))
	return b, nil
}

// product multiplies pairs, and returns the index of the result.
func (n *network) product(pairs []*potential) model.VarID {
	q := n.index[pairs[0]]
	for _, p := range pairs[1:] {
		r := n.newIndex()
		n.add([]model.VarID{q, n.index[p], r}, []float64{1, 0, 0, 1, 0, 1, 0, 0})
		n.out.Order = append(n.out.Order, int(q), int(n.index[p]))
		q = r
	}
	return q
}

// finish multiplies the pairs that are left, and ends the order with the targets.
func (n *network) finish(target model.VarID) {
	var q model.VarID
	if left := n.utilities.within([]model.VarID{target}); len(left) > 0 {
		q = n.product(left)
	} else {
		q = n.newIndex()
		n.add([]model.VarID{q}, []float64{1, 0})
	}
	n.out.Targets = []model.VarID{q, target}
	n.out.Order = append(n.out.Order, int(q), int(target))
}
