package module

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Learner learns module networks.
var Learner = learner.Learner{
	Name: "module",
	Doc:  "module network: groups of variables that share their parents and one CPD",
	New:  func() learner.Instance { return NewOptions() },
}

// Options holds the options of module. A pointer to Options is the learner.
type Options struct {
	Modules    int     `opt:"modules" default:"10" help:"most modules" range:"[1,inf)" wrong:"{modules} modules; want 1 or more"`
	Score      string  `opt:"score" default:"bdeu" help:"score of modules: loglik, aic, bic, k2, bdeu or loocv" range:"loglik|aic|bic|k2|bdeu|loocv" wrong:"unknown score {score}; want loglik, aic, bic, k2, bdeu or loocv"`
	ESS        float64 `opt:"ess" default:"1" help:"equivalent sample size of the score"`
	Prior      float64 `opt:"prior" default:"1" help:"pseudo-count of each parameter"`
	MaxParents int     `opt:"max-parents" default:"5" help:"most parents of a module"`
	Restarts   int     `opt:"restarts" default:"10" help:"further searches, each from the best result so far with variables moved at random" range:"[0,inf)" wrong:"{restarts} restarts; want 0 or more"`
	// No edge can be required, since all variables of a module would get it.
	Forbid string `opt:"forbid" help:"forbidden edges: a->b,b->c"`
	Tiers  string `opt:"tiers" help:"tiers of variables, from first to last: a,b<c<d; no edge leads from a later tier to an earlier one, and variables of no tier are free"`
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

func (l *Options) common() *network.Common { return network.Of(l, "bdeu") }

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := options.Check(l); err != nil {
		return nil, err
	}
	return l.common().Canonical(ctx, job, l.learn)
}

// learn learns from data in canonical order.
func (l *Options) learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	s, _, err := l.common().Ruled(job)
	if err != nil {
		return nil, err
	}
	kinds, n := kindsOf(job.Train.Vars)
	if n > l.Modules {
		return nil, diag.Errorf("%d modules for variables with %d different lists of states; want at least as many, by %v", l.Modules, n, diag.Option{Name: "modules", Value: fmt.Sprint(n)})
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	best, steps := l.search(timed, job, s, kinds)
	m, err := l.model(s, best)
	if err != nil {
		return nil, err
	}
	r := &learner.Result{Models: []*model.Model{m}, Report: l.report(s, best)}
	r.Report.Steps, r.Report.Stopped = steps, timed.Err() != nil
	return r, ctx.Err()
}

// model returns the network of modules.
func (l *Options) model(s *score.Scorer, list []module) (*model.Model, error) {
	m := &model.Model{Name: "module"}
	for _, v := range s.Counter.Set().Vars {
		m.NewVar(v.Name, v.States...)
	}
	m.Factors = make([]*model.Factor, len(m.Vars))
	for _, k := range list {
		var group, scope []model.VarID
		for _, u := range k.parents {
			scope = append(scope, model.VarID(u))
		}
		for _, x := range k.members {
			group = append(group, model.VarID(x))
			table := network.Estimate{Each: l.Prior}.Table(s.PooledCounts(k.members, k.parents), s.Counter.Card(x))
			m.Factors[x] = &model.Factor{Scope: append(scope[:len(scope):len(scope)], model.VarID(x)), Child: len(scope), Dist: &model.Table{Values: table}}
		}
		if len(group) > 1 {
			m.Tied = append(m.Tied, group)
		}
	}
	check := m.Check()
	return m, check.Err()
}

// report lists the families, each with what it adds to the score of its module, and the modules in
// the order of columns as given.
func (l *Options) report(s *score.Scorer, list []module) learner.Report {
	vars := s.Counter.Set().Vars
	r := learner.Report{Score: s.Kind.Name, Families: make([]learner.Family, len(vars))}
	in := make([]int, len(vars)) // the module of each variable
	for i, k := range list {
		parents := []string{}
		for _, u := range k.parents {
			parents = append(parents, vars[u].Name)
		}
		before := 0.0
		for j, x := range k.members {
			now := s.Pooled(k.members[:j+1], k.parents...)
			r.Families[x] = learner.Family{Variable: vars[x].Name, Parents: slices.Clone(parents), Score: now - before}
			in[x], before = i, now
		}
		r.Total += before
		r.Params += s.Parameters(k.members[0], k.parents...)
	}
	members := make([][]string, len(list))
	var order []int
	_, columns := s.Counter.Set().Given()
	for _, x := range columns {
		if members[in[x]] == nil {
			order = append(order, in[x])
		}
		members[in[x]] = append(members[in[x]], diag.QuoteName(vars[x].Name))
	}
	for n, i := range order {
		r.Remarks = append(r.Remarks, fmt.Sprintf("module %d: %s", n+1, strings.Join(members[i], ", ")))
	}
	return r
}
