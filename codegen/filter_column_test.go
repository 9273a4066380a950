package codegen_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// hiddenMarkov returns a hidden Markov model with two sensors, the second of which depends on the
// first as well.
func hiddenMarkov(states int, r *rand.Rand) *model.Model {
	m := &model.Model{Name: "hidden"}
	names := func(letter string, n int) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprint(letter, i))
		}
		return list
	}
	rows := func(n, size int) *model.Table {
		t := &model.Table{}
		for range n {
			sum, at := 0.0, len(t.Values)
			for range size {
				x := .05 + r.Float64()
				t.Values, sum = append(t.Values, x), sum+x
			}
			for i := range size {
				t.Values[at+i] /= sum
			}
		}
		return t
	}
	x := m.NewVar("x", names("s", states)...).ID
	y := m.NewVar("y", names("y", 4)...).ID
	z := m.NewVar("z", names("z", 3)...).ID
	sensors := []*model.Factor{
		{Scope: []model.VarID{x, y}, Child: 1, Dist: rows(states, 4)},
		{Scope: []model.VarID{x, y, z}, Child: 2, Dist: rows(states*4, 3)},
	}
	before := model.VarID(len(m.Vars))
	m.Factors = append([]*model.Factor{{Scope: []model.VarID{x}, Dist: rows(1, states)}}, sensors...)
	m.Transition = &model.Transition{Before: []model.VarID{x},
		Factors: append([]*model.Factor{{Scope: []model.VarID{before, x}, Child: 1, Dist: rows(states, states)}}, sensors...)}
	return m
}

// TestColumns checks packages whose steps take evidence by columns of CPDs, as TestFilters does:
// with observed and missing values, and with likelihoods, which do not enter by columns.
func TestColumns(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	for i, backend := range []string{"auto", "scalar", laneBatches, nestBatches, codegen.Assembly} {
		mod, name := hiddenMarkov(3+i, rand.New(rand.NewPCG(uint64(i), 1))), fmt.Sprint("column", i)
		opt := compiler.Options{Queries: []string{"filter"}}
		m.add(t, name, backend, mod, opt, func(r *compiler.Result) string {
			if n := len(r.Program.Entry(ir.FilterBelief).Stream.Columns); n == 0 {
				t.Errorf("%s: no evidence enters by a column", name)
			}
			return filterTest(t, name, mod, nil, uint64(i), "filter")
		})
	}
	// The probability of a slice may be too small for a reciprocal.
	mod := &model.Model{Name: "tiny"}
	x, y := mod.NewVar("x", "a", "b").ID, mod.NewVar("y", "usual", "rare", "other").ID
	sensor := &model.Factor{Scope: []model.VarID{x, y}, Child: 1, Dist: &model.Table{Values: []float64{1, 0, 0, 1e-100, 1e-12, 1 - 1e-12}}}
	mod.Factors = []*model.Factor{{Scope: []model.VarID{x}, Dist: &model.Table{Values: []float64{.5, .5}}}, sensor}
	mod.Transition = &model.Transition{Before: []model.VarID{x}, Factors: []*model.Factor{
		{Scope: []model.VarID{2, x}, Child: 1, Dist: &model.Table{Values: []float64{1, 0, 0, 1}}}, sensor}}
	for i, backend := range []string{"auto", laneBatches, nestBatches} {
		name := fmt.Sprint("tiny", i)
		m.add(t, name, backend, mod, compiler.Options{Queries: []string{"filter"}}, func(*compiler.Result) string {
			e, err := infer.New(t.Context(), mod, infer.Options{})
			if err != nil {
				t.Fatal(err)
			}
			usual := map[string]any{"y": "usual"}
			c := sequenceAnswers(t, name, e, []map[string]any{usual, usual, usual, {"y": "rare"}, {}, {"y": "other"}, {}}, nil, "filter")
			if got := c.Filtered[3][0][1]; got != 1 {
				t.Errorf("P(b) is %v after a sign that a never gives; want 1", got)
			}
			data, err := json.Marshal([]sequenceCase{c, c, c})
			if err != nil {
				t.Fatal(err)
			}
			return filterCheck(t, name, string(data), "filter")
		})
	}
	m.test()
}
