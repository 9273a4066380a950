package filter_test

import (
	"context"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/model"
)

func umbrella() *model.Model {
	m := &model.Model{Name: "umbrella"}
	rain, umbrella := m.NewVar("rain", "yes", "no").ID, m.NewVar("umbrella", "yes", "no").ID
	sensor := &model.Factor{Scope: []model.VarID{rain, umbrella}, Child: 1, Dist: &model.Table{Values: []float64{.9, .1, .2, .8}}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{rain}, Dist: &model.Table{Values: []float64{.5, .5}}}, sensor}
	m.Transition = &model.Transition{Before: []model.VarID{rain}, Factors: []*model.Factor{
		{Scope: []model.VarID{2, rain}, Child: 1, Dist: &model.Table{Values: []float64{.7, .3, .3, .7}}}, sensor}}
	return m
}

func TestCompile(t *testing.T) {
	r, err := compiler.Compile(context.Background(), umbrella(), compiler.Options{Queries: []string{"filter", "smooth", "viterbi"}, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	r.Program.Print(t.Output())
}
