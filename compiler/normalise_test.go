package compiler_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// apart returns a model of two variables that do not depend on each other.
func apart(row ...float64) *model.Model {
	m := &model.Model{Name: "apart", Kind: model.Bayes}
	for _, name := range []string{"a", "b"} {
		v := m.NewVar(name, "yes", "no")
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v.ID}, Child: 0, Dist: &model.Table{Values: row}})
	}
	return m
}

// ladder returns a chain of n variables that step from no to yes at most once, with probability
// 2^-15: no product of its numbers is below that, though each CPD has such a number.
func ladder(n int) *model.Model {
	m := &model.Model{Name: "ladder", Kind: model.Bayes}
	for i := range n {
		v := m.NewVar(fmt.Sprintf("v%d", i), "no", "yes").ID
		f := &model.Factor{Scope: []model.VarID{v}, Dist: &model.Table{Values: []float64{1 - 0x1p-15, 0x1p-15}}}
		if i > 0 {
			f = &model.Factor{Scope: []model.VarID{v - 1, v}, Child: 1, Dist: &model.Table{Values: []float64{1 - 0x1p-15, 0x1p-15, 0, 1}}}
		}
		m.Factors = append(m.Factors, f)
	}
	return m
}

// TestNormalise counts the reciprocals from which downward passes begin, and the answers that are
// normalised one by one.
func TestNormalise(t *testing.T) {
	for _, c := range []struct {
		name             string
		m                *model.Model
		queries          []string
		params           ir.ParamMode
		inverts, answers int
	}{
		{"tree", irtest.Asia(), []string{"marginals"}, ir.Const, 1, 0},
		{"forest", apart(.2, .8), []string{"marginals"}, ir.Const, 2, 0},
		{"session", irtest.Asia(), []string{"marginals", "session"}, ir.Const, 0, 8},
		{"parameters", irtest.Asia(), []string{"marginals"}, ir.Var, 0, 8},
		{"small numbers that never meet", ladder(80), []string{"marginals"}, ir.Const, 1, 0},
		{"rescaled", apart(1e-250, 1), []string{"marginals"}, ir.Const, 0, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := compiler.Compile(context.Background(), c.m, compiler.Options{Queries: c.queries, Params: c.params})
			must(t, err)
			inverts, answers := 0, 0
			for _, b := range r.Program.Blocks {
				for _, s := range b.Steps {
					switch s.(type) {
					case *ir.Invert:
						inverts++
					case *ir.Normalize:
						answers++
					}
				}
			}
			if inverts != c.inverts || answers != c.answers {
				t.Errorf("%d reciprocals and %d normalised answers; want %d and %d", inverts, answers, c.inverts, c.answers)
			}
		})
	}
}
