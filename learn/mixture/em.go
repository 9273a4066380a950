package mixture

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/spn"
	"github.com/pgmc-go/pgmc/learn/trees"
)

// settled is the sum of the changes of the logarithms of all weights at which EM ends, as in mtlearn.
const settled = 0.01

// mixture is trees with weights. It does not change once it is made.
type mixture struct {
	trees   []*trees.Tree
	weights []float64
	score   float64 // mean log-likelihood: of the validation data where there are some
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

// fit learns a mixture of k trees from a random start.
func (e *em) fit(ctx context.Context, k, rounds int, tell func(round int, score float64)) *mixture {
	share := e.start(k)
	var best, last *mixture
	worse := 0
	for round := 1; ; round++ {
		m := e.maximise(share)
		logs := e.joint(m, e.train)
		loglik := spn.Mean(e.train, e.respond(logs, share))
		if e.trace != nil {
			e.trace(m, loglik)
		}
		m.score = loglik
		if e.valid != nil {
			m.score = spn.Mean(e.valid, e.respond(e.joint(m, e.valid), nil))
		}
		if worse++; best == nil || e.valid == nil || m.score > best.score {
			best, worse = m, 0
		}
		tell(round, best.score)
		if round == rounds || ctx.Err() != nil || worse >= patience || last != nil && change(last, m) <= settled {
			return best
		}
		last = m
	}
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
	m := &mixture{trees: make([]*trees.Tree, len(share)), weights: make([]float64, len(share))}
	learner.Each(e.cores, len(share), func(c int) {
		counts := e.index.Count(share[c])
		m.trees[c], m.weights[c] = counts.ChowLiu(e.prior), counts.Total+e.prior
	})
	sum := 0.0
	for _, w := range m.weights {
		sum += w
	}
	for c := range m.weights {
		if sum > 0 {
			m.weights[c] /= sum
		} else {
			m.weights[c] = 1 / float64(len(m.weights))
		}
	}
	return m
}

// joint is, by tree and row, the logarithm of the probability of both.
func (e *em) joint(m *mixture, set *data.Set) [][]float64 {
	logs := make([][]float64, len(m.trees))
	learner.Each(e.cores, len(logs), func(c int) {
		logs[c] = make([]float64, set.Len())
		m.trees[c].Rows(set, nil, logs[c])
		w := math.Log(m.weights[c])
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
		out[row] = trees.LogSum(term)
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
func change(a, b *mixture) float64 {
	sum := 0.0
	for c, w := range a.weights {
		if w != b.weights[c] { // a weight of 0 stays there
			sum += math.Abs(math.Log(w) - math.Log(b.weights[c]))
		}
	}
	return sum
}
