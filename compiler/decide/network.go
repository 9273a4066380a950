package decide

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Nothing stands for no variable.
const Nothing model.VarID = -1

// Network is a Markov network in which sums and maxima give the mean utility of each option of a
// decision, given any evidence about what comes before it, or the mean utility with each state of a
// variable that is known as well. It has the variables of the diagram, with the same numbers, and
// after them indices of pairs, which are 0 or 1.
//
// A pair is a probability, and the probability times the mean utility above the least. With two
// pairs (p, u) and (q, v) of independent events, (p·q, p·v + u·q) is the pair of both: the
// expectation semiring (Li and Eisner 2009), in which sums need no division and a probability of 0
// no care. A potential with an index holds the pair. One with two indices multiplies pairs by its
// own: from probability to probability and from utility to utility it has p, from probability to
// utility u, and 0 from utility to probability. Utilities above the least are at least 0, as all
// numbers of programs; their differences are exact to 1e-15 of the range of the utilities.
//
// For variances, indices have a third state: the probability times the mean square. The third
// number of a product is then p·w + 2·u·v + t·q, if t and w are the third numbers of the two.
//
// What no evidence reaches is no part of the network: variables that are eliminated when it is made
// have one state in it, and observations only as many as say different things.
type Network struct {
	Model   *model.Model
	Order   []int         // of elimination, with Targets last
	Maxima  []model.VarID // the decisions that are eliminated by a maximum
	Targets []model.VarID // the index of the pair that is left, and the decision or the variable, if there is one
	Least   float64       // the sum of the least values of the utilities
	Scale   float64       // by which utilities above the least are divided
}

// network builds a Network by an elimination of scopes.
type network struct {
	*solver
	out    *Network
	states []string                   // of indices
	index  map[*potential]model.VarID // of each pair
}

// newNetwork returns a network without variables.
func newNetwork(s *solver, scale float64, states ...string) *network {
	out := &Network{Model: &model.Model{Name: s.m.Name, Kind: model.Markov, File: s.m.File}, Scale: scale}
	return &network{solver: s, out: out, states: states, index: map[*potential]model.VarID{}}
}

