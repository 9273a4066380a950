package cpt_test

import (
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/cpt"
	"github.com/pgmc-go/pgmc/ir/model"
)

func TestValues(t *testing.T) {
	m := &model.Model{}
	a, b, c := m.NewVar("a", "0", "1"), m.NewVar("b", "0", "1", "2"), m.NewVar("c", "0", "1")
	for _, tt := range []struct {
		name string
		f    model.Factor
		want []float64
	}{
		{"child last", model.Factor{Scope: []model.VarID{a.ID, c.ID}, Child: 1, Dist: &model.Table{Values: []float64{1, 2, 3, 4}}},
			[]float64{1, 2, 3, 4}},
		{"child in the middle", model.Factor{Scope: []model.VarID{a.ID, b.ID, c.ID}, Child: 1,
			Dist: &model.Table{Values: []float64{ // a, b, c
				000, 001, 010, 011, 020, 021,
				100, 101, 110, 111, 120, 121}}},
			[]float64{ // a, c, b
				000, 010, 020, 001, 011, 021,
				100, 110, 120, 101, 111, 121}},
		{"deterministic, child first", model.Factor{Scope: []model.VarID{b.ID, a.ID}, Child: 0, Dist: &model.Deterministic{States: []int32{2, 0}}},
			[]float64{0, 0, 1, 1, 0, 0}},
	} {
		got, err := cpt.Values(m, &tt.f)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, %v; want %v", tt.name, got, err, tt.want)
		}
	}
}
