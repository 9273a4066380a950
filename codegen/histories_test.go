package codegen_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/filter"
	"github.com/pgmc-go/pgmc/compiler/method/particle"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestHistoryFilters checks packages whose belief is a mixture over histories as TestFilters does:
// those that keep the most probable histories, and those that draw some, of random templates.
// Package infer compares the interpreter with exact answers.
func TestHistoryFilters(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	kinds := []irtest.TemplateOptions{{Reals: true, Mixed: true}, {Reals: true, Mixed: true, Givens: true}, {Reals: true, Mixed: true, Latent: true}}
	for seed := range uint64(irtest.Count(t, 6, 40)) {
		mod := irtest.RandomTemplate(seed, kinds[seed%uint64(len(kinds))])
		_, real := mod.SplitReal(mod.Transition.Before)
		by := method.Options(particle.RBPFOptions{Particles: 5 + int(seed), Seed: seed + 1, Resampling: []string{"systematic", "stratified", "residual"}[seed/2%3]})
		if seed%2 == 0 && len(real) > 0 && len(mod.Reals()) < len(mod.Vars) {
			o := filter.NewOptions()
			o.Modes = 7
			by = o
		}
		name := fmt.Sprintf("h%d", seed)
		m.add(t, name, []string{"auto", "unroll", "nest", "tape"}[seed%4], mod, compiler.Options{Queries: []string{"filter"}, Method: by}, func(*compiler.Result) string {
			return filterTest(t, name, mod, by, seed, "filter")
		})
	}
	m.test()
}

// regimes returns a network whose observed variable depends on its last value by a regime: a
// Markov-switching autoregression (Hamilton 1989).
func regimes() *model.Model {
	m := &model.Model{Name: "regimes"}
	s := m.NewVar("s", "calm", "wild").ID
	y := m.NewReal("y").ID
	prior := &model.Factor{Scope: []model.VarID{s}, Child: 0, Dist: &model.Table{Values: []float64{.6, .4}}}
	m.Factors = []*model.Factor{prior, {Scope: []model.VarID{s, y}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0, 1}, Var: []float64{1, 4}}}}
	m.Transition = &model.Transition{Before: []model.VarID{s, y}, Factors: []*model.Factor{
		{Scope: []model.VarID{2, s}, Child: 1, Dist: &model.Table{Values: []float64{.9, .1, .2, .8}}},
		{Scope: []model.VarID{s, 3, y}, Child: 2, Dist: &model.Gaussian{Mean: []float64{0, .5}, Coef: []float64{.9, -.4}, Var: []float64{.5, 3}}},
	}}
	return m
}

// TestExactHistories checks a package with the exact belief, in which histories become one where
// the real variable is observed, and the error of a belief that outgrows a filter.
func TestExactHistories(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	mod := regimes()
	m.add(t, "regimes", "auto", mod, compiler.Options{Queries: []string{"filter"}}, func(*compiler.Result) string {
		e, err := infer.New(t.Context(), mod, infer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var cases []sequenceCase
		for _, y := range []float64{.4, -2.5} {
			sequence := []map[string]any{{"y": y}, {"y": y / 2}, {"s": "calm", "y": 1.5}, {}, {"y": 2.4 * y}, {"y": 1.5}, {"s": "wild", "y": .7}}
			cases = append(cases, sequenceAnswers(t, "regimes", e, sequence, nil, "filter"))
		}
		data, err := json.Marshal(cases)
		if err != nil {
			t.Fatal(err)
		}
		return filterCheck(t, "regimes", string(data), "filter") + checkText(t, "histories")
	})
	m.test()
}

// TestHistoriesRefused checks what packages refuse, and what they name instead.
func TestHistoriesRefused(t *testing.T) {
	mod := regimes()
	for want, opt := range map[string]compiler.Options{
		"no package smooths along histories of states; want filter alone, or method gpb2 or imm, which merge histories": {Queries: []string{"filter", "smooth"}},
		"want at most 32768 histories: particles": {Queries: []string{"filter"}, Method: particle.RBPFOptions{Particles: 1 << 16, Resampling: "systematic"}},
		"want at most 32768 histories: modes":     {Queries: []string{"filter"}, Method: filter.Options{Modes: 1 << 16}},
	} {
		r, err := compiler.Compile(t.Context(), mod, opt)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := codegen.Emit(r.Model, r.Program, codegen.Options{Package: "p"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want %s", err, want)
		}
	}
}
