package network

import (
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/graph"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Common are the options that learners of structures share.
type Common struct {
	Score      string
	Size, Edge float64 // of the score
	Each       float64 // pseudo-count of the tables
	MaxParents int     // for learners that have a bound
}

// Bind binds all but the bound, with a default score.
func (o *Common) Bind(fs *flag.FlagSet, kind string) {
	fs.StringVar(&o.Score, "score", kind, "what structures are rated by: loglik, aic, bic, k2, bdeu, loocv")
	fs.Float64Var(&o.Size, "ess", 1, "equivalent sample size of the score")
	fs.Float64Var(&o.Edge, "edge-prior", 0, "added to the score for each edge: the logarithm of its prior odds")
	fs.Float64Var(&o.Each, "prior", 1, "pseudo-count of each number of a table")
}

// BindMaxParents binds the bound.
func (o *Common) BindMaxParents(fs *flag.FlagSet, n int) {
	fs.IntVar(&o.MaxParents, "max-parents", n, "most parents of a variable")
}

// Scorer makes the scorer of a job's data.
func (o *Common) Scorer(job *learner.Job) (*score.Scorer, error) {
	return o.ScorerOf(job.Train, job.MaxMem)
}

// ScorerOf is Scorer for other data.
func (o *Common) ScorerOf(s *data.Set, maxMem int64) (*score.Scorer, error) {
	switch {
	case len(s.Vars) == 0:
		return nil, fmt.Errorf("the data has no columns; want one at least")
	case o.MaxParents < 0:
		return nil, fmt.Errorf("at most %d parents; want 0 or more", o.MaxParents)
	case !(o.Each >= 0) || math.IsInf(o.Each, 0):
		return nil, fmt.Errorf("pseudo-count %v; want a number from 0", o.Each)
	case math.IsNaN(o.Edge) || math.IsInf(o.Edge, 0):
		return nil, fmt.Errorf("logarithm of the prior odds of an edge %v; want a finite number", o.Edge)
	}
	return score.New(o.Score, data.NewCounter(s, maxMem), score.Options{Size: o.Size, Edge: o.Edge})
}

// Result is the model and the report of a structure.
func (o *Common) Result(name string, s *score.Scorer, parents [][]int) (*learner.Result, error) {
	m, err := Model(name, s.Counter, parents, Estimate{Each: o.Each})
	if err != nil {
		return nil, err
	}
	return &learner.Result{Models: []*model.Model{m}, Report: Report(s, parents)}, nil
}

// ClassResult is Result for a structure of a class. forced is the number of variables at which the structure has colliders that the class has
// not, where it has no structure.
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

// Find is the number of the variable of a name.
func Find(vars []data.Var, name string) (int, error) {
	for i, v := range vars {
		if v.Name == name {
			return i, nil
		}
	}
	return 0, fmt.Errorf("the data has no variable %q; the first of its %d is %q", name, len(vars), vars[0].Name)
}

// Class is the variable of a name, and the last one where the name is empty.
func Class(vars []data.Var, name string) (int, error) {
	if name == "" {
		return len(vars) - 1, nil
	}
	return Find(vars, name)
}

// Order reads an order of all variables: their names, split as a line of CSV is; that of the data where list is empty.
func Order(vars []data.Var, list string) ([]int, error) {
	var order []int
	if list == "" {
		for i := range vars {
			order = append(order, i)
		}
		return order, nil
	}
	order, err := Names(vars, list)
	if err != nil {
		return nil, fmt.Errorf("order: %w", err)
	}
	seen := make([]bool, len(vars))
	for _, i := range order {
		seen[i] = true
	}
	for i, ok := range seen {
		if !ok {
			return nil, fmt.Errorf("order: found %d of %d variables; %q is missing", len(order), len(vars), vars[i].Name)
		}
	}
	return order, nil
}

// Names reads a list of different variables, split as a line of CSV is.
func Names(vars []data.Var, list string) ([]int, error) {
	names, err := split(list)
	if err != nil {
		return nil, err
	}
	var out []int
	seen := make([]bool, len(vars))
	for _, name := range names {
		i, err := Find(vars, name)
		if err != nil {
			return nil, err
		}
		if seen[i] {
			return nil, fmt.Errorf("%q stands there twice", name)
		}
		seen[i] = true
		out = append(out, i)
	}
	return out, nil
}

// Edges reads a list of edges such as "a->b,b->c".
func Edges(vars []data.Var, list string) ([][2]int, error) {
	if list == "" {
		return nil, nil
	}
	items, err := split(list)
	if err != nil {
		return nil, err
	}
	var out [][2]int
	for _, item := range items {
		from, to, ok := strings.Cut(item, "->")
		if !ok {
			return nil, fmt.Errorf("edge %q; want one like a->b", item)
		}
		var e [2]int
		for k, name := range []string{from, to} {
			if e[k], err = Find(vars, strings.TrimSpace(name)); err != nil {
				return nil, fmt.Errorf("edge %q: %w", item, err)
			}
		}
		if e[0] == e[1] {
			return nil, fmt.Errorf("edge %q joins a variable to itself", item)
		}
		out = append(out, e)
	}
	return out, nil
}

// split splits lines of names with commas between them, names with commas in quotes.
func split(list string) ([]string, error) {
	r := csv.NewReader(strings.NewReader(list))
	r.FieldsPerRecord, r.TrimLeadingSpace = -1, true
	records, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("list of names: %w", err)
	}
	var out []string
	for _, rec := range records {
		for _, name := range rec {
			if name = strings.TrimSpace(name); name != "" {
				out = append(out, name)
			}
		}
	}
	return out, nil
}
