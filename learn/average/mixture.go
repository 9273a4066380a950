package average

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// maxNodes is the most nodes of the circuit of a mixture: some hundred megabytes.
const maxNodes = 1 << 21

// mix replaces the model of a result by a mixture of the most frequent members, with their
// frequencies as weights: the average of their predictions (Koller and Friedman, equation 18.10).
// Their CPTs are posterior means under the prior of the score.
func (l *Options) mix(r *learner.Result, s *score.Scorer, all map[string]*member) error {
	keys := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(all[b].n-all[a].n, cmp.Compare(a, b))
	})
	drawn, kept := 0, 0
	for i, k := range keys {
		if drawn += all[k].n; i < l.Mixture {
			kept += all[k].n
		}
	}
	keys = keys[:min(l.Mixture, len(keys))]
	estimate := network.Estimate{Each: l.Prior}
	switch s.Kind.Name {
	case "bdeu":
		estimate = network.Estimate{Size: l.ESS}
	case "k2":
		estimate.Each = 1
	}
	var weights []float64
	var networks []*model.Model
	for _, k := range keys {
		m, err := network.Model("average", s, all[k].parents, estimate)
		if err != nil {
			return err
		}
		networks, weights = append(networks, m), append(weights, float64(all[k].n)/float64(kept))
	}
	m, err := mixture(networks, weights)
	if err != nil {
		return err
	}
	if list := m.Check(); list.HasErrors() {
		return list.Err()
	}
	r.Models = []*model.Model{m}
	r.Report.Remarks = append(r.Report.Remarks, fmt.Sprintf("the model is a mixture of %d structures, which are %.1f%% of %d that were drawn; the score and the parameters above are of the best one",
		len(keys), 100*float64(kept)/float64(drawn), drawn))
	return nil
}

// mixture returns the mixture of networks over the same variables: a circuit if these are discrete,
// and otherwise a network with the structure as a further variable.
func mixture(networks []*model.Model, weights []float64) (*model.Model, error) {
	switch first := networks[0]; len(first.Reals()) {
	case 0:
		return mixedTables(networks, weights)
	case len(first.Vars):
		return mixedGaussians(networks, weights)
	}
	return nil, fmt.Errorf("the data has discrete and real variables; want all discrete or all real for a mixture of structures")
}

// mixedTables returns the mixture of networks of discrete variables.
func mixedTables(networks []*model.Model, weights []float64) (*model.Model, error) {
	m := &model.Model{Name: networks[0].Name, Kind: model.Markov}
	b := newBuilder(m, networks[0])
	var sum []int32
	for k, x := range networks {
		root, err := b.network(x)
		if err != nil {
			return nil, fmt.Errorf("mixture of %d structures: %w", len(networks), err)
		}
		sum = append(sum, b.product(b.number(weights[k]), root))
	}
	b.finish(b.sum(sum))
	return m, nil
}

// mixedGaussians returns the mixture of Gaussian networks. The variables of each network have a
// joint normal distribution, which has a CPD for each variable given all before it in one order, so
// that the structure is a parent of all variables in a network without cycles.
func mixedGaussians(networks []*model.Model, weights []float64) (*model.Model, error) {
	m := &model.Model{Name: networks[0].Name}
	n, name := len(networks[0].Vars), "structure"
	for _, v := range networks[0].Vars {
		m.NewReal(v.Name)
	}
	for slices.ContainsFunc(m.Vars, func(v *model.Var) bool { return v.Name == name }) {
		name += "_"
	}
	var states []string
	for k := range networks {
		states = append(states, strconv.Itoa(k+1))
	}
	which := m.NewVar(name, states...).ID
	dists := make([]*model.Gaussian, n)
	for i := range dists {
		dists[i] = &model.Gaussian{}
	}
	for _, x := range networks {
		mean, covariance := joint(x)
		var c mat.Cholesky
		if !c.Factorize(covariance) {
			return nil, fmt.Errorf("the covariance matrix of a structure is singular; want no variable that is a linear function of others")
		}
		var root mat.TriDense
		c.LTo(&root)
		for i, d := range dists {
			coef := make([]float64, i)
			constant := mean[i]
			for j := i - 1; j >= 0; j-- {
				left := root.At(i, j)
				for k := j + 1; k < i; k++ {
					left -= coef[k] * root.At(k, j)
				}
				coef[j] = left / root.At(j, j)
				constant -= coef[j] * mean[j]
			}
			d.Mean, d.Coef, d.Var = append(d.Mean, constant), append(d.Coef, coef...), append(d.Var, math.Pow(root.At(i, i), 2))
		}
	}
	for i, d := range dists {
		scope := []model.VarID{which}
		for j := range i + 1 {
			scope = append(scope, model.VarID(j))
		}
		m.Factors = append(m.Factors, &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: d})
	}
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{which}, Dist: &model.Table{Values: weights}})
	return m, nil
}

// joint returns the means and the covariances of a network of linear Gaussian CPDs.
func joint(m *model.Model) (mean []float64, covariance *mat.SymDense) {
	n := len(m.Vars)
	mean, covariance = make([]float64, n), mat.NewSymDense(n, nil)
	parents, dists := make([][]int, n), make([]*model.Gaussian, n)
	for _, f := range m.Factors {
		x := f.ChildVar()
		for _, u := range f.Parents() {
			parents[x] = append(parents[x], int(u))
		}
		dists[x] = f.Dist.(*model.Gaussian)
	}
	for i, order := 0, graph.Order(parents); i < n; i++ {
		x := order[i]
		d := dists[x]
		mean[x] = d.Mean[0]
		variance := d.Var[0]
		for k, u := range parents[x] {
			mean[x] += d.Coef[k] * mean[u]
			for _, y := range order[:i] {
				covariance.SetSym(x, y, covariance.At(x, y)+d.Coef[k]*covariance.At(u, y))
			}
		}
		for k, u := range parents[x] {
			variance += d.Coef[k] * covariance.At(x, u)
		}
		covariance.SetSym(x, x, variance)
	}
	return mean, covariance
}
