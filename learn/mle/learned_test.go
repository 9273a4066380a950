package mle_test

import (
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// wards returns a ward of three states with the children a and b of two, b before the ward in its
// scope, and c of three.
func wards() *model.Model {
	m := &model.Model{}
	ward := m.NewVar("ward", "0", "1", "2").ID
	a, b, c := m.NewVar("a", "0", "1").ID, m.NewVar("b", "0", "1").ID, m.NewVar("c", "0", "1", "2").ID
	table := func(n int) *model.Table { return &model.Table{Values: make([]float64, n)} }
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{ward}, Dist: table(3)},
		{Scope: []model.VarID{ward, a}, Child: 1, Dist: table(6)},
		{Scope: []model.VarID{b, ward}, Dist: table(6)},
		{Scope: []model.VarID{ward, c}, Child: 1, Dist: table(9)},
	}
	return m
}

// Rows of two CPDs share a prior, and rows of another CPD have their own. Posterior means and modes
// follow from it, also in a row without counts.
func TestSharedPrior(t *testing.T) {
	m := wards()
	n := mle.Counts{{3, 4, 5}, {9, 1, 2, 6, 0, 0}, {7, 1, 5, 0, 8, 2}, {4, 0, 1, 0, 6, 2, 1, 1, 3}}
	both := mle.LearnDirichlet([][]float64{{9, 1}, {2, 6}, {7, 0}, {1, 8}, {5, 2}})
	own := mle.LearnDirichlet([][]float64{{4, 0, 1}, {0, 6, 2}, {1, 1, 3}})
	for _, mode := range []bool{false, true} {
		less := 0.0
		if mode {
			less = 1
		}
		e, err := mle.New(m, mle.Options{Mode: mode, Prior: mle.Prior{Kind: mle.Learned}, Shared: [][]model.VarID{{1, 2}}})
		if err != nil {
			t.Fatal(err)
		}
		fitted := e.Fit(n, m)
		at := func(d mle.Dirichlet, row ...float64) (out []float64) {
			sum := 0.0
			for s, x := range row {
				out = append(out, max(0, x+d.Alpha[s]-less))
				sum += out[s]
			}
			for s := range out {
				out[s] /= sum
			}
			return out
		}
		irtest.Close(t, table(fitted, 1)[:4], append(at(both, 9, 1), at(both, 2, 6)...), 1e-14)
		less = 0 // without counts there is no mode inside, and the mean is taken
		irtest.Close(t, table(fitted, 1)[4:], at(both, 0, 0), 1e-14)
		if mode {
			continue
		}
		b := table(fitted, 2)
		irtest.Close(t, []float64{b[0], b[3], b[1], b[4], b[2], b[5]}, append(append(at(both, 7, 0), at(both, 1, 8)...), at(both, 5, 2)...), 1e-14)
		irtest.Close(t, table(fitted, 3)[3:6], at(own, 0, 6, 2), 1e-14)
		list := e.Learned(n, fitted)
		if len(list) != 3 || list[0].Rows != 5 || len(list[0].Vars) != 2 || !list[1].Pooled || list[2].Rows != 3 {
			t.Errorf("learned %+v", list)
		}
	}
}

// Groups that can't share a prior.
func TestSharedPriorErrors(t *testing.T) {
	for _, c := range []struct {
		opt  mle.Options
		want string
	}{
		{mle.Options{Shared: [][]model.VarID{{1, 3}}}, `"a" has 2 states and "c" has 3, so that they can't share a prior; want the same number`},
		{mle.Options{Shared: [][]model.VarID{{1, 2}, {2}}}, `"b" shares two priors; want one`},
		{mle.Options{Shared: [][]model.VarID{{1, 2}}, Fixed: []model.VarID{2}}, `the CPD of "b" has no table that is fitted, which could share a prior; want another variable`},
		{mle.Options{KeepZeros: true}, `numbers that stay 0 have no learned prior; want another prior`},
	} {
		c.opt.Prior.Kind = mle.Learned
		if _, err := mle.New(wards(), c.opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v; want %s", err, c.want)
		}
	}
}
