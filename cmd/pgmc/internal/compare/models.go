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
	models := [2]named{{name: first}, {name: second}}
	var err error
	for i := range models {
		if models[i].m, err = a.Load(ctx, models[i].name, f.Format.Value); err != nil {
			return err
		}
	}
	r := &divergenceReport{Models: [2]string{first, second}, Samples: f.Samples}
	for i := range models {
		if r.KL[i], err = divergence(ctx, a, models[i], models[1-i], f.Samples); err != nil {
			return err
		}
	}
	if a.JSON {
		return a.PrintJSON(r)
	}
	_, err = io.WriteString(a.Stdout, r.text())
	return err
}

// named is a model and its name in messages.
type named struct {
	name string
	m    *model.Model
}

// divergence draws rows from p and scores them by both models.
func divergence(ctx context.Context, a *cli.App, p, q named, samples int) (*divergent, error) {
	to, err := rate.Translate(p.name, p.m, q.name, q.m)
	if err != nil {
		return nil, err
	}
	own, err := a.Engine(ctx, p.name, p.m, "logprob")
	if err != nil {
		return nil, err
	}
	other, err := a.Engine(ctx, q.name, q.m, "logprob")
	if err != nil {
		return nil, err
	}
	source, err := a.Engine(ctx, p.name, p.m, "sample")
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
