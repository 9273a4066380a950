package compiler_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// network returns a Bayesian network of variables with the states no and yes. A CPD is the child,
// its parents, and P(child = yes) by the parents' states, the last parent fastest.
func network(t *testing.T, cpds ...cpd) *model.Model {
	t.Helper()
	m := &model.Model{Name: "network"}
	for _, c := range cpds {
		m.NewVar(strings.Fields(c.scope)[0], "no", "yes")
	}
	for _, c := range cpds {
		names := strings.Fields(c.scope)
		f := &model.Factor{Child: len(names) - 1}
		for _, name := range append(names[1:], names[0]) {
			v, ok := m.VarByName(name)
			if !ok {
				t.Fatalf("no variable %s", name)
			}
			f.Scope = append(f.Scope, v.ID)
		}
		table := &model.Table{}
		for _, p := range c.yes {
			table.Values = append(table.Values, 1-p, p)
		}
		f.Dist = table
		m.Factors = append(m.Factors, f)
	}
	return m
}

type cpd struct {
	scope string
	yes   []float64
}

// kidney returns a model of the treatment of kidney stones of Charig, Webb, Payne and Wickham 1986
// (British Medical Journal 292, 879-882). Of 357 small stones 87 had open surgery, with 81
// successes, and 270 the puncture, with 234. Of 343 large stones 263 had surgery, with 192
// successes, and 80 the puncture, with 55.
func kidney(t *testing.T) *model.Model {
	return network(t,
		cpd{"large", []float64{343. / 700}},
		cpd{"surgery large", []float64{87. / 357, 263. / 343}},
		cpd{"success large surgery", []float64{234. / 270, 81. / 87, 55. / 80, 192. / 263}})
}

// tar returns the front-door graph of Pearl 2009, Causality, section 3.3.2, with our own numbers: a
// hidden gene makes smoking and cancer more probable, and smoking acts on cancer only through tar.
func tar(t *testing.T) *model.Model {
	return network(t,
		cpd{"gene", []float64{.5}},
		cpd{"smoking gene", []float64{.1, .9}},
		cpd{"tar smoking", []float64{.05, .95}},
		cpd{"cancer tar gene", []float64{.1, .6, .5, .9}})
}