// NewNetwork returns the network for a decision of the diagram m, which has passed its checks. The
// decisions that lead to it are taken. Unless known is Nothing, it is a variable that the decision
// and later ones know, and that does not depend on them. It returns the errors of Solve.
func NewNetwork(ctx context.Context, m *model.Model, decision, known model.VarID, maxTable int) (*Network, error) {
	if reals := m.Reals(); len(reals) > 0 {
		return nil, diag.ErrorfAt(m.Vars[reals[0]].Pos, "variable %q is real; want discrete ones", m.Vars[reals[0]].Name)
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
	s, err := newSolver(ctx, m, likelihood, Options{MaxTable: maxTable, Packaged: true})
	if err != nil {
		return nil, err
	}
	if err := s.ordered(); err != nil {
		return nil, err
	}
	n := newNetwork(s, 1, "probability", "utility")
	first := slices.IndexFunc(s.open, func(d *model.Decision) bool { return d.Var == decision })
	s.open = slices.Insert(slices.Delete(slices.Clone(s.open), first, first+1), 0, s.open[first])
	stages := n.stages(known)
	n.merge(stages, known)
	n.variables()
	n.lift()
	if err := n.eliminate(stages); err != nil {
		return nil, err
	}
	if known == Nothing {
		n.finish(decision)
		return n.out, nil
	}
	if _, err := n.drop(decision); err != nil {
		return nil, err
	}
	n.finish(known)
	return n.out, nil
}

// NewMoments returns the network for the mean and the variance of the sum of the utilities of m, a
// diagram without open decisions that has passed its checks. Any variable may have evidence.
func NewMoments(ctx context.Context, m *model.Model, maxTable int) (*Network, error) {
	likelihood := make([][]float64, len(m.Vars))
	var all []model.VarID
	for _, v := range m.Vars {
		if !v.Latent {
			likelihood[v.ID] = slices.Repeat([]float64{1}, m.Card(v.ID))
		}
	}
	s, err := newSolver(ctx, m, likelihood, Options{MaxTable: maxTable})
	if err != nil {
		return nil, err
	}
	n := newNetwork(s, 1, "probability", "utility", "square")
	spread := 0.0
	for _, u := range s.terms {
		spread += slices.Max(u.Values) - slices.Min(u.Values)
	}
	if !(spread < largest) {
		return nil, errVariance
	}
	if _, exp := math.Frexp(spread); spread > 0 {
		n.out.Scale = math.Ldexp(1, exp) // a power of two, so that quotients are exact
	}
	n.variables()
	n.lift()
	for _, v := range m.Vars {
		if !s.barren[v.ID] {
			all = append(all, v.ID)
		}
	}
	if err := n.each(all, n.drop); err != nil {
		return nil, err
	}
	n.finish()
	return n.out, nil
}

// variables adds the variables of the diagram. Those that nothing needs have one state. The
// likelihoods are inputs of the program, and no constants.
func (n *network) variables() {
	for _, v := range n.m.Vars {
		c := *v
		c.Given, c.Latent = false, n.likelihood[v.ID] == nil
		n.out.Model.Vars = append(n.out.Model.Vars, &c)
		if n.barren[v.ID] {
			n.leave(v.ID)
		} else if !c.Latent {
			n.chances.by[v.ID][0].values = nil // load has added CPDs after it
		}
	}
}

// lift makes all utilities at least 0, so that networks of one diagram have the same least, and
// divides them by the scale.
func (n *network) lift() {
	seen := map[*potential]bool{}
	for _, p := range n.utilities.none {
		n.out.Least += p.values[0]
	}
	n.utilities.none = nil
	for _, list := range n.utilities.by {
		for _, p := range list {
			if seen[p] {
				continue
			}
			seen[p] = true
			least := slices.Min(p.values)
			n.out.Least += least
			values := make([]float64, len(p.values))
			for i, u := range p.values {
				values[i] = (u - least) / n.out.Scale
			}
			p.values = values
		}
	}
}

// leave leaves v out of the network, in which it has one state.
func (n *network) leave(v model.VarID) {
	x := n.out.Model.Vars[v]
	x.Latent, x.Domain = true, model.Discrete{States: []string{"any"}}
	n.out.Order = append(n.out.Order, int(v))
}

// add adds a potential.
func (n *network) add(scope []model.VarID, values []float64) {
	n.out.Model.Factors = append(n.out.Model.Factors, &model.Factor{Scope: scope, Child: -1, Dist: &model.Table{Values: values}})
}

// newIndex adds the index of a pair.
func (n *network) newIndex() model.VarID {
	m := n.out.Model
	name := fmt.Sprint("pair ", len(m.Vars)-len(n.m.Vars)+1)
	for _, taken := m.VarByName(name); taken; _, taken = m.VarByName(name) {
		name += "'"
	}
	v := m.NewVar(name, n.states...)
	v.Latent = true
	return v.ID
}

// stages returns the variables that are eliminated before each open decision: what it does not
// know, and later ones do. With the first go all that were known before, but for the variable
// known.
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
		if _, err := n.drop(n.open[i].Var); err != nil {
			return err
		}
	}
	return nil
}

// drop eliminates one variable. If nothing in its bucket depends on evidence, it is eliminated now.
// Otherwise the network has the bucket, in which pairs are multiplied first.
func (n *network) drop(v model.VarID) (*bucket, error) {
	if n.constant(v) {
		n.leave(v)
		return n.fold(v)
	}
	b, err := n.take(v)
	if err != nil {
		return nil, err
	}
	n.emit(b.chances)
	left := newPotential(n.m, b.rest, nil)
	if len(b.utilities) > 0 {
		n.index[left] = n.product(b.utilities)
		n.utilities.add(left)
	} else if len(b.chances) > 0 {
		n.chances.add(left)
	}
	n.out.Order = append(n.out.Order, int(v))
	if n.isOpen(v) {
		n.out.Maxima = append(n.out.Maxima, v)
	}
	return b, nil
}

