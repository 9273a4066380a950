package learn

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Run runs a learner. If the rows of the job are slices of sequences, and the learner does not
// learn from sequences itself, it learns twice: slice 0, from the first rows of all sequences or,
// of a single sequence, from all rows; and the transition, from all pairs of a row and the one
// before it, with variables, x@-1 for x, without parents (Koller and Friedman, section 17.5.1 on
// shared parameters; Friedman, Murphy and Russell 1998, Learning the structure of dynamic
// probabilistic networks). The result is the network of slice 0 with its transition.
func Run(ctx context.Context, in learner.Instance, job *learner.Job) (r *learner.Result, err error) {
	defer data.RecoverSource(&err)
	if _, itself := in.(learner.Sequential); itself || job.Train == nil || !job.Train.Sequential() {
		return in.Learn(ctx, job)
	}
	switch {
	case job.Init != nil:
		return nil, fmt.Errorf("the transition of sequences is learned without an initial model; leave it out")
	case job.Resume != nil || job.Save != nil:
		return nil, fmt.Errorf("learning from sequences has no checkpoints; leave them out")
	}
	first, next := job.Train.Steps()
	if next.Len() == 0 {
		return nil, fmt.Errorf("all %d sequences have one row; want some with two, which show how a slice follows from the one before", first.Len())
	}
	remark := fmt.Sprintf("slice 0 was learned from the first rows of %d sequences", first.Len())
	if first.Len() == 1 {
		first, remark = job.Train.Independent(), "there is one sequence, and slice 0 was learned from all of its rows"
	}
	if err := first.Check(); err != nil {
		return nil, fmt.Errorf("the first rows of the sequences, of which slice 0 is learned: %w", err)
	}
	part := *job
	part.Train, part.Valid = first, nil
	begin, err := in.Learn(ctx, &part)
	if err != nil {
		return nil, err
	}
	part.Train = next
	follow, err := in.Learn(ctx, &part)
	if follow == nil {
		return nil, err
	}
	m, joined := withTransition(begin.Models[0], follow.Models[0])
	if joined != nil {
		return nil, joined
	}
	r = &learner.Result{Models: []*model.Model{m}, Report: joinReports(job.Train, &begin.Report, &follow.Report)}
	r.Report.Remarks = append([]string{remark}, r.Report.Remarks...)
	return r, err
}

// withTransition returns the network of slice 0 with the transition that a network over the
// variables of two slices describes. Those of the slice before come first.
func withTransition(first, both *model.Model) (*model.Model, error) {
	n := model.VarID(len(first.Vars))
	t := &model.Transition{}
	place := map[model.VarID]model.VarID{}
	for _, f := range both.Factors {
		if f.ChildVar() < n {
			continue
		}
		for _, v := range f.Scope {
			if v < n && !slices.Contains(t.Before, v) {
				t.Before = append(t.Before, v)
			}
		}
	}
	slices.Sort(t.Before)
	for i, v := range t.Before {
		place[v] = n + model.VarID(i)
	}
	for _, f := range both.Factors {
		if f.ChildVar() < n {
			continue
		}
		g := *f
		g.Scope = slices.Clone(f.Scope)
		for i, v := range g.Scope {
			if v < n {
				g.Scope[i] = place[v]
			} else {
				g.Scope[i] = v - n
			}
		}
		t.Factors = append(t.Factors, &g)
	}
	out := *first
	out.Transition = t
	list := out.Check()
	return &out, list.Err()
}

// joinReports returns the report on a template: families of slice 0 are of variables x@0, and
// families of the transition of variables x. Scores add up, without the scores of the slice before.
func joinReports(s *data.Set, first, next *learner.Report) learner.Report {
	r := *next
	r.Families, r.Strengths = nil, nil
	r.Steps += first.Steps
	r.Stopped = r.Stopped || first.Stopped
	r.Remarks = append(slices.Clone(first.Remarks), next.Remarks...)
	at := func(name string) string { return name + "@0" }
	for _, f := range first.Families {
		of := learner.Family{Variable: at(f.Variable), Parents: []string{}, Score: f.Score}
		for _, p := range f.Parents {
			of.Parents = append(of.Parents, at(p))
		}
		r.Families = append(r.Families, of)
	}
	for _, e := range first.Strengths {
		r.Strengths = append(r.Strengths, learner.Strength{From: at(e.From), To: at(e.To), Strength: e.Strength})
	}
	r.Strengths = append(r.Strengths, next.Strengths...)
	r.Total, r.Params = first.Total, first.Params+next.Params
	for _, v := range s.Vars { // roots of the slice before
		if v.Real {
			r.Params -= 2 // a mean and a variance
		} else {
			r.Params -= len(v.States) - 1
		}
	}
	for _, f := range next.Families[len(s.Vars):] {
		r.Families, r.Total = append(r.Families, f), r.Total+f.Score
	}
	return r
}
