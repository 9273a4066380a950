package clg_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/model"
)

// switching returns a chain of n real variables, each with a switch of its own as a discrete
// parent. The posterior of the last one is a mixture of 2^n normal distributions.
func switching(n int) *model.Model {
	m := &model.Model{Name: "switching"}
	before := model.VarID(-1)
	for i := range n {
		d := m.NewVar(fmt.Sprint("d", i), "off", "on").ID
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{d}, Dist: &model.Table{Values: []float64{.5, .5}}})
		x := &model.Var{ID: model.VarID(len(m.Vars)), Name: fmt.Sprint("x", i), Domain: model.Real{}}
		m.Vars = append(m.Vars, x)
		scope, dist := []model.VarID{d}, &model.Gaussian{Mean: []float64{0, 1}, Var: []float64{1, 2}}
		if before >= 0 {
			scope, dist.Coef = append(scope, before), []float64{.5, .9}
		}
		scope = append(scope, x.ID)
		m.Factors = append(m.Factors, &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: dist})
		before = x.ID
	}
	return m
}

// partly returns a network in which a real variable is a function of its parents in some rows
// alone.
func partly() *model.Model {
	m := switching(2)
	for _, f := range m.Factors {
		if d := f.Gaussian(); d != nil {
			d.Var[0] = 0
			break
		}
	}
	return m
}

// TestRefused checks that a network whose strong tree is too wide is refused before anything is
// allocated, with the limit, and that so are queries without an answer.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		m       *model.Model
		queries []string
		want    string
	}{
		{switching(60), []string{"marginals"}, "joint states of {d"},
		{switching(3), []string{"kmpe=2"}, "method clg does not answer kmpe; want marginals"},
		{partly(), []string{"mpe"}, `the CPD of "x0" has rows of variance 0 and others`},
	} {
		_, err := compiler.Compile(context.Background(), c.m, compiler.Options{Queries: c.queries})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v; want %q", c.queries, err, c.want)
		}
	}
	if _, err := compiler.Compile(context.Background(), switching(8), compiler.Options{Queries: []string{"marginals"}}); err != nil {
		t.Error(err)
	}
}

// TestSharedPoints checks two components that share a discrete variable. Each has a value that
// others determine in one of its states alone, and not in the same one: neither state is then
// preferred.
func TestSharedPoints(t *testing.T) {
	m := &model.Model{Name: "shared"}
	d := m.NewVar("d", "a", "b").ID
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{d}, Dist: &model.Table{Values: []float64{.3, .7}}})
	for i, variance := range [][]float64{{0, 1}, {2, 0}} {
		x := m.NewReal(fmt.Sprint("x", i)).ID
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{d, x}, Child: 1, Dist: &model.Gaussian{Mean: []float64{1, 1}, Var: variance}})
	}
	s := compile(t, m, "marginals", "logprob", "mixture(x0)")
	s.check(t, brute.HybridEvidence{Reals: map[model.VarID]float64{1: 1, 2: 1}})
	s.check(t, brute.HybridEvidence{Reals: map[model.VarID]float64{1: 1}})
	s.check(t, brute.HybridEvidence{Reals: map[model.VarID]float64{1: 2, 2: 1}})
	s.check(t, brute.HybridEvidence{Reals: map[model.VarID]float64{1: 2, 2: 3}})
}
