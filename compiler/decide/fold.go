package decide

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// constant reports whether nothing in the bucket of v depends on evidence, and what is left of it
// would have at most twice as many numbers. For variances nothing is eliminated early.
func (n *network) constant(v model.VarID) bool {
	if len(n.states) > 2 {
		return false
	}
	b, given := n.bucket(v), 0
	for _, p := range slices.Concat(b.chances, b.utilities) {
		if p.values == nil {
			return false
		}
		given += len(p.values)
	}
	return n.small(b.rest, given)
}

// small reports whether a table over scope may take the place of tables with given numbers.
func (n *network) small(scope []model.VarID, given int) bool {
	size, ok := n.m.TableSize(scope)
	return ok && size <= max(64, 2*given)
}

// fold eliminates v from constant potentials.
func (n *network) fold(v model.VarID) (*bucket, error) {
	b, err := n.take(v)
	if err != nil {
		return nil, err
	}
	c := &bucket{chances: b.chances} // without the variables of utilities alone
	for _, u := range b.rest {
		if slices.ContainsFunc(b.chances, func(p *potential) bool { return slices.Contains(p.scope, u) }) {
			c.rest = append(c.rest, u)
		}
	}
	p, _ := n.eliminated(c, v)
	if slices.ContainsFunc(p, func(p float64) bool { return math.Abs(p-1) > 1e-14 }) { // no CPD that sums to one
		n.chances.add(newPotential(n.m, c.rest, p))
	}
	if len(b.utilities) > 0 {
		_, u := n.eliminated(b, v)
		n.utilities.add(newPotential(n.m, b.rest, u))
	}
	return b, nil
}

// eliminated returns what is left of a bucket without v: the sum of the probabilities and the mean
// utility, or those of the best option of a decision.
func (n *network) eliminated(b *bucket, v model.VarID) (probability, utility []float64) {
	size, _ := n.m.TableSize(b.rest)
	probability, utility = make([]float64, size), make([]float64, size)
	for i := range size {
		if n.isOpen(v) {
			_, probability[i], utility[i] = n.choose(b, v)
		} else {
			for k := range n.m.Card(v) {
				n.state[v] = k
				q, w := b.value(n.state)
				probability[i], utility[i] = probability[i]+q, utility[i]+q*w
			}
			if n.state[v] = 0; probability[i] > 0 {
				utility[i] /= probability[i]
			}
		}
		n.m.Next(b.rest, n.state)
	}
	return probability, utility
}
