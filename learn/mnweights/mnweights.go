package mnweights

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/pseudo"
	"github.com/pgmc-go/pgmc/learn/internal/rowset"
	"github.com/pgmc-go/pgmc/learn/learner"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
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
		m = rewrite(job.Init, best.Features)
	}
	r, err := best.Result(m, job.Train.Vars, points, remarks)
	if err != nil {
		return nil, err
	}
	return r, ctx.Err()
}

// maxFeatures is the most features. Each costs some milliseconds for ten thousand rows until all
// are fitted.
const maxFeatures = 1 << 20

// begin returns the features of the initial network.
func begin(job *learner.Job) ([]pseudo.Feature, error) {
	vars := job.Train.Vars
	if job.Init != nil {
		if err := check(job.Init, vars); err != nil {
			return nil, err
		}
		return features(job.Init)
	}
	list := pseudo.States(job.Train)
	for v := range vars {
		for u := range v {
			if n := (len(vars[u].States) - 1) * (len(vars[v].States) - 1); n > maxFeatures-len(list) {
				return nil, fmt.Errorf("all pairs of states have more than %d weights; give a network to begin from", maxFeatures)
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

// listed returns the features of a potential that lists them, and nil for one that becomes a table.
func listed(f *model.Factor) *model.Features {
	if d, ok := f.Dist.(*model.Features); ok && f.Child < 0 {
		return d
	}
	return nil
}

// features returns the features of a network: of each factor in turn, its own, or one for each
// number of its table.
func features(m *model.Model) ([]pseudo.Feature, error) {
	var list []pseudo.Feature
	for _, f := range m.Factors {
		if d := listed(f); d != nil {
			for _, x := range d.List {
				list = append(list, pseudo.Feature{Tests: tests(f, x.Literals), Weight: x.Weight})
			}
			continue
		}
		values, err := m.Tabulate(f, maxFeatures-len(list))
		if err != nil {
			return nil, err
		}
		state := make([]int, len(m.Vars))
		for _, x := range values {
			var on []rowset.Test
			for _, v := range f.Scope {
				on = append(on, rowset.Test{Var: int(v), State: state[v]})
			}
			list = append(list, pseudo.Feature{Tests: on, Weight: pgmrt.Ln(x)})
			m.Next(f.Scope, state)
		}
	}
	if len(list) > maxFeatures {
		return nil, fmt.Errorf("the network to begin from has %d features; the limit is %d", len(list), maxFeatures)
	}
	return list, nil
}

func tests(f *model.Factor, literals []model.Literal) (list []rowset.Test) {
	for _, l := range literals {
		list = append(list, rowset.Test{Var: int(f.Scope[l.Axis]), State: int(l.State), Not: l.Not})
	}
	return list
}

// rewrite returns the network with other weights. Tables are scaled so that their largest number is
// 1.
func rewrite(m *model.Model, list []pseudo.Feature) *model.Model {
	out := *m
	out.Kind, out.Factors = model.Markov, nil
	for _, f := range m.Factors {
		g := &model.Factor{Scope: f.Scope, Child: -1, Pos: f.Pos}
		if d := listed(f); d != nil {
			x := &model.Features{List: slices.Clone(d.List)}
			for i := range x.List {
				x.List[i].Weight = list[i].Weight
			}
			g.Dist, g.RowPos, list = x, f.RowPos, list[len(x.List):]
		} else {
			n, _ := m.TableSize(f.Scope)
			g.Dist, list = table(list[:n]), list[n:]
		}
		out.Factors = append(out.Factors, g)
	}
	return &out
}

// table returns the exponentials of weights, divided by the largest.
func table(list []pseudo.Feature) *model.Table {
	most := -math.MaxFloat64
	for _, x := range list {
		most = max(most, x.Weight)
	}
	d := &model.Table{}
	for _, x := range list {
		d.Values = append(d.Values, math.Exp(x.Weight-most))
	}
	return d
}
