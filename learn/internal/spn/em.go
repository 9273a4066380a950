package spn

import (
	"context"
	"math"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// maxParts is the most parts of a data set that are counted at once.
const maxParts = 32

// DefaultMem is the memory for counts and values, in bytes, if a job has no limit.
const DefaultMem = 256 << 20

// Engine evaluates a network on a data set and computes expected counts.
type Engine struct {
	n     *Network
	set   *data.Set
	cores int
	parts []*machine
	ends  []int // by part: the index after its last row
}

// NewEngine returns an engine for a network with weights, but not blocks, that may change. Equal
// rows should have been merged. maxMem, in bytes, determines into how many parts the rows are
// split; 0 is DefaultMem.
func NewEngine(n *Network, set *data.Set, cores int, maxMem int64) *Engine {
	if maxMem == 0 {
		maxMem = DefaultMem
	}
	numbers := 2*lanes*int64(n.nodes) + 2*lanes*int64(len(n.blocks))
	for i := range n.blocks {
		numbers += int64(len(n.blocks[i].weights))
	}
	count := int(min(maxParts, max(1, maxMem/(8*numbers)), int64(set.Len()/lanes+1)))
	e := &Engine{n: n, set: set, cores: min(cores, max(1, count/2))}
	groups := (set.Len() + lanes - 1) / lanes
	for i := range count {
		e.parts = append(e.parts, newMachine(n, set))
		e.ends = append(e.ends, min(set.Len(), lanes*((i+1)*groups/count)))
	}
	return e
}

// each calls do for the rows of each part, eight at once.
func (e *Engine) each(do func(part int, m *machine, start, end int)) {
	learner.Each(e.cores, len(e.parts), func(i int) {
		start := 0
		if i > 0 {
			start = e.ends[i-1]
		}
		for ; start < e.ends[i]; start += lanes {
			do(i, e.parts[i], start, e.ends[i])
		}
	})
}

// Rows returns the log-probability of each row.
func (e *Engine) Rows() []float64 {
	out := make([]float64, e.set.Len())
	e.each(func(_ int, m *machine, start, end int) {
		log := m.up(start, end)
		copy(out[start:min(end, start+lanes)], log[:])
	})
	return out
}

// LogLik returns the weighted mean log-probability of the rows.
func (e *Engine) LogLik() float64 { return Mean(e.set, e.Rows()) }

// Mean returns the mean of one number a row of a set, weighted by the rows.
func Mean(s *data.Set, rows []float64) float64 {
	total, weight := 0.0, 0.0
	for row, x := range rows {
		if w := s.Weight(row); w > 0 {
			total += w * x
			weight += w
		}
	}
	return total / weight
}

// Expected returns the expected counts of each block's weights and the mean log-likelihood.
func (e *Engine) Expected() (counts [][]float64, loglik float64) {
	logs := make([]float64, e.set.Len())
	for _, m := range e.parts {
		if m.flow == nil {
			m.flow = make([]lane, e.n.nodes)
			for i := range e.n.blocks {
				m.counts = append(m.counts, make([]float64, len(e.n.blocks[i].weights)))
			}
		}
		for _, c := range m.counts {
			clear(c)
		}
	}
	e.each(func(_ int, m *machine, start, end int) {
		log := m.up(start, end)
		copy(logs[start:min(end, start+lanes)], log[:])
		var weight lane
		for k := range min(lanes, end-start) {
			weight[k] = e.set.Weight(start + k)
		}
		m.down(start, end, weight)
	})
	counts = e.parts[0].counts
	for i := range counts {
		for _, m := range e.parts[1:] {
			for k, x := range m.counts[i] {
				counts[i][k] += x
			}
		}
		if b := &e.n.blocks[i]; b.kind == sum {
			for k, w := range b.weights {
				counts[i][k] *= w
			}
		}
	}
	return counts, Mean(e.set, logs)
}

// maximise sets the weights to the maximum of the expected log-likelihood plus prior times the
// logarithm of each weight. Weights of 0 stay 0, and nodes that are never used keep their weights.
func (n *Network) maximise(counts [][]float64, prior float64) {
	for i := range n.blocks {
		b := &n.blocks[i]
		if !b.learned() {
			continue
		}
		width := len(b.weights) / b.size
		for j := range b.size {
			row, c := b.weights[j*width:(j+1)*width], counts[i][j*width:(j+1)*width]
			total := 0.0
			for k, w := range row {
				if w > 0 {
					total += c[k] + prior
				}
			}
			if !(total > 0) {
				continue
			}
			for k, w := range row {
				if w > 0 {
					row[k] = (c[k] + prior) / total
				}
			}
		}
	}
}

// penalty returns prior times the sum of the logarithms of all learned weights. EM never lowers its
// sum with the log-likelihood of all rows.
func (n *Network) penalty(prior float64) float64 {
	total := 0.0
	for i := range n.blocks {
		b := &n.blocks[i]
		if !b.learned() || prior == 0 {
			continue
		}
		for _, w := range b.weights {
			if w > 0 {
				total += prior * pgmrt.Ln(w)
			}
		}
	}
	return total
}

// EM holds the options of EM.
type EM struct {
	Rounds   int     // most rounds
	Prior    float64 // pseudo-count of each weight
	Gain     float64 // EM ends if the mean objective grows by no more, in nats per row
	Patience int     // rounds without a better validation score before the end
}

// Fitted is the result of EM.
type Fitted struct {
	Train, Valid float64 // mean log-likelihoods of the weights that were kept; Valid is 0 without a validation set
	Rounds       int
	Trace        []float64 // the objective before each round: the log-likelihood of all rows plus the penalty of the prior

	validated bool
}

// Score returns the mean log-likelihood of the validation set, or of the training rows if there is
// none.
func (f *Fitted) Score() float64 {
	if f.validated {
		return f.Valid
	}
	return f.Train
}

// Fit learns the weights of a network by EM and keeps the best: by the validation set if there is
// one, and the last otherwise. It stops early if ctx ends. Rows of probability 0 are not counted.
// It continues from the climb, or starts from the network's weights if from is nil. It calls keep
// in each round with its state and the best score; an error of keep ends it.
func (e EM) Fit(ctx context.Context, n *Network, job *learner.Job, from *Climb, keep func(at *Climb, score float64) error) (Fitted, error) {
	train := NewEngine(n, job.Train.Merged(), job.Cores, job.MaxMem)
	var valid *Engine
	if job.Valid != nil && job.Valid.Len() > 0 {
		valid = NewEngine(n, job.Valid.Merged(), job.Cores, job.MaxMem)
	}
	rows := 0.0
	for row := range job.Train.Len() {
		rows += job.Train.Weight(row)
	}
	var f Fitted
	var at Climb
	best := math.Inf(-1)
	if from != nil {
		if err := from.check(n, e.Rounds); err != nil {
			return f, learner.Damaged(err)
		}
		if at = *from; valid != nil {
			n.restore(at.BestWeights)
			f = Fitted{Train: train.LogLik(), Valid: valid.LogLik(), Rounds: at.Best, validated: true}
			best = f.Valid
		}
		n.restore(at.Weights)
	}
	for ; ; at.Round++ {
		counts, loglik := train.Expected()
		now, score := loglik*rows+n.penalty(e.Prior), loglik
		f.Trace = append(f.Trace, now)
		if valid != nil {
			score = valid.LogLik()
		}
		at.Weights = n.Weights()
		if valid == nil || score > best || at.Round == 0 {
			best, at.Best, at.BestWeights = score, at.Round, at.Weights
			f.Train, f.Rounds = loglik, at.Round
			if valid != nil {
				f.Valid, f.validated = score, true
			}
		}
		stands := at
		if err := keep(&stands, best); err != nil {
			return f, err
		}
		if at.Round >= e.Rounds || ctx.Err() != nil || at.Last != nil && now-at.Last[0] <= e.Gain*rows || valid != nil && at.Round-at.Best >= e.Patience {
			break
		}
		n.maximise(counts, e.Prior)
		if at.Last = nil; !math.IsInf(now, 0) && !math.IsNaN(now) {
			at.Last = []float64{now}
		}
	}
	n.restore(at.BestWeights)
	return f, nil
}
