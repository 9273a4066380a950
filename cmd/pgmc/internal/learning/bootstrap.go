package learning

import (
	"context"
	"errors"
	"fmt"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// bootstrap learns once for each sample of the rows, with a new instance each time, and returns the
// shares of the edges.
func bootstrap(ctx context.Context, a *cli.App, f *Options, job *learner.Job) ([]learner.Posterior, error) {
	switch {
	case f.Bootstrap < 2:
		return nil, cli.Usagef("--bootstrap is %d; want 2 samples of the rows or more, such as 100", f.Bootstrap)
	case job.Train == nil || job.Train.Sequential():
		return nil, cli.Usagef("--bootstrap: samples are of independent rows; leave out --target, --sequence-column and --one-sequence")
	}
	shares, err := rate.Bootstrap(ctx, job.Train, f.Bootstrap, a.Seed, func(ctx context.Context, train *data.Set) (*model.Model, error) {
		part := *job
		part.Resume, part.Save = nil, nil // checkpoints belong to learning from all rows
		part.Train = train
		in, err := f.instance()
		if err != nil {
			return nil, err
		}
		r, err := learn.Run(ctx, in, &part)
		if err != nil {
			return nil, err
		}
		return r.Models[0], nil
	})
	if errors.Is(err, rate.ErrNoNetwork) {
		return nil, cli.Usagef("--bootstrap: %s learns no Bayesian network, whose edges could be counted", f.Algo)
	}
	if err != nil {
		return nil, err
	}
	return learner.PosteriorsOf(job.Train.Vars, shares), nil
}

// shareRemark is the sentence of the summary on the shares of edges.
func shareRemark(list []learner.Posterior, samples int) string {
	either, n := map[[2]string]float64{}, 0
	for _, p := range list {
		either[[2]string{min(p.From, p.To), max(p.From, p.To)}] += p.Probability
	}
	for _, share := range either {
		if share > .5 {
			n++
		}
	}
	return fmt.Sprintf("%d edges are in more than half of the networks of %d samples of the rows, in one direction or the other (--json lists the shares of both)", n, samples)
}
