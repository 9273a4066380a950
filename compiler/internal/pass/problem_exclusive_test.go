package pass_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/internal/pass"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestProblemLocalExclusive splits the leaves of a tree that tests c if a is 1 and b otherwise:
// exactly one holds at each joint state. They stay together for belief propagation only, and not if
// one is missing or holds together with another.
func TestProblemLocalExclusive(t *testing.T) {
	is := func(axis int, state int32) model.Literal { return model.Literal{Axis: axis, State: state} }
	leaves := []model.Feature{
		{Weight: 1, Literals: []model.Literal{is(0, 1), is(2, 0)}},
		{Weight: 2, Literals: []model.Literal{is(0, 1), {Axis: 2, State: 0, Not: true}}},
		{Weight: 3, Literals: []model.Literal{is(0, 0), is(1, 0)}},
		{Weight: 4, Literals: []model.Literal{is(0, 0), is(1, 1)}},
	}
	whole := &ir.Approximation{KeepsExclusive: true}
	for _, c := range []struct {
		name    string
		by      *ir.Approximation
		list    []model.Feature
		factors int
	}{
		{"belief propagation", whole, leaves, 1},
		{"exact", nil, leaves, 2},
		{"a leaf is missing", whole, leaves[1:], 2},
		{"two hold together", whole, append(leaves[:3:3], model.Feature{Weight: 4, Literals: []model.Literal{is(1, 1)}}), 3},
	} {
		m := &model.Model{Kind: model.Markov}
		m.NewVar("a", "0", "1")
		m.NewVar("b", "0", "1")
		m.NewVar("c", "0", "1", "2")
		m.Factors = []*model.Factor{{Scope: []model.VarID{0, 1, 2}, Child: -1, Dist: &model.Features{List: c.list}}}
		p := &ir.Problem{Model: m, Queries: []*ir.Query{{By: c.by}}}
		pass.ProblemLocal(p)
		if n := len(p.Model.Factors); n != c.factors {
			t.Errorf("%s: %d factors; want %d", c.name, n, c.factors)
		}
	}
}