// signature returns the answer to a signature for the given states of its evidence.
func signature(t *testing.T, m *model.Model, spec string, states ...int) []float64 {
	t.Helper()
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: []string{spec}, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	machine := eval.New(r.Program, r.Model)
	e := &r.Program.Entries[0]
	for i, v := range e.Query.Evidence {
		if err := machine.SetState(v, states[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := machine.Run(e); err != nil {
		t.Fatal(err)
	}
	return machine.Posterior(0)
}

func TestInterventions(t *testing.T) {
	for _, c := range []struct {
		name   string
		m      *model.Model
		spec   string
		states []int
		want   float64 // probability of the second state of the target
		tol    float64
	}{
		// Simpson's paradox: observed, the puncture does better, 289/350 against 273/350; as an
		// intervention, surgery does.
		{"kidney, surgery seen", kidney(t), "success | surgery", []int{1}, 273. / 350, 1e-12},
		{"kidney, puncture seen", kidney(t), "success | surgery", []int{0}, 289. / 350, 1e-12},
		{"kidney, surgery chosen", kidney(t), "success | do(surgery)", []int{1}, 0.8325, 5e-5},     // 0.51·81/87 + 0.49·192/263
		{"kidney, puncture chosen", kidney(t), "success | do(surgery)", []int{0}, 0.778875, 1e-12}, // 0.51·234/270 + 0.49·55/80
		{"kidney, chosen for large", kidney(t), "success | do(surgery), large", []int{1, 1}, 192. / 263, 1e-12},

		// An intervention says nothing about its causes.
		{"no way back", kidney(t), "large | do(surgery)", []int{1}, 0.49, 1e-12},

		{"front door", tar(t), "cancer | do(smoking)", []int{1}, .6825, 1e-12}, // .95·(.9+.5)/2 + .05·(.6+.1)/2
		{"front door, no", tar(t), "cancer | do(smoking)", []int{0}, .3675, 1e-12},
		{"front door, seen", tar(t), "cancer | smoking", []int{1}, .8445, 1e-12}, // .95·(.9·.9+.1·.5) + .05·(.9·.6+.1·.1)
		{"both", tar(t), "cancer | do(smoking, tar)", []int{0, 1}, .7, 1e-12},
		{"a cause seen", tar(t), "cancer | do(tar), smoking", []int{1, 1}, .86, 1e-12}, // .9·.9 + .1·.5
	} {
		t.Run(c.name, func(t *testing.T) {
			irtest.CloseTo(t, signature(t, c.m, c.spec, c.states...)[1], c.want, c.tol)
		})
	}
}

// TestInterventionsOnFixtures does the same with networks from the literature, whose first state is
// yes or true.
func TestInterventionsOnFixtures(t *testing.T) {
	for _, c := range []struct {
		m    *model.Model
		spec string
		want float64
	}{
		{irtest.Sprinkler(), "rain | sprinkler", .3},
		{irtest.Sprinkler(), "rain | do(sprinkler)", .5},        // P(rain)
		{irtest.Sprinkler(), "wet_grass | sprinkler", .927},     // .3·.99 + .7·.9
		{irtest.Sprinkler(), "wet_grass | do(sprinkler)", .945}, // .5·.99 + .5·.9
		// P(either) is .10936 with smoking and .020296 without; adjustment for smoking gives
		// .064828, and .8 + .1·.064828.
		{irtest.Asia(), "dysp | do(bronc)", .8064828},
		{irtest.Asia(), "dysp | bronc", .8 + .1*(2./3*.10936+1./3*.020296)}, // P(smoke | bronc) = 2/3
	} {
		t.Run(c.m.Name+" "+c.spec, func(t *testing.T) {
			irtest.CloseTo(t, signature(t, c.m, c.spec, 0)[0], c.want, 1e-12)
		})
	}
}

// TestFrontDoor compares an intervention with the front-door formula over observable quantities:
// the sum over tar of P(tar | smoking) times the sum over smoking' of P(cancer | smoking', tar)
// P(smoking').
func TestFrontDoor(t *testing.T) {
	m := tar(t)
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: []string{"joint(smoking, tar, cancer)"}, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	machine := eval.New(r.Program, r.Model)
	if err := machine.Run(&r.Program.Entries[0]); err != nil {
		t.Fatal(err)
	}
	joint := machine.Posterior(0)
	p := func(smoking, tar, cancer int) float64 { return joint[smoking*4+tar*2+cancer] }
	smokes := func(s int) float64 { return p(s, 0, 0) + p(s, 0, 1) + p(s, 1, 0) + p(s, 1, 1) }
	for smoking := range 2 {
		sum := 0.0
		for z := range 2 {
			inner := 0.0
			for x := range 2 {
				inner += p(x, z, 1) / (p(x, z, 0) + p(x, z, 1)) * smokes(x)
			}
			sum += (p(smoking, z, 0) + p(smoking, z, 1)) / smokes(smoking) * inner
		}
		irtest.CloseTo(t, sum, signature(t, m, "cancer | do(smoking)", smoking)[1], 1e-12)
	}
}

func TestInterventionPrunes(t *testing.T) {
	m := irtest.Asia()
	for _, c := range []struct{ spec, want string }{
		{"lung | do(either)", `CPD of "smoke", CPD of "lung"`}, // no path from either back to lung
		{"lung | do(smoke)", `CPD of "lung"`},
		{"either | do(lung), smoke", `CPD of "asia", CPD of "tub", CPD of "either"`}, // smoke is cut off
	} {
		r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: []string{c.spec}})
		if err != nil {
			t.Fatal(err)
		}
		var kept []string
		for _, f := range r.Program.Entries[0].Query.Factors {
			kept = append(kept, m.FactorName(m.Factors[f]))
		}
		if !slices.Equal(kept, strings.Split(c.want, ", ")) {
			t.Errorf("%s: kept %q; want %s", c.spec, kept, c.want)
		}
	}
}

func TestInterventionRefused(t *testing.T) {
	m := irtest.Misconception()
	_, err := compiler.ParseQueries([]string{m.Vars[0].Name + " | do(" + m.Vars[1].Name + ")"}, m)
	if want := "do(...) needs the CPDs of a Bayesian network; this is a Markov network"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got %v; want %s", err, want)
	}
}
