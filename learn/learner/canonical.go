package learner

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// Canonical calls learn with the job's data in canonical order, see [data.Set.Canonical], and
// returns the result with variables and families in the order of the job. The result of a learner
// that calls it then depends on the order of columns and rows in nothing else. Checkpoints are of
// the canonical order. Data of sequences stays as it is. rows is set for learners that draw rows or
// sum over them in their order. Canonical returns the error of [data.Set.Check], except for an
// empty column with an initial model, in which it may be hidden.
func (j *Job) Canonical(ctx context.Context, rows bool, learn func(context.Context, *Job) (*Result, error)) (*Result, error) {
	if j.Train.Sequential() || j.Train.IsCanonical() {
		return learn(ctx, j)
	}
	var empty data.EmptyColumn
	if err := j.Train.Check(); err != nil && (j.Init == nil || !errors.As(err, &empty)) {
		return nil, err
	}
	in := *j
	var place []int
	in.Train, place = j.Train.Canonical(rows, j.Cores)
	if j.Valid != nil {
		in.Valid = j.Valid.Columns(place).ByContent()
	}
	r, err := learn(ctx, &in)
	if r == nil || len(r.Models) == 0 {
		return r, err
	}
	out := &Result{Report: r.Report}
	for _, m := range r.Models {
		out.Models = append(out.Models, arrange(m, in.Train.Vars, place))
	}
	at := map[string]int{}
	for _, v := range out.Models[0].Vars {
		at[v.Name] = int(v.ID)
	}
	slices.SortStableFunc(out.Report.Families, func(a, b Family) int { return cmp.Compare(at[a.Variable], at[b.Variable]) })
	return out, err
}

// arrange returns a model with the variables vars, its first ones, at other places, and factors in
// the order of their children. A model of other variables, such as an initial model's, stays as it
// is.
func arrange(m *model.Model, vars []data.Var, place []int) *model.Model {
	for i, x := range vars {
		if i >= len(m.Vars) || m.Vars[i].Name != x.Name {
			return m
		}
	}
	to := func(v model.VarID) model.VarID {
		if int(v) < len(place) {
			return model.VarID(place[v])
		}
		return v
	}
	all := func(list []model.VarID) []model.VarID {
		out := make([]model.VarID, len(list))
		for i, v := range list {
			out[i] = to(v)
		}
		return out
	}
	out := *m
	out.Vars, out.Factors, out.Tied = slices.Clone(m.Vars), nil, nil
	for _, v := range m.Vars {
		w := *v
		w.ID = to(v.ID)
		out.Vars[w.ID] = &w
	}
	for _, f := range m.Factors {
		g := *f
		g.Scope = all(f.Scope)
		out.Factors = append(out.Factors, &g)
	}
	slices.SortStableFunc(out.Factors, func(a, b *model.Factor) int { return cmp.Compare(a.ChildVar(), b.ChildVar()) })
	for _, group := range m.Tied {
		out.Tied = append(out.Tied, all(group))
	}
	return &out
}
