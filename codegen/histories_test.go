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
// those that keep all histories or the most probable ones, and those that draw some, of random
// templates. Package infer compares the interpreter with exact answers.
func TestHistoryFilters(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	kinds := []irtest.TemplateOptions{{Reals: true, Mixed: true}, {Reals: true, Mixed: true, Givens: true}, {Reals: true, Mixed: true, Latent: true}, {Reals: true}}
	for _, seed := range irtest.Cases(t, 4, 60) {
		mod := irtest.RandomTemplate(seed, kinds[seed%uint64(len(kinds))])
		by, queries, all := historyMethod(mod, seed)
		name := fmt.Sprintf("h%d", seed)
		opt := compiler.Options{Queries: strings.Split(queries, ","), Method: by}
		m.add(t, name, []string{"auto", "unroll", "nest", "tape"}[seed%4], mod, opt, func(*compiler.Result) string {
			text := filterTest(t, name, mod, by, seed, queries)
			if !all {
				text = strings.Replace(text, "const keepsAll = true", "const keepsAll = false", 1)
			}
			return text
		})
	}
	m.test()
}

// historyMethod returns a way to keep histories of a template, the queries that it answers, and
// whether it keeps all histories.
func historyMethod(mod *model.Model, seed uint64) (by method.Options, queries string, all bool) {
	_, real := mod.SplitReal(mod.Transition.Before)
	o := filter.NewOptions()
	discrete := len(mod.Vars) - len(mod.Reals())
	switch {
	case len(real) == 0 && discrete > 0 && len(mod.Reals()) > 0: // paths alone have histories
	case len(real) == 0 || discrete == 0 || seed%3 == 0:
		return particle.RBPFOptions{Particles: 5 + int(seed), Seed: seed + 1, Resampling: []string{"systematic", "stratified", "residual"}[seed/3%3]}, "filter,smooth", false
	default:
		o.Modes = 3
	}
	return o, "filter,smooth,viterbi", o.Modes == 0
}

// TestAlongHistories checks packages that smooth and find paths along all histories of short
// sequences of random templates.
func TestAlongHistories(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	const queries = "filter,smooth,viterbi"
	for _, seed := range irtest.Cases(t, 9, 100) { // two and some forty templates have such histories
		mod := irtest.RandomTemplate(seed, irtest.TemplateOptions{Reals: true, Mixed: true, Givens: seed%3 == 1, Latent: seed%3 == 2})
		if _, real := mod.SplitReal(mod.Transition.Before); len(real) == 0 || len(mod.Reals()) == len(mod.Vars) {
			continue
		}
		var cases []sequenceCase
		for k := range uint64(3) {
			var ok bool
			if cases, ok = appendHistories(t, cases, mod, 10*seed+k, queries); !ok {
				break
			}
		}
		if len(cases) == 0 {
			continue
		}
		name := fmt.Sprintf("a%d", seed)
		m.add(t, name, []string{"auto", "unroll", "nest", "tape"}[seed/8%4], mod, compiler.Options{Queries: strings.Split(queries, ",")}, func(*compiler.Result) string {
			data, err := json.Marshal(cases)
			if err != nil {
				t.Fatal(err)
			}
			text := checkText(t, "sequence") + checkText(t, "smooth") + checkText(t, "viterbi") + "var _ = []any{bytes.Equal, errors.New, fmt.Sprint}\n"
			return strings.NewReplacer("PACKAGE", name, "CASES", fmt.Sprintf("%q", data)).Replace(text)
		})
	}
	m.test()
}

// appendHistories appends the answers about a random sequence, and reports whether the template has
// paths and its histories fit into a package.
func appendHistories(t *testing.T, cases []sequenceCase, mod *model.Model, seed uint64, queries string) ([]sequenceCase, bool) {
	t.Helper()
	e, err := infer.New(t.Context(), mod, infer.Options{MaxTable: 1 << 10})
	if err != nil {
		t.Fatal(err)
	}
	sequence, _ := irtest.RandomSequence(mod, 4, seed)
	given := make([]infer.Given, len(sequence))
	for i := range sequence {
		given[i] = infer.Evidence(sequence[i])
	}
	if _, err := e.Viterbi(t.Context(), given); err != nil {
		return cases, false
	}
	return append(cases, sequenceAnswers(t, mod.Name, e, sequence, nil, queries)), true
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
	m.add(t, "regimes", "auto", mod, compiler.Options{Queries: []string{"filter", "smooth", "viterbi"}}, func(*compiler.Result) string {
		e, err := infer.New(t.Context(), mod, infer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var cases []sequenceCase
		for _, y := range []float64{.4, -2.5} {
			sequence := []map[string]any{{"y": y}, {"y": y / 2}, {"s": "calm", "y": 1.5}, {}, {"y": 2.4 * y}, {"y": 1.5}, {"s": "wild", "y": .7}}
			cases = append(cases, sequenceAnswers(t, "regimes", e, sequence, nil, "filter,smooth,viterbi"))
		}
		data, err := json.Marshal(cases)
		if err != nil {
			t.Fatal(err)
		}
		return filterCheck(t, "regimes", string(data), "filter,smooth,viterbi") + checkText(t, "histories")
	})
	m.test()
}

// TestHistoriesRefused checks what packages refuse, and what they name instead.
func TestHistoriesRefused(t *testing.T) {
	mod := regimes()
	for want, opt := range map[string]compiler.Options{
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
