package mixture

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/spn"
	"github.com/pgmc-go/pgmc/learn/internal/trees"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// settled is the sum of the changes of the logarithms of all weights at which EM ends, as in mtlearn.
const settled = 0.01

// mixture is trees with weights. It does not change once it is made.
type mixture struct {
	Trees   []*trees.Tree `json:"trees"`
	Weights []float64     `json:"weights"`
	score   float64       // mean log-likelihood: of the validation data where there are some
}

// em is what all mixtures of a job are learned from.
type em struct {
	train, valid *data.Set // merged; valid is nil where there is none
	index        *trees.Index
	cores        int
	seed         uint64
	prior        float64
	trace        func(m *mixture, loglik float64) // of each round, for tests; may be nil
}

func newEM(job *learner.Job, prior float64) (*em, error) {
	e := &em{train: job.Train.Merged(), cores: job.Cores, seed: job.Seed, prior: prior}
	if job.Valid != nil && job.Valid.Len() > 0 {
		e.valid = job.Valid.Merged()
	}
	var err error
	e.index, err = trees.NewIndex(e.train, nil, nil)
	return e, err
}

// climb is where EM stands in a round: with a mixture whose share of the rows is not worked out yet.
type climb struct {
	Round int       `json:"round"`
	Now   *mixture  `json:"now"`
	Last  []float64 `json:"last,omitempty"` // the weights one round before
	Best  *mixture  `json:"best,omitempty"` // of the rounds before
	Worse int       `json:"worse"`          // rounds since that one
}

// fit learns a mixture of k trees from a random start, or from where a climb stands. Keep is told of each round where it stands and the
// best score, and ends it by an error.
func (e *em) fit(ctx context.Context, k, rounds int, at *climb, keep func(at climb, score float64) error) (*mixture, error) {
	share := e.start(k)
	if at == nil {
		at = &climb{Round: 1, Now: e.maximise(share)}
	}
	for ; ; at.Round++ {
		before, m := *at, at.Now
		loglik := spn.Mean(e.train, e.respond(e.joint(m, e.train), share))
		if e.trace != nil {
			e.trace(m, loglik)
		}
		m.score = loglik
		if e.valid != nil {
			m.score = e.rate(m, e.valid)
		}
		if at.Worse++; at.Best == nil || e.valid == nil || m.score > at.Best.score {
			at.Best, at.Worse = m, 0
		}
		if err := keep(before, at.Best.score); err != nil {
			return nil, err
		}
		if at.Round == rounds || ctx.Err() != nil || at.Worse >= patience || at.Last != nil && change(at.Last, m.Weights) <= settled {
			return at.Best, nil
		}
		at.Last, at.Now = m.Weights, e.maximise(share)
	}
}

// rate is the mean log-likelihood of a set.
func (e *em) rate(m *mixture, set *data.Set) float64 {
	return spn.Mean(set, e.respond(e.joint(m, set), nil))
}

// start is how much of each row the trees have at first, by tree: at random.
func (e *em) start(k int) [][]float64 {
	rng := rand.New(rand.NewPCG(e.seed, uint64(k)))
	share := make([][]float64, k)
	for c := range share {
		share[c] = make([]float64, e.train.Len())
	}
	for row := range e.train.Len() {
		sum := 0.0
		for c := range share {
			share[c][row] = rng.Float64()
			sum += share[c][row]
		}
		for c := range share {
			share[c][row] *= e.train.Weight(row) / sum
		}
	}
	return share
}

// maximise makes the mixture that is best where rows belong to trees by these shares of their weight.
func (e *em) maximise(share [][]float64) *mixture {
	m := &mixture{Trees: make([]*trees.Tree, len(share)), Weights: make([]float64, len(share))}
	learner.Each(e.cores, len(share), func(c int) {
		counts := e.index.Count(share[c])
		m.Trees[c], m.Weights[c] = counts.ChowLiu(e.prior), counts.Total+e.prior
	})
	sum := 0.0
	for _, w := range m.Weights {
		sum += w
	}
	for c := range m.Weights {
		if sum > 0 {
			m.Weights[c] /= sum
		} else {
			m.Weights[c] = 1 / float64(len(m.Weights))
		}
	}
	return m
}

// joint is, by tree and row, the logarithm of the probability of both.
func (e *em) joint(m *mixture, set *data.Set) [][]float64 {
	logs := make([][]float64, len(m.Trees))
	learner.Each(e.cores, len(logs), func(c int) {
		logs[c] = make([]float64, set.Len())
		m.Trees[c].Rows(set, nil, logs[c])
		w := math.Log(m.Weights[c])
		for row := range logs[c] {
			logs[c][row] += w
		}
	})
	return logs
}

// respond gives the logarithm of the probability of each row, and puts the shares of its weight that trees have to share, where that is not nil. A
// row that no tree has belongs to none.
func (e *em) respond(logs [][]float64, share [][]float64) []float64 {
	out := make([]float64, len(logs[0]))
	term := make([]float64, len(logs))
	for row := range out {
		for c := range logs {
			term[c] = logs[c][row]
		}
		out[row] = floats.LogSumExp(term)
		if share == nil {
			continue
		}
		for c := range logs {
			share[c][row] = 0
			if !math.IsInf(out[row], -1) {
				share[c][row] = e.train.Weight(row) * math.Exp(term[c]-out[row])
			}
		}
	}
	return out
}

// change is by how much the logarithms of all weights differ.
func change(a, b []float64) float64 {
	sum := 0.0
	for c, w := range a {
		if w != b[c] { // a weight of 0 stays there
			sum += math.Abs(math.Log(w) - math.Log(b[c]))
		}
	}
	return sum
}
