package idspn

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/spn"
)

// fit improves the weights of sums by EM as long as the deciding likelihood rises. The circuits
// stay.
func (s *search) fit() {
	sums := s.root.sums()
	if len(sums) == 0 {
		return
	}
	for range s.l.Rounds {
		before := make([][]float64, len(sums))
		for i, n := range sums {
			before[i] = slices.Clone(n.weights)
		}
		s.round(sums)
		value := s.rate(s.root)
		if !(value > s.value) {
			for i, n := range sums {
				n.weights = before[i]
			}
			return
		}
		s.value = value
	}
}

// sums lists the sums below n, those above others first.
func (n *node) sums() (list []*node) {
	if n.weights != nil {
		list = append(list, n)
	}
	for _, a := range n.args {
		list = append(list, a.sums()...)
	}
	return list
}

// weightPrior is the pseudo-count of each weight.
const weightPrior = 0.1

// round runs one step of EM: each row counts for the operands of a sum in proportion to their share
// of its probability.
func (s *search) round(sums []*node) {
	counts := map[*node][]float64{}
	for _, n := range sums {
		counts[n] = make([]float64, len(n.args))
	}
	flow := make([]float64, s.train.Len())
	for row := range flow {
		flow[row] = s.train.Weight(row)
	}
	s.root.count(flow, counts)
	for _, n := range sums {
		total := 0.0
		for i, x := range counts[n] {
			n.weights[i] = x + weightPrior
			total += n.weights[i]
		}
		for i := range n.weights {
			n.weights[i] /= total
		}
	}
}

// count adds the expected use of the operands of sums; flow is the weight of each row that reaches
// n.
func (n *node) count(flow []float64, counts map[*node][]float64) {
	if n.weights == nil {
		for _, a := range n.args {
			a.count(flow, counts)
		}
		return
	}
	whole := n.logs(trainLogs)
	for i, a := range n.args {
		part, logs := make([]float64, len(flow)), a.logs(trainLogs)
		for row, x := range flow {
			if x > 0 {
				part[row] = x * n.weights[i] * math.Exp(logs[row]-whole[row])
				counts[n][i] += part[row]
			}
		}
		a.count(part, counts)
	}
}

// loglik returns the mean log-likelihood of the rows of a set; leaf returns the log-probabilities
// of a circuit.
func (s *search) loglik(set *data.Set, leaf func(*node) []float64) float64 {
	return spn.Mean(set, s.root.logs(leaf))
}
