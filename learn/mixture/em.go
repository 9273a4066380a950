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
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// settled is the sum of the absolute changes of the log weights at which EM ends, as in mtlearn.
const settled = 0.01

// mixture is a list of trees with weights. It is immutable.
type mixture struct {
	Trees   []*trees.Tree `json:"trees"`
	Weights []float64     `json:"weights"`
	score   float64       // mean log-likelihood, of the validation data if there are some
}

// em holds the data from which all mixtures of a job are learned.
type em struct {
	train, valid *data.Set // equal rows merged; valid is nil without validation data
	index        *trees.Index
	cores        int
	seed         uint64
	prior        float64
	trace        func(m *mixture, loglik float64) // called in each round by tests; may be nil
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

// climb is the state of EM in a round, before the E-step of its mixture.
type climb struct {
	Round int       `json:"round"`
	Now   *mixture  `json:"now"`
	Last  []float64 `json:"last,omitempty"` // the weights one round before
	Best  *mixture  `json:"best,omitempty"` // of the earlier rounds
	Worse int       `json:"worse"`          // rounds since that one
}

// fit learns a mixture of k trees from a random start, or from a stored climb. It calls keep in
// each round with its state and the best score; an error of keep ends it.
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

// rate returns the mean log-likelihood of a set.
func (e *em) rate(m *mixture, set *data.Set) float64 {
	return spn.Mean(set, e.respond(e.joint(m, set), nil))
}

// start returns random initial responsibilities, by tree and row.
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

// maximise returns the best mixture for the given responsibilities.
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

// joint returns, by tree and row, the logarithm of their joint probability.
func (e *em) joint(m *mixture, set *data.Set) [][]float64 {
	logs := make([][]float64, len(m.Trees))
	learner.Each(e.cores, len(logs), func(c int) {
		logs[c] = make([]float64, set.Len())
		m.Trees[c].Rows(set, nil, logs[c])
		w := pgmrt.Ln(m.Weights[c])
		for row := range logs[c] {
			logs[c][row] += w
		}
	})
	return logs
}

// respond returns the log-probability of each row. If share is not nil, it receives the
// responsibilities times the row weights. A row of probability 0 under all trees belongs to none.
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

// change returns the sum of the absolute changes of the log weights.
func change(a, b []float64) float64 {
	sum := 0.0
	for c, w := range a {
		if w != b[c] { // a weight of 0 does not change
			sum += math.Abs(pgmrt.Ln(w) - pgmrt.Ln(b[c]))
		}
	}
	return sum
}