// emit adds constant potentials of probabilities to the network.
func (n *network) emit(chances []*potential) {
	for _, p := range chances {
		if p.values != nil {
			n.add(p.scope, p.values)
		}
	}
}

// product multiplies the pairs of utilities, and returns the index of the result. It adds those
// that are constant, so that one potential multiplies by all of them.
func (n *network) product(utilities []*potential) model.VarID {
	q := Nothing
	var constant []*potential
	for _, p := range utilities {
		switch {
		case p.values != nil:
			constant = n.plus(constant, p)
		case q == Nothing:
			q = n.index[p]
		default:
			q = n.times(q, []model.VarID{n.index[p]}, n.unit())
			n.out.Order = append(n.out.Order, int(n.index[p]))
		}
	}
	for _, p := range constant {
		q = n.times(q, p.scope, n.powers(p.values))
	}
	if q == Nothing {
		q = n.times(q, nil, n.powers([]float64{0}))
	}
	return q
}

// powers returns the powers of utilities for each state of an index.
func (n *network) powers(utilities []float64) [][]float64 {
	list := [][]float64{slices.Repeat([]float64{1}, len(utilities))}
	for k := range n.states[1:] {
		next := slices.Clone(list[k])
		for i, u := range utilities {
			next[i] *= u
		}
		list = append(list, next)
	}
	return list
}

// unit returns, for each state of an index, 1 where another index has that state.
func (n *network) unit() (list [][]float64) {
	for k := range n.states {
		row := make([]float64, len(n.states))
		row[k] = 1
		list = append(list, row)
	}
	return list
}

// times multiplies the pair with index q, unless that is Nothing, by pairs for each joint state of
// scope, which have the given numbers for each state of their index, and returns the index of the
// result: by the binomial theorem it has the powers of the sum.
func (n *network) times(q model.VarID, scope []model.VarID, numbers [][]float64) model.VarID {
	r := n.newIndex()
	if q == Nothing {
		n.add(append([]model.VarID{r}, scope...), slices.Concat(numbers...))
		return r
	}
	var table []float64
	for i := range numbers {
		over := 0.0 // j over i
		for j := range numbers {
			if j == i {
				over = 1
			} else if j > i {
				over = over * float64(j) / float64(j-i)
			}
			for _, x := range numbers[max(0, j-i)] {
				table = append(table, over*x)
			}
		}
	}
	n.add(append([]model.VarID{q, r}, scope...), table)
	n.out.Order = append(n.out.Order, int(q))
	return r
}

// plus adds p to the first constant utility of list with which the sum is small, or to the list.
func (n *network) plus(list []*potential, p *potential) []*potential {
	for i, c := range list {
		scope := slices.Concat(c.scope, p.scope)
		slices.Sort(scope)
		scope = slices.Compact(scope)
		if !n.small(scope, len(c.values)+len(p.values)) {
			continue
		}
		size, _ := n.m.TableSize(scope)
		sum := newPotential(n.m, scope, make([]float64, size))
		for k := range size {
			sum.values[k] = c.at(n.state) + p.at(n.state)
			n.m.Next(scope, n.state)
		}
		list[i] = sum
		return list
	}
	return append(list, p)
}

// finish multiplies the pairs that are left, and ends the order with the targets.
func (n *network) finish(targets ...model.VarID) {
	n.emit(n.chances.within(targets))
	n.out.Targets = append([]model.VarID{n.product(n.utilities.within(targets))}, targets...)
	for _, v := range n.out.Targets {
		n.out.Order = append(n.out.Order, int(v))
	}
}
