package model_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestUndefined compares the undefined rows that NormalizeRows reports with those that some joint
// state of positive probability reaches, in random networks with many zeros.
func TestUndefined(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	refused, kept := 0, 0
	for range 500 {
		m := full(rng)
		reached := map[string]bool{}
		all := []model.VarID{0, 1, 2, 3, 4}
		state := make([]int, len(m.Vars))
		for more := true; more; more = m.Next(all, state) {
			p, undefined := 1.0, map[string]bool{}
			for _, f := range m.Factors {
				if x := m.Value(f, state); math.IsNaN(x) {
					where := ""
					for _, u := range f.Parents() {
						where += ", " + m.Vars[u].Name + "=" + m.States(u)[state[u]]
					}
					undefined[m.FactorName(f)+strings.Replace(where, ",", " at", 1)] = true
				} else {
					p *= x
				}
			}
			for row := range undefined {
				reached[row] = reached[row] || p > 0
			}
		}
		got, warned := m.NormalizeRows(model.RowsUniform)
		list := warned.Warnings()
		want := 0
		for row, yes := range reached {
			if yes {
				want++
				refused++
				found := false
				for _, w := range list {
					found = found || strings.Contains(w.Msg, row+" is undefined")
				}
				if !found && len(list) <= 10 {
					t.Errorf("%s is reached; got %v", row, list)
				}
			} else {
				kept++
			}
		}
		if want <= 10 && len(list) != want {
			t.Errorf("%d rows are reached; got %v", want, list)
		}
		if got.Undefined() != nil {
			t.Error("an undefined row is left")
		}
		for _, policy := range []model.Rows{model.RowsNormalize, model.RowsAsIs, model.RowsStrict} {
			if _, list := m.NormalizeRows(policy); list.HasErrors() != (want > 0) {
				t.Errorf("policy %d: %d rows are reached; got %v", policy, want, list.Err())
			}
		}
	}
	if refused == 0 || kept == 0 {
		t.Errorf("%d rows were reached and %d were not; want both", refused, kept)
	}
}

// TestUndefinedGaussian compares the undefined rows of Gaussian CPDs that NormalizeRows reports
// with those of tables in their place.
func TestUndefinedGaussian(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	reached, kept := 0, 0
	for range 300 {
		m := full(rng)
		real, last := *m, m.Factors[4]
		real.Vars, real.Factors = slices.Clone(m.Vars[:4]), slices.Clone(m.Factors[:4])
		real.NewReal("e")
		d, state := &model.Gaussian{}, make([]int, 5)
		for more := true; more; more = m.Next(last.Parents(), state) {
			row := m.Value(last, state) * 0 // NaN or 0
			d.Mean, d.Var = append(d.Mean, row+3), append(d.Var, row+2)
		}
		real.Factors = append(real.Factors, &model.Factor{Scope: append(last.Parents(), 4), Child: len(last.Scope) - 1, Dist: d})
		if list := real.Check(); list.HasErrors() {
			t.Fatal(list.Err())
		}
		_, want := m.NormalizeRows(model.RowsNormalize)
		got, list := real.NormalizeRows(model.RowsNormalize)
		if a, b := undefinedRows(list), undefinedRows(want); a != b {
			t.Errorf("found %s; want %s", a, b)
		}
		if strings.Contains(undefinedRows(want), `"e"`) {
			reached++
		} else if real.Factors[4].Gaussian() != got.Factors[4].Gaussian() {
			kept++
			for r, x := range got.Factors[4].Gaussian().Mean {
				if variance := got.Factors[4].Gaussian().Var[r]; x != 3 || variance != 2 {
					t.Errorf("mean %v, variance %v; want another row", x, variance)
				}
			}
		}
		if _, list := real.NormalizeRows(model.RowsUniform); list.HasErrors() != strings.Contains(undefinedRows(want), `"e"`) {
			t.Errorf("%v; want an error, since no distribution of numbers is uniform", list.Err())
		}
	}
	if reached == 0 || kept == 0 {
		t.Errorf("%d rows were reached and %d were not; want both", reached, kept)
	}
}

// undefinedRows returns what messages say before the advice.
func undefinedRows(list diag.List) (text string) {
	if list.HasErrors() {
		for _, line := range strings.Split(list.Err().Error(), "\n") {
			before, _, _ := strings.Cut(line, ";")
			text += before + "\n"
		}
	}
	return text
}

// full returns a random network of five variables with undefined rows.
func full(rng *rand.Rand) *model.Model {
	m := &model.Model{}
	for i := range 5 {
		v := m.NewVar(string(rune('a'+i)), []string{"0", "1", "2"}[:2+rng.IntN(2)]...)
		f := &model.Factor{}
		for u := range i {
			if rng.IntN(2) == 0 {
				f.Scope = append(f.Scope, model.VarID(u))
			}
		}
		f.Child = rng.IntN(len(f.Scope) + 1)
		f.Scope = append(f.Scope[:f.Child:f.Child], append([]model.VarID{v.ID}, f.Scope[f.Child:]...)...)
		m.Factors = append(m.Factors, f)
		fill(rng, m, f)
	}
	return m
}

// fill gives f rows that are undefined or have zeros, if it has parents.
func fill(rng *rand.Rand, m *model.Model, f *model.Factor) {
	n, _ := m.TableSize(f.Scope)
	values := make([]float64, n)
	child, state := f.ChildVar(), make([]int, len(m.Vars))
	index := func() int {
		i := 0
		for _, v := range f.Scope {
			i = i*m.Card(v) + state[v]
		}
		return i
	}
	for more := true; more; more = m.Next(f.Parents(), state) {
		undefined, sure := len(f.Scope) > 1 && rng.IntN(3) == 0, rng.IntN(m.Card(child))
		for s := range m.Card(child) {
			state[child] = s
			switch {
			case undefined:
				values[index()] = math.NaN()
			case s == sure:
				values[index()] = 1
			}
		}
		if !undefined && rng.IntN(2) == 0 {
			state[child] = (sure + 1) % m.Card(child)
			values[index()] = 0.5
			state[child] = sure
			values[index()] = 0.5
		}
		state[child] = 0
	}
	f.Dist = &model.Table{Values: values}
}

// TestPartlyUndefined has NaN where only numbers are allowed.
func TestPartlyUndefined(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name string
		kind model.Kind
		dist model.Dist
	}{
		{"a number of a row", model.Bayes, &model.Table{Values: []float64{nan, 1}}},
		{"dependency network", model.Dependency, &model.Table{Values: []float64{nan, nan}}},
		{"noisy-max", model.Bayes, &model.NoisyMax{Leak: []float64{nan, nan}}},
	} {
		m := &model.Model{Kind: c.kind}
		m.NewVar("a", "0", "1")
		m.Factors = []*model.Factor{{Scope: []model.VarID{0}, Dist: c.dist}}
		if list := m.Check(); !list.HasErrors() {
			t.Errorf("%s: accepted", c.name)
		}
	}
}
