package average

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/learn/learner"
)

// walk is the state of a Markov chain.
type walk interface {
	// step proposes another state and accepts or rejects it.
	step(rng *rand.Rand) (moved bool)
	// sample adds the probability of each edge in this state, by child and parent.
	sample(edges [][]float64)
	// best returns a structure of a high score in this state.
	best() (parents [][]int, score float64)
}

// chain is the result of one Markov chain.
type chain struct {
	edges   [][]float64 // sums over samples
	samples int
	steps   int
	moved   int
	parents [][]int // of the best structure
	score   float64
}

// run takes steps until n samples are drawn or ctx ends.
func (l *Options) run(ctx context.Context, w walk, n int, rng *rand.Rand, tell func()) *chain {
	c := &chain{edges: make([][]float64, n), score: math.Inf(-1)}
	for x := range c.edges {
		c.edges[x] = make([]float64, n)
	}
	for total := l.BurnIn + l.Samples*l.Every; c.steps < total; {
		if c.steps%64 == 0 && ctx.Err() != nil {
			return c
		}
		c.steps++
		if w.step(rng) {
			c.moved++
		}
		if c.steps > l.BurnIn && (c.steps-l.BurnIn)%l.Every == 0 {
			w.sample(c.edges)
			c.samples++
			if parents, score := w.best(); score > c.score {
				c.parents, c.score = parents, score
			}
			tell()
		}
	}
	return c
}

// pool returns the means of all samples, the best structure, and the largest difference between the
// means of two chains.
func pool(chains []*chain, n int) (edges [][]float64, best *chain, apart float64) {
	edges = make([][]float64, n)
	samples := 0
	for _, c := range chains {
		if samples += c.samples; c.samples > 0 && (best == nil || c.score > best.score) {
			best = c
		}
	}
	for x := range edges {
		edges[x] = make([]float64, n)
		for u := range edges[x] {
			low, high := math.Inf(1), math.Inf(-1)
			for _, c := range chains {
				if c.samples == 0 {
					continue
				}
				edges[x][u] += c.edges[x][u] / float64(samples)
				mean := c.edges[x][u] / float64(c.samples)
				low, high = min(low, mean), max(high, mean)
			}
			apart = max(apart, high-low)
		}
	}
	return edges, best, apart
}

// counter returns a function that reports one more sample, of whichever chain.
func counter(job *learner.Job, total int) func() {
	done := make(chan int, 1)
	done <- 0
	return func() {
		n := <-done + 1
		if n%100 == 0 {
			job.ReportProgress(learner.Event{Done: n, Total: total})
		}
		done <- n
	}
}
