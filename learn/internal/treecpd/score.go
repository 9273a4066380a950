package treecpd

import (
	"math"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// The scores of leaves.
const (
	Marginal = "marginal"
	Gain     = "gain"
	BDeu     = "bdeu"
)

// leafScorer computes the scores and estimates of leaves of variables with one number of states.
//
// With a pseudo-count a for each of k states, the score of counts n with sum N is the sum of
// each(n) minus all(N). For marginal likelihoods, these are ln Γ(a+n)/Γ(a) and ln Γ(ka+N)/Γ(ka);
// for log-likelihoods, n ln(n+a) and N ln(N+ka).
type leafScorer struct {
	kind  string
	prior float64
	card  int
	// params is the number of parameters that a split adds.
	params float64
	// each and all are tables for whole numbers from 0, if a is the same at all leaves.
	each, all []float64
}

// maxTable is the most whole numbers with tabulated terms: half a megabyte.
const maxTable = 1 << 16

func newLeafScorer(kind string, prior float64, card, rows int) *leafScorer {
	r := &leafScorer{kind: kind, prior: prior, card: card, params: 1}
	if kind != Gain {
		r.params = float64(card - 1)
	}
	if kind == BDeu || card < 2 {
		return r
	}
	a := r.pseudo(1)
	for n := range min(rows+1, maxTable) {
		r.each = append(r.each, r.term(float64(n), a))
		r.all = append(r.all, r.term(float64(n), a*float64(card)))
	}
	return r
}

// pseudo returns the pseudo-count of each state at a leaf; share is the leaf's share of the joint
// states of all other variables.
func (r *leafScorer) pseudo(share float64) float64 {
	switch r.kind {
	case Gain:
		return r.prior / float64(r.card)
	case BDeu:
		return r.prior * share / float64(r.card)
	}
	return r.prior
}

// term returns one term of a score.
func (r *leafScorer) term(n, a float64) float64 {
	if n == 0 {
		return 0
	}
	if r.kind == Gain {
		return n * pgmrt.Ln(n+a)
	}
	x, _ := math.Lgamma(a + n)
	y, _ := math.Lgamma(a)
	return x - y
}

// leaf returns the score of a leaf with counts n and a share of the joint states.
func (r *leafScorer) leaf(n []float64, share float64) float64 {
	a := r.pseudo(share)
	sum, all := 0.0, 0.0
	for _, x := range n {
		all += x
		if i := int(x); i < len(r.each) && float64(i) == x {
			sum += r.each[i]
		} else {
			sum += r.term(x, a)
		}
	}
	if i := int(all); i < len(r.all) && float64(i) == all {
		return sum - r.all[i]
	}
	return sum - r.term(all, a*float64(r.card))
}

// log returns ln of the estimated probability of state x.
func (r *leafScorer) log(n []float64, share float64, x int) float64 {
	a := r.pseudo(share)
	all := a * float64(r.card)
	for _, c := range n {
		all += c
	}
	if all == 0 {
		return -pgmrt.Ln(float64(r.card))
	}
	return pgmrt.Ln((n[x] + a) / all)
}

// estimate returns the distribution at a leaf: the posterior mean. Without counts and prior it is
// uniform.
func (r *leafScorer) estimate(n []float64, share float64) []float64 {
	a := r.pseudo(share)
	all := a * float64(r.card)
	for _, x := range n {
		all += x
	}
	out := make([]float64, len(n))
	for k, x := range n {
		if all == 0 {
			out[k] = 1 / float64(len(n))
		} else {
			out[k] = (x + a) / all
		}
	}
	return out
}
