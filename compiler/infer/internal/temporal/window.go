package temporal

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Window returns the network of a number of slices, none of whose variables is latent. Those of
// the slice before a later window have the distribution front; without one they have uniform
// distributions, which their posteriors enter as likelihoods.
func Window(base *model.Model, n int, later bool, front *Front) *model.Model {
	before := base.Transition.Before
	flat := base.Unroll(n)
	out := &model.Model{Name: flat.Name, Kind: flat.Kind, File: flat.File, Factors: flat.Factors}
	for _, v := range flat.Vars {
		shown := *v
		shown.Latent = false
		out.Vars = append(out.Vars, &shown)
	}
	if !later {
		return out
	}
	out.Factors = nil
	for i, v := range before {
		old := *base.Vars[v]
		old.ID, old.Name, old.Latent, old.Given = model.VarID(len(flat.Vars)+i), old.Name+"@before", false, false
		out.Vars = append(out.Vars, &old)
		if front != nil {
			continue
		}
		k := base.Card(v)
		out.Factors = append(out.Factors, &model.Factor{Scope: []model.VarID{old.ID}, Dist: &model.Table{Values: slices.Repeat([]float64{1 / float64(k)}, k)}})
	}
	if front != nil {
		out.Factors = front.factors(base, model.VarID(len(flat.Vars)))
	}
	for _, f := range base.Transition.Factors {
		first := *f
		first.Scope = slices.Clone(f.Scope)
		for i, v := range first.Scope {
			if k := int(v) - len(base.Vars); k >= 0 {
				first.Scope[i] = model.VarID(len(flat.Vars) + k)
			}
		}
		out.Factors = append(out.Factors, &first)
	}
	out.Factors = append(out.Factors, flat.Factors[len(base.Factors):]...)
	return out
}
