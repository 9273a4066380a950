package em

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// mixture returns the network in which all variables depend on a hidden class with the given number
// of states, and the real ones also on hidden real variables, the factors. There is no class if
// there are factors and one cluster: that is factor analysis. The parameters are a stationary point
// of EM; callers replace them by random ones.
func mixture(vars []data.Var, clusters, factors int) (*model.Model, error) {
	if clusters < 1 || clusters > model.MaxStates {
		return nil, fmt.Errorf("%d clusters; want 1 to %d", clusters, model.MaxStates)
	}
	if factors > 0 && !slices.ContainsFunc(vars, func(v data.Var) bool { return v.Real }) || factors < 0 || factors > len(vars) {
		return nil, fmt.Errorf("%d factors; want real variables, and at most as many factors as variables", factors)
	}
	m := &model.Model{Name: "clusters"}
	for _, v := range vars {
		if v.Real {
			m.NewReal(v.Name)
		} else {
			m.NewVar(v.Name, v.States...)
		}
	}
	var class, hidden []model.VarID
	if clusters > 1 || factors == 0 {
		states := make([]string, clusters)
		for k := range states {
			states[k] = strconv.Itoa(k)
		}
		class = []model.VarID{latent(m.NewVar(unused(vars, "cluster"), states...))}
		m.Factors = append(m.Factors, &model.Factor{Scope: class, Dist: &model.Table{Values: even(clusters, clusters)}})
	}
	for k := range factors {
		v := latent(m.NewReal(unused(vars, "factor"+strconv.Itoa(k+1))))
		hidden = append(hidden, v)
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v}, Dist: standard(1, 0)})
	}
	for i, v := range vars {
		f := &model.Factor{Scope: slices.Clone(class)}
		if v.Real {
			f.Scope = append(f.Scope, hidden...)
		}
		f.Child = len(f.Scope)
		f.Scope = append(f.Scope, model.VarID(i))
		if v.Real {
			f.Dist = standard(clusters, factors)
		} else if n, ok := m.TableSize(f.Scope); ok {
			f.Dist = &model.Table{Values: even(n, len(v.States))}
		} else {
			return nil, fmt.Errorf("the table of %q with %d clusters has more than 2^31 numbers", v.Name, clusters)
		}
		m.Factors = append(m.Factors, f)
	}
	return m, nil
}

// latent makes a variable latent and returns its number.
func latent(v *model.Var) model.VarID {
	v.Latent = true
	return v.ID
}

// unused returns a name that no variable has: the given one, or one that begins with hidden_.
func unused(vars []data.Var, name string) string {
	for slices.ContainsFunc(vars, func(v data.Var) bool { return v.Name == name }) {
		name = "hidden_" + name
	}
	return name
}

// even returns n numbers in uniform distributions of card numbers each.
func even(n, card int) []float64 { return slices.Repeat([]float64{1 / float64(card)}, n) }

// standard returns rows of a Gaussian CPD with mean 0, variance 1 and coefficients of 0.
func standard(rows, parents int) *model.Gaussian {
	return &model.Gaussian{Mean: make([]float64, rows), Coef: make([]float64, rows*parents), Var: slices.Repeat([]float64{1}, rows)}
}
