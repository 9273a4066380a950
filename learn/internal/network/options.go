package network

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Common holds the options that structure learners share.
type Common struct {
	Score      string
	Default    string // the score of discrete data if Score is empty; see score.Default
	ESS        float64
	EdgePrior  string
	PriorOdds  float64
	Undirected bool    // of learners that leave directions open: an edge of the prior structure is both of them
	Prior      float64 `opt:"prior" range:"[0,inf)" wrong:"pseudo-count {prior}; want 0 or more"`
	MaxParents int     `opt:"max-parents" range:"[0,inf)" wrong:"at most {max-parents} parents; want 0 or more"` // of learners that bound them
	Softmax    float64 `opt:"softmax" range:"[0,inf)" wrong:"penalty {softmax} of softmax CPDs; want 0 or more"` // of learners that allow them; 0 is none

	learner.Constraints // of learners of structures
}

// Of returns the options of a learner that are shared. The score of discrete data is def unless own
// names one.
func Of(own any, def string) *Common {
	o := &Common{Default: def}
	options.Copy(o, own)
	return o
}

// Canonical calls learn with a job in canonical order, see [learner.Job.Canonical]. It first checks
// what errors name by the columns and rows as given.
func (o *Common) Canonical(ctx context.Context, job *learner.Job, learn func(context.Context, *learner.Job) (*learner.Result, error)) (*learner.Result, error) {
	if err := options.Check(o); err != nil {
		return nil, err
	}
	if err := score.Check(o.score(job.Train, job), job.Train); err != nil {
		return nil, err
	}
	if _, err := o.edgePrior(job.Train.Vars, job); err != nil {
		return nil, err
	}
	return Canonical(ctx, job, o.Constraints, o.Softmax > 0, learn)
}

// score returns the name of the score of a set.
func (o *Common) score(s *data.Set, job *learner.Job) string {
	switch {
	case o.Score != "":
		return o.Score
	case job.Prior != nil:
		return "bde"
	}
	return score.Default(o.Default, s.Vars)
}

// Scorer returns the scorer of a job's data.
func (o *Common) Scorer(job *learner.Job) (*score.Scorer, error) {
	return o.ScorerOf(job.Train, job)
}

// Ruled returns the scorer of a job's data, which fits no forbidden edge, and the rules about
// edges.
func (o *Common) Ruled(job *learner.Job) (*score.Scorer, *Rules, error) {
	s, err := o.Scorer(job)
	if err != nil {
		return nil, nil, err
	}
	rules, err := NewRules(job.Train.Vars, o.Constraints, o.Softmax > 0)
	if err == nil && o.Constraints != (learner.Constraints{}) {
		s = s.Barring(func(x, parent int) bool { return rules.Forbidden[[2]int{parent, x}] })
	}
	return s, rules, err
}

// RuledParents is Ruled for a learner that bounds the parents of a variable. It returns an error if
// required edges are more.
func (o *Common) RuledParents(job *learner.Job) (*score.Scorer, *Rules, error) {
	s, rules, err := o.Ruled(job)
	if err == nil {
		err = rules.fit(o.MaxParents)
	}
	return s, rules, err
}

// ScorerOf returns the scorer of another data set.
func (o *Common) ScorerOf(s *data.Set, job *learner.Job) (*score.Scorer, error) {
	if err := options.Check(o); err != nil {
		return nil, err
	}
	name, opt := o.score(s, job), score.Options{Size: o.ESS, Cores: job.Cores, Softmax: o.Softmax}
	var err error
	if opt.Edge, err = o.edgePrior(s.Vars, job); err != nil {
		return nil, err
	}
	switch {
	case job.Prior != nil && name != "bde":
		return nil, fmt.Errorf("a prior network is for score bde, not for %s", name)
	case job.Prior != nil:
		p, err := newPriorNetwork(s, job.Prior)
		if err != nil {
			return nil, err
		}
		opt.Prior = p.joint
	}
	return score.New(name, data.NewCounter(s, job.MaxMem), opt)
}

// Result returns the model and the report of a structure.
func (o *Common) Result(name string, s *score.Scorer, parents [][]int) (*learner.Result, error) {
	for x, p := range parents {
		if s.Kind.Name == "bde" && !s.Fits(x, p...) {
			return nil, fmt.Errorf("the prior network can't compute the joint distribution of %q and its %d parents; want fewer required edges", s.Counter.Set().Vars[x].Name, len(p))
		}
	}
	prefetchResult(s, parents)
	m, err := Model(name, s, parents, Estimate{Each: o.Prior})
	if err != nil {
		return nil, err
	}
	return &learner.Result{Models: []*model.Model{m}, Report: Report(s, parents)}, nil
}

// ClassResult returns the result for a structure of a class. If the class has none, it takes a
// structure with additional colliders, and forced is the number of variables that have them.
func (o *Common) ClassResult(name string, s *score.Scorer, class *graph.Partial) (r *learner.Result, forced int, err error) {
	parents, forced := class.Extend()
	vars := s.Counter.Set().Vars
	for x, p := range parents {
		if !s.Fits(x, p...) {
			return nil, 0, fmt.Errorf("the table of %q with %d parents has more than %d numbers", vars[x].Name, len(p), score.MaxFamily)
		}
	}
	if r, err = o.Result(name, s, parents); err != nil {
		return nil, 0, err
	}
	r.Report.Class = classEdges(class, vars)
	return r, forced, nil
}

// classEdges lists the edges of a class for a report.
func classEdges(class *graph.Partial, vars []data.Var) (list []learner.Edge) {
	for _, e := range class.Edges() {
		list = append(list, learner.Edge{From: vars[e.A].Name, To: vars[e.B].Name, Directed: e.Directed})
	}
	return list
}

// Classes reports whether structures with the same independences have the same score: with k2 they
// do not, nor if prior odds of edges depend on directions, or if there are discrete and real
// variables, or variables of the slice before.
func Classes(s *score.Scorer) bool {
	vars := s.Counter.Set().Vars
	mixed := slices.ContainsFunc(vars, func(v data.Var) bool { return v.Real != vars[0].Real })
	return s.Equivalent() == nil && !mixed && !slices.ContainsFunc(vars, func(v data.Var) bool { return v.Before })
}

// AddClass adds the class of a structure that keeps the rules to its result, if classes have
// scores.
func (r *Rules) AddClass(result *learner.Result, s *score.Scorer, parents [][]int) {
	if class, ok := r.Direct(graph.Of(parents)); ok && Classes(s) {
		result.Report.Class = classEdges(class, r.vars)
	}
}
