package lda

import (
	"context"

	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner learns topics.
var Learner = learner.Learner{
	Name: "lda",
	Doc:  "topics of documents: latent Dirichlet allocation, by collapsed Gibbs sampling",
	New:  func() learner.Instance { return NewOptions() },
}

// Options holds the options of lda. A pointer to Options is the learner.
type Options struct {
	Topics   int     `opt:"topics" default:"10" help:"number of topics" range:"[1,10000]" wrong:"{topics} topics; want 1 to 10000"`
	Alpha    float64 `opt:"alpha" default:"0.1" help:"pseudo-count of each topic in a document, at the start" range:"(0,1e6]" wrong:"pseudo-count {alpha} of topics and {beta} of words; want more than 0 and at most 1e6"`
	Beta     float64 `opt:"beta" default:"0.01" help:"pseudo-count of each word in a topic, at the start" range:"(0,1e6]" wrong:"=alpha"`
	Fixed    bool    `opt:"fixed" help:"keep the pseudo-counts; otherwise they change to the most probable ones in the first half of the sweeps"`
	Sweeps   int     `opt:"sweeps" default:"500" help:"sweeps of the sampler over all words" range:"[1,inf)" wrong:"{sweeps} sweeps; want 1 or more"`
	Restarts int     `opt:"restarts" help:"further chains of sweeps, from other random topics; the most probable assignment of all chains counts" range:"[0,inf)" wrong:"{restarts} restarts; want 0 or more"`
	Document string  `opt:"document" help:"column that names the document; the default is the first one"`
	Count    string  `opt:"count" help:"column with the number of times that a row's word occurs; a row without a count is one word"`
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := job.Train.Check(); err != nil {
		return nil, err
	}
	if err := options.Check(l); err != nil {
		return nil, err
	}
	c, err := l.corpus(job.Train)
	if err != nil {
		return nil, err
	}
	chains := l.Restarts + 1
	if err := job.Room(c.bytes(l.Topics)*float64(chains), "the words and the counts of topics", "topics"); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	ends, count := make([]*sampler, chains), job.Counter(chains*l.Sweeps)
	learner.Each(job.Cores, chains, func(i int) { ends[i] = l.chain(timed, c, job.Seed, uint64(i), count) })
	best := ends[0]
	for _, s := range ends[1:] {
		if s.best > best.best {
			best = s
		}
	}
	r, err := l.result(job, c, best)
	if err != nil {
		return nil, err
	}
	r.Report.Stopped = timed.Err() != nil
	return r, ctx.Err()
}

// chain runs one chain and returns its sampler, at the most probable assignment.
func (l *Options) chain(ctx context.Context, c *corpus, seed, stream uint64, count func()) *sampler {
	s := newSampler(c, l.Topics, l.Alpha, l.Beta, seed, stream)
	for ; s.steps < l.Sweeps && ctx.Err() == nil; s.steps++ {
		s.sweep()
		switch {
		case s.steps >= l.Sweeps/2:
			s.keep()
		case !l.Fixed:
			s.adapt()
		}
		count()
	}
	if s.kept == nil { // stopped before
		s.keep()
	}
	s.restore()
	return s
}
