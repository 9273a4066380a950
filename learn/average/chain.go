package average

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// walk is the state of a Markov chain.
type walk interface {
	// step proposes another state and accepts or rejects it.
	step(rng *rand.Rand) (moved bool)
	// sample adds the probability of each edge in this state, by child and parent.
	sample(edges [][]float64)
	// draw draws a structure in this state.
	draw(rng *rand.Rand) [][]int
	// best returns a structure of a high score in this state.
	best() (parents [][]int, score float64)
}

// chain is the result of one Markov chain.
type chain struct {
	edges   [][]float64 // sums over samples
	drawn   tally       // of a structure for each sample
	samples int
	steps   int
	moved   int
	parents [][]int // of the best structure
	score   float64
}

// run takes steps until all samples are drawn or ctx ends. Structures are drawn by numbers of their
// own, so that edges do not depend on what else is asked for.
func (l *Options) run(ctx context.Context, w walk, n int, rng, draws *rand.Rand, tell func()) *chain {
	c := &chain{edges: square(n), drawn: l.newTally(n), score: math.Inf(-1)}
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
			if !c.drawn.none() {
				c.drawn.add(w.draw(draws))
			}
			c.samples++
			if parents, score := w.best(); score > c.score {
				c.parents, c.score = parents, score
			}
			tell()
		}
	}
	return c
}

// best returns the chain with the best structure; nil if there are no samples.
func best(chains []*chain) (best *chain) {
	for _, c := range chains {
		if c.samples > 0 && (best == nil || c.score > best.score) {
			best = c
		}
	}
	return best
}

// pool returns the means of all samples, by the sums of each chain, and the largest difference
// between the means of two chains.
func pool(chains []*chain, sums func(c *chain) [][]float64) (mean [][]float64, apart float64) {
	samples := 0
	for _, c := range chains {
		samples += c.samples
	}
	mean = square(len(sums(chains[0])))
	for x := range mean {
		for u := range mean[x] {
			low, high := math.Inf(1), math.Inf(-1)
			for _, c := range chains {
				if c.samples == 0 {
					continue
				}
				sum := sums(c)[x][u]
				mean[x][u] += sum / float64(samples)
				low, high = min(low, sum/float64(c.samples)), max(high, sum/float64(c.samples))
			}
			apart = max(apart, high-low)
		}
	}
	return mean, apart
}

// addDrawn adds to a result what the structures that the chains drew are asked for.
func (l *Options) addDrawn(r *learner.Result, s *score.Scorer, chains []*chain) error {
	vars, one := s.Counter.Set().Vars, &chains[0].drawn
	if one.paths != nil {
		mean, _ := pool(chains, func(c *chain) [][]float64 { return c.drawn.paths })
		r.Report.Paths = learner.PosteriorsOf(vars, mean)
		r.Report.Remarks = append(r.Report.Remarks, likely(r.Report.Paths, "directed paths have"))
	}
	if one.blankets != nil {
		mean, _ := pool(chains, func(c *chain) [][]float64 { return c.drawn.blankets })
		r.Report.Blankets = learner.PosteriorsOf(vars, mean)
		r.Report.Remarks = append(r.Report.Remarks, likely(r.Report.Blankets, "pairs in each other's Markov blanket have"))
	}
	if one.members == nil {
		return nil
	}
	all := map[string]*member{}
	for _, c := range chains {
		for key, x := range c.drawn.members {
			if all[key] == nil {
				all[key] = &member{parents: x.parents}
			}
			all[key].n += x.n
		}
	}
	return l.mix(r, s, all)
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
