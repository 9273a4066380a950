package filter_test

import (
	"context"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/filter"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestEntries checks which entries each query has, and what passes between their runs.
func TestEntries(t *testing.T) {
	const parts = ", next belief, gains 1>1, next belief, means 2>0" // all means are those of before
	for _, c := range []struct {
		query string
		opt   irtest.TemplateOptions
		want  string
	}{
		{"filter", irtest.TemplateOptions{}, "first 0>1, next 1>1, next belief 1>1"},
		{"filter", irtest.TemplateOptions{All: true}, "first 0>1, next 1>1, next belief 1>1" + parts},
		{"smooth", irtest.TemplateOptions{}, "first 0>1, next 1>1, next belief 1>1, smooth first 2>0, smooth next 3>1"},
		{"smooth", irtest.TemplateOptions{All: true}, "first 0>1, next 1>1, next belief 1>1, smooth first 2>0, smooth next 3>1" + parts},
		{"trajectory", irtest.TemplateOptions{}, "first 0>1, next 1>1, next belief 1>1, draw first 0>0, draw next 1>0"},
		{"trajectory", irtest.TemplateOptions{All: true}, "first 0>1, next 1>1, next belief 1>1, draw first 2>0, draw next 3>1" + parts},
		{"innovation", irtest.TemplateOptions{All: true}, "first 0>1, next 1>1, next belief 1>1, innovation first 0>1, innovation next 1>1" + parts},
		{"viterbi", irtest.TemplateOptions{}, "max first 0>1, max next 1>1, trace first 0>0, trace next 1>0"},
	} {
		m := irtest.RandomTemplate(4, c.opt)
		r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: []string{c.query}, Check: true})
		if err != nil {
			t.Errorf("%s: %v", c.query, err)
			continue
		}
		var got []string
		for i := range r.Program.Entries {
			e := &r.Program.Entries[i]
			got = append(got, e.Query.Name+" "+string(rune('0'+len(e.Stream.In)))+">"+string(rune('0'+len(e.Stream.Out))))
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s has the entries %s; want %s", c.query, text, c.want)
		}
	}
}

// TestRefusals checks what the method says of networks and queries that it does not take.
func TestRefusals(t *testing.T) {
	plain := &model.Model{}
	v := plain.NewVar("coin", "heads", "tails").ID
	plain.Factors = []*model.Factor{{Scope: []model.VarID{v}, Dist: &model.Table{Values: []float64{.5, .5}}}}

	mixed := &model.Model{}
	mode, x := mixed.NewVar("mode", "a", "b").ID, mixed.NewReal("x").ID
	coin := &model.Factor{Scope: []model.VarID{mode}, Dist: &model.Table{Values: []float64{.5, .5}}}
	mixed.Factors = []*model.Factor{coin, {Scope: []model.VarID{x}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}}}
	mixed.Transition = &model.Transition{Before: []model.VarID{x}, Factors: []*model.Factor{coin,
		{Scope: []model.VarID{mode, 2, x}, Child: 2, Dist: &model.Gaussian{Mean: []float64{0, 0}, Coef: []float64{1, .5}, Var: []float64{1, 1}}}}}
	within := *mixed // x does not persist
	within.Transition = &model.Transition{Before: []model.VarID{mode}, Factors: []*model.Factor{
		{Scope: []model.VarID{2, mode}, Child: 1, Dist: &model.Table{Values: []float64{.5, .5, .5, .5}}}, mixed.Factors[1]}}
	sure := *mixed // x is a function in one state
	sure.Transition = &model.Transition{Before: []model.VarID{x}, Factors: []*model.Factor{coin,
		{Scope: []model.VarID{mode, 2, x}, Child: 2, Dist: &model.Gaussian{Mean: []float64{0, 0}, Coef: []float64{1, .5}, Var: []float64{1, 0}}}}}
	vague := within // with a diffuse prior
	vague.Factors = []*model.Factor{coin, {Scope: []model.VarID{x}, Dist: &model.Diffuse{}}}
	square := &model.Func{Nodes: []model.FuncNode{{Op: model.FuncVar}, {Op: model.FuncVar}, {Op: model.FuncMul, B: 1}}, Var: []float64{1}}
	curve := &model.Model{}
	from := curve.NewReal("x").ID
	curve.Factors = []*model.Factor{{Scope: []model.VarID{from}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}}}
	curve.Transition = &model.Transition{Before: []model.VarID{from}, Factors: []*model.Factor{{Scope: []model.VarID{1, from}, Child: 1, Dist: square}}}
	states := within // with a function
	states.Transition = &model.Transition{Before: []model.VarID{mode}, Factors: []*model.Factor{within.Transition.Factors[0],
		{Scope: []model.VarID{x}, Dist: &model.Func{Nodes: []model.FuncNode{{Value: 1}}, Var: []float64{1}}}}}
	for _, c := range []struct {
		m     *model.Model
		query string
		want  string
	}{
		{curve, "filter", `the mean of "x" is not linear in the variables that are not given`},
		{&states, "filter", `the mean of "x" is an expression in a network with states, such as those of "mode"`},
		{&vague, "filter", `real variable "x" is diffuse in a network with states, such as those of "mode"; want a prior of finite variance`},
		{plain, "filter", "method filter needs a network with a transition"},
		{&sure, "viterbi", `method filter does not answer viterbi: "x" is a function of other variables in some states and has a variance in others`},
		{irtest.RandomTemplate(1, irtest.TemplateOptions{}), "marginals", "method filter does not answer marginals; want filter, smooth, viterbi, innovation or trajectory"},
		{&within, "innovation", `method filter does not answer innovation for a network with states, such as those of "mode"`},
	} {
		opt := compiler.Options{Method: compiler.Named(filter.Method.Name), Queries: []string{c.query}}
		_, err := compiler.Compile(context.Background(), c.m, opt)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v; want %s", c.query, err, c.want)
		}
	}
	for modes, want := range map[int]string{-1: "found -1 Gaussians to keep", 3e9: "found 3000000000 Gaussians to keep; want at most 16777216"} {
		opt := compiler.Options{Method: filter.Options{Modes: modes}, Queries: []string{"filter"}}
		if _, err := compiler.Compile(context.Background(), mixed, opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want %s", err, want)
		}
	}
	opt := compiler.Options{Queries: []string{"filter"}, Params: ir.Var}
	if _, err := compiler.Compile(context.Background(), irtest.RandomTemplate(1, irtest.TemplateOptions{}), opt); err == nil || !strings.Contains(err.Error(), "constant parameters") {
		t.Errorf("error %v; want one about constant parameters", err)
	}
}
