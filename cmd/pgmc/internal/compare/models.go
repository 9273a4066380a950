package compare

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/chart"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/picture"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// divergenceReport holds the differences of the structures of two models, and the divergences
// between them in nats. A divergence is null if it is infinite: a model draws a row to which the
// other gives probability 0.
type divergenceReport struct {
	Models  [2]string `json:"models"`
	Samples int       `json:"samples"`
	// Structure counts the edges that both models have, or one of them.
	Structure picture.Difference `json:"structure"`
	KL        [2]*divergent      `json:"kl"` // of the second from the first, by rows of the first; and reversed
}

// divergent is an estimate of a divergence.
type divergent struct {
	Mean   float64 `json:"mean"`
	StdErr float64 `json:"stderr"`
}

// Models compares the structures of two models, draws them if the options name a file, estimates
// the divergence of each from the other, and prints both.
func Models(ctx context.Context, a *cli.App, first, second string, f *Options) error {
	if f.Samples < 1 {
		return cli.Usagef("--samples is %d; want 1 or more", f.Samples)
	}
	if err := cli.CheckEnding(f.SVG, "", append(slices.Clone(chart.Endings), ".dot", ".gv")...); err != nil {
		return err
	}
	if f.Evidence != nil || f.EvidenceFile != "" {
		return cli.Usagef("two models are compared as a whole; leave out --evidence and --evidence-file")
	}
	models := [2]named{{name: first}, {name: second}}
	var err error
	for i := range models {
		if models[i].m, err = a.Load(ctx, models[i].name, f.Format.Value); err != nil {
			return err
		}
	}
	r := &divergenceReport{Models: [2]string{first, second}, Samples: f.Samples}
	g, difference := picture.Compare(models[0].m, models[1].m)
	g.Name = first + " and " + second
	r.Structure = difference
	if f.SVG != "" {
		if err := picture.WriteDrawing(ctx, a, f.SVG, g); err != nil {
			return err
		}
	}
	for i := range models {
		if r.KL[i], err = divergence(ctx, a, models[i], models[1-i], f.Samples); err != nil {
			return err
		}
	}
	return a.Print(r, r.text)
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
	rows, err := own.Draw(ctx, nil, samples)
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
	d := &r.Structure
	text := fmt.Sprintf("structure: %d %s in both, %d missing in the second, %d added, %d turned\n", d.Common, table.Plural("edge", d.Common), d.Missing, d.Added, d.Turned)
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
