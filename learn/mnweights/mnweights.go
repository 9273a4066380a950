package mnweights

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/pseudo"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner learns the weights of Markov networks.
var Learner = learner.Learner{
	Name: "mnweights",
	Doc:  "the weights of a Markov network, by pseudo-likelihood; the network is the initial model",
	New:  func() learner.Instance { return NewOptions() },
}

// Options holds the options of mnweights. A pointer to Options is the learner.
type Options struct {
	L1             string  `opt:"l1" default:"0" help:"L1 penalty per unit of each weight, in nats; of several, as in 1,2,5, the validation data choose"`
	WeightVariance float64 `opt:"weight-variance" default:"1" help:"variance of the Gaussian prior of each weight; 0 for none"`
	Steps          int     `opt:"steps" default:"100" help:"most iterations of the fit"`
	Tolerance      float64 `opt:"tolerance" default:"1e-6" help:"relative change of the objective in one iteration below which the fit ends"`
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

func (l *Options) shared() *pseudo.Options { return pseudo.Of(l) }

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	penalties, err := l.shared().Penalties(job, true)
	if err != nil {
		return nil, err
	}
	first, err := begin(job)
	if err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	best, points, remarks, err := pseudo.Path(job, penalties, func(l1 float64, before *pseudo.Fit) (*pseudo.Fit, error) {
		if before != nil {
			return l.shared().Fit(timed, job, before.Features, l1)
		}
		return l.shared().Fit(timed, job, first, l1)
	})
	if err != nil {
		return nil, err
	}
	m := best.Model("mnweights", job.Train.Vars)
	if job.Init != nil {
		m = pseudo.Rewrite(job.Init, best.Features)
	}
	r, err := best.Result(m, job.Train.Vars, points, remarks)
	if err != nil {
		return nil, err
	}
	return r, ctx.Err()
}

// begin returns the features of the initial network.
func begin(job *learner.Job) ([]pseudo.Feature, error) {
	vars := job.Train.Vars
	if job.Init != nil {
		if err := check(job.Init, vars); err != nil {
			return nil, err
		}
		return pseudo.FeaturesOf(job.Init)
	}
	list := pseudo.States(job.Train)
	for v := range vars {
		for u := range v {
			if n := (len(vars[u].States) - 1) * (len(vars[v].States) - 1); n > pseudo.MaxFeatures-len(list) {
				return nil, fmt.Errorf("all pairs of states have more than %d weights; give a network to begin from", pseudo.MaxFeatures)
			}
			list = append(list, pseudo.Pairs(vars, u, v)...)
		}
	}
	return list, nil
}

// check returns an error unless m is a network over the variables of the data.
func check(m *model.Model, vars []data.Var) error {
	if len(m.Vars) != len(vars) {
		return fmt.Errorf("the model to begin from has %d variables and the data %d; want the same", len(m.Vars), len(vars))
	}
	for i, v := range vars {
		switch {
		case m.Vars[i].Latent:
			return fmt.Errorf("variable %q of the model to begin from is latent; want one that is in the data", m.Vars[i].Name)
		case m.Vars[i].Name != v.Name || !slices.Equal(m.States(model.VarID(i)), v.States):
			return fmt.Errorf("variable %d of the model to begin from is %q, and of the data %q, or they differ in states; want the same", i, m.Vars[i].Name, v.Name)
		}
	}
	if list := m.Check(); list.HasErrors() {
		return list.Err()
	}
	return nil
}
