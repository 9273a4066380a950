package temporal

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Front is a distribution of the variables that persist: a table of the discrete ones, the last one
// varying fastest, and for each of its elements the means and covariances, row-major, of the real
// ones.
type Front struct {
	P         []float64
	Mean, Cov [][]float64
}

// noVariance is the variance that is left of another, as a share of it, that is taken for a
// rounding error.
const noVariance = 1e-13

// factors returns the front as CPDs of the variables of base that persist, by the chain rule. Their
// numbers are first and those after it.
func (f *Front) factors(base *model.Model, first model.VarID) []*model.Factor {
	var discrete, real []model.VarID // with numbers of base
	id := map[model.VarID]model.VarID{}
	for i, v := range base.Transition.Before {
		if id[v] = first + model.VarID(i); base.IsReal(v) {
			real = append(real, v)
		} else {
			discrete = append(discrete, v)
		}
	}
	var list []*model.Factor
	var scope []model.VarID
	for k, v := range discrete {
		scope = append(scope, id[v])
		list = append(list, &model.Factor{Scope: slices.Clone(scope), Child: k, Dist: &model.Table{Values: f.rows(base, discrete, k)}})
	}
	if len(real) == 0 {
		return list
	}
	likely := 0
	for row, p := range f.P {
		if p > f.P[likely] {
			likely = row
		}
	}
	cpds := make([]model.Gaussian, len(real))
	for row, p := range f.P {
		if p == 0 { // any moments do, and variances of 0 must be those of other rows
			row = likely
		}
		f.regress(row, cpds)
	}
	for k, v := range real {
		scope = append(scope, id[v])
		list = append(list, &model.Factor{Scope: slices.Clone(scope), Child: len(scope) - 1, Dist: &cpds[k]})
	}
	return list
}

// rows returns the CPD of discrete variable k given those before it. Rows of probability 0 are
// uniform.
func (f *Front) rows(base *model.Model, discrete []model.VarID, k int) []float64 {
	card, rest := base.Card(discrete[k]), 1
	for _, v := range discrete[k+1:] {
		rest *= base.Card(v)
	}
	out := make([]float64, len(f.P)/rest)
	for i, p := range f.P {
		out[i/rest] += p
	}
	for row := range slices.Chunk(out, card) {
		sum := 0.0
		for _, p := range row {
			sum += p
		}
		for s := range row {
			if row[s] /= sum; sum == 0 {
				row[s] = 1 / float64(card)
			}
		}
	}
	return out
}

// regress adds a row to the CPD of each real variable given those before it, by the factors L D L'
// of the covariances.
func (f *Front) regress(row int, cpds []model.Gaussian) {
	n := len(cpds)
	l, d := make([][]float64, n), make([]float64, n)
	for i := range n {
		l[i] = make([]float64, i)
		own := f.Cov[row][i*n+i]
		d[i] = own
		for j := range i {
			x := f.Cov[row][i*n+j]
			for k := range j {
				x -= float64(float64(l[i][k]*l[j][k]) * d[k])
			}
			if d[j] > 0 {
				l[i][j] = x / d[j]
			}
			d[i] -= float64(float64(l[i][j]*l[i][j]) * d[j])
		}
		if d[i] <= noVariance*own {
			d[i] = 0
		}
		coef := slices.Clone(l[i]) // of the variables before it: those of L, solved for
		for j := i - 1; j >= 0; j-- {
			for k := range j {
				coef[k] -= float64(coef[j] * l[j][k])
			}
		}
		mean := f.Mean[row][i]
		for j, c := range coef {
			mean -= float64(c * f.Mean[row][j])
		}
		cpds[i].Mean, cpds[i].Coef, cpds[i].Var = append(cpds[i].Mean, mean), append(cpds[i].Coef, coef...), append(cpds[i].Var, d[i])
	}
}
