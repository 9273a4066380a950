package network

import (
	"flag"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Common holds the options that structure learners share.
type Common struct {
	Score      string
	Default    string  // the score of discrete data if Score is empty; see score.Default
	Size, Edge float64 // of the score: equivalent sample size, and prior of an edge
	Each       float64 // pseudo-count of each parameter
	MaxParents int     // most parents, for learners that bound them
	Softmax    float64 // penalty of softmax CPDs, for learners that allow them; 0 is none

	Constraints // of learners of structures
}

// scores lists the scores that learners take.
const scores = "loglik, aic or bic, bge for real variables, k2, bdeu or loocv for discrete ones"

// Bind declares the flags of all options except the bound on parents. def is the default score of
// discrete data, or empty if it is the default of the flag.
func Bind(fs *flag.FlagSet, def string, score *string, ess, edgePrior, prior *float64) {
	usage := "score of structures: " + scores
	if def != "" {
		usage += "; the default is " + def + ", and bic for data with real variables"
	}
	fs.StringVar(score, "score", *score, usage)
	fs.Float64Var(ess, "ess", *ess, "equivalent sample size of the score")
	fs.Float64Var(edgePrior, "edge-prior", *edgePrior, "log prior odds of an edge, added to the score for each edge")
	fs.Float64Var(prior, "prior", *prior, "pseudo-count of each parameter")
}

// BindMaxParents declares the flag of the bound on parents.
func BindMaxParents(fs *flag.FlagSet, n *int) {
	fs.IntVar(n, "max-parents", *n, "most parents of a variable")
}

// BindSoftmax declares the flag of softmax CPDs.
func BindSoftmax(fs *flag.FlagSet, penalty *float64) {
	fs.Float64Var(penalty, "softmax", *penalty, "let real variables be parents of discrete ones, by softmax CPDs with this penalty, such as 1; 0 is never")
}

// Scorer returns the scorer of a job's data.
func (o *Common) Scorer(job *learner.Job) (*score.Scorer, error) {
	return o.ScorerOf(job.Train, job)
}

// Ruled returns the scorer of a job's data, which fits no forbidden edge, and the rules about edges.
func (o *Common) Ruled(job *learner.Job) (*score.Scorer, *Rules, error) {
	s, err := o.Scorer(job)
	if err != nil {
		return nil, nil, err
	}
	rules, err := NewRules(job.Train.Vars, o.Constraints, o.Softmax > 0)
	if err == nil && o.Constraints != (Constraints{}) {
		s = s.Barring(func(x, parent int) bool { return rules.Forbidden[[2]int{parent, x}] })
	}
	return s, rules, err
}

// ScorerOf returns the scorer of another data set.
func (o *Common) ScorerOf(s *data.Set, job *learner.Job) (*score.Scorer, error) {
	switch {
	case o.MaxParents < 0:
		return nil, fmt.Errorf("at most %d parents; want 0 or more", o.MaxParents)
	case !(o.Each >= 0) || math.IsInf(o.Each, 0):
		return nil, fmt.Errorf("pseudo-count %v; want 0 or more", o.Each)
	case math.IsNaN(o.Edge) || math.IsInf(o.Edge, 0):
		return nil, fmt.Errorf("log prior odds of an edge %v; want a finite number", o.Edge)
	}
	if !(o.Softmax >= 0) || math.IsInf(o.Softmax, 0) {
		return nil, fmt.Errorf("penalty %v of softmax CPDs; want 0 or more", o.Softmax)
	}
	name := o.Score
	if name == "" {
		name = score.Default(o.Default, s.Vars)
	}
	return score.New(name, data.NewCounter(s, job.MaxMem), score.Options{Size: o.Size, Edge: o.Edge, Cores: job.Cores, Softmax: o.Softmax})
}

// Result returns the model and the report of a structure.
func (o *Common) Result(name string, s *score.Scorer, parents [][]int) (*learner.Result, error) {
	m, err := Model(name, s, parents, Estimate{Each: o.Each})
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
	for _, e := range class.Edges() {
		r.Report.Class = append(r.Report.Class, learner.Edge{From: vars[e.A].Name, To: vars[e.B].Name, Directed: e.Directed})
	}
	return r, forced, nil
}
