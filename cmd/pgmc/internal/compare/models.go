package compare

import (
	"context"
	"fmt"
	"io"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// divergenceReport holds the divergences between two models, in nats. A divergence is null if it is
// infinite: a model draws a row to which the other gives probability 0.
type divergenceReport struct {
	Models  [2]string     `json:"models"`
	Samples int           `json:"samples"`
	KL      [2]*divergent `json:"kl"` // of the second from the first, by rows of the first; and reversed
}

// divergent is an estimate of a divergence.
type divergent struct {
	Mean   float64 `json:"mean"`
	StdErr float64 `json:"stderr"`
}

// Models estimates and prints the divergence of each of two models from the other.
func Models(ctx context.Context, a *cli.App, first, second string, f *Options) error {
	if f.Samples < 1 {
		return cli.Usagef("--samples is %d; want 1 or more", f.Samples)
	}
	if f.Evidence != nil || f.EvidenceFile != "" || f.SVG != "" {
		return cli.Usagef("two models are compared as a whole; leave out --evidence, --evidence-file and --svg")
	}
	var models [2]*model.Model
	var err error
	for i, path := range []string{first, second} {
		if models[i], err = a.Load(ctx, path, f.Format.Value); err != nil {
			return err
		}
	}
	r := &divergenceReport{Models: [2]string{first, second}, Samples: f.Samples}
	for i, m := range models {
		to, err := rate.Translate(r.Models[i], m, r.Models[1-i], models[1-i])
		if err != nil {
			return err
		}
		if r.KL[i], err = divergence(ctx, a, r.Models[i], m, r.Models[1-i], models[1-i], f.Samples, to); err != nil {
			return err
		}
	}
	if a.JSON {
		return a.PrintJSON(r)
	}
	_, err = io.WriteString(a.Stdout, r.text())
	return err
}

// divergence draws rows from p and scores them by both models. to turns them into rows of q.
func divergence(ctx context.Context, a *cli.App, pName string, p *model.Model, qName string, q *model.Model,
	samples int, to rate.Translation) (*divergent, error) {
	own, err := a.Engine(ctx, pName, p, "logprob")
	if err != nil {
		return nil, err
	}
	other, err := a.Engine(ctx, qName, q, "logprob")
	if err != nil {
		return nil, err
	}
	source, err := a.Engine(ctx, pName, p, "sample")
	if err != nil {
		return nil, err
	}
	rows, err := source.Sample(ctx, nil, samples)
	if err != nil {
		return nil, err
	}
	mean, stderr, err := rate.ModelDivergence(ctx, rows, own, other, to)
	if kl, _ := table.FiniteMean(mean, stderr); kl == nil || err != nil {
		return nil, err
	}
	return &divergent{mean, stderr}, nil
}

// text returns the report as text.
func (r *divergenceReport) text() string {
	text := ""
	for i, kl := range r.KL {
		text += fmt.Sprintf("KL(%s, %s) = ", r.Models[i], r.Models[1-i])
		if kl == nil {
			text += fmt.Sprintf("infinite: %s gives a row that %s drew probability 0\n", r.Models[1-i], r.Models[i])
			continue
		}
		text += fmt.Sprintf("%.6g nats, standard error %.2g, by %d rows\n", kl.Mean, kl.StdErr, r.Samples)
	}
	return text
}
