package codegen_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestHybridLoops checks the packages of approximate methods for random networks with real
// variables, by each back-end, against the interpreter, and that no query allocates.
func TestHybridLoops(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	for _, seed := range irtest.Cases(t, 5, 60) {
		mod := irtest.RandomHybrid(seed, irtest.HybridOptions{NoZeros: true, Decades: 2, MaxVars: 6})
		if seed%3 == 2 {
			soften(mod)
		}
		opt := compiler.Options{Method: compiler.Named("ep", fmt.Sprintf("max-cluster=%d", 1+256*(seed/2%2)), "damping=0.1")}
		if seed%2 == 1 {
			options := []string{"iterations=300", "seed=5"}
			if seed%4 == 3 && seed%3 != 2 { // with real variables in closed form
				options = append(options, "collapsed=true")
			}
			opt.Method = compiler.Named("lw", options...)
		}
		if seed%5 >= 3 { // in part softened, in part not
			opt.Method = compiler.Named("gibbs", "iterations=40", "burn-in=10", "chains=2", "seed=5")
		}
		name := fmt.Sprintf("p%d", seed)
		evidence := make([]brute.HybridEvidence, 3)
		for k := range evidence {
			evidence[k] = irtest.HybridEvidence(10*seed+uint64(k), irtest.RandomHybrid(seed, irtest.HybridOptions{NoZeros: true, Decades: 2, MaxVars: 6}), float64(k)/3)
		}
		m.add(t, name, turn(seed), mod, opt, func(r *compiler.Result) string { return hybridLoopTest(name, r, evidence) })
	}
	mod, e := rare()
	m.add(t, "rare", turn(0), mod, compiler.Options{Method: compiler.Named("ep")}, func(r *compiler.Result) string {
		return hybridLoopTest("rare", r, []brute.HybridEvidence{e})
	})
	m.test()
}

// rare returns a network with evidence that is less probable than any float64, about which method
// ep is exact.
func rare() (*model.Model, brute.HybridEvidence) {
	m, e := &model.Model{Name: "rare"}, brute.HybridEvidence{States: map[model.VarID]int{}}
	for i := range 100 {
		v := m.NewVar(fmt.Sprintf("d%d", i), "no", "yes").ID
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v}, Dist: &model.Table{Values: []float64{1e-5, 1 - 1e-5}}})
		e.States[v] = 0
	}
	x := m.NewReal("x").ID
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{0, x}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0, 1}, Var: []float64{1, 2}}})
	return m, e
}

// soften adds a softmax child and an expression of the first real variable.
func soften(m *model.Model) {
	x := m.Reals()[0]
	a := m.NewVar("soft", "low", "high").ID
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{x, a}, Child: 1, Dist: &model.Softmax{Bias: []float64{.5, 0}, Coef: []float64{0, 1}}})
	y := m.NewReal("curve").ID
	f := &model.Factor{Scope: []model.VarID{x, y}, Child: 1}
	nodes := []model.FuncNode{{Op: model.FuncVar, Axis: 0}, {Op: model.FuncSin, A: 0}}
	f.Dist = &model.Func{Nodes: nodes, Var: []float64{.25}}
	m.Factors = append(m.Factors, f)
}

// hybridLoopTest returns a check of package name: evidence, and the interpreter's answers to it.
func hybridLoopTest(name string, r *compiler.Result, sets []brute.HybridEvidence) string {
	var cases strings.Builder
	mc, entry := eval.New(r.Program, r.Model), &r.Program.Entries[0]
	for _, e := range sets {
		mc.ClearEvidence()
		evidence := observe(mc, r.Model, e)
		var report pgmrt.Report
		var err error
		switch entry.Query.Kind.Run() {
		case ir.RunTrials:
			var r pgmrt.TrialReport
			r, err = mc.RunTrials(context.Background(), entry, pgmrt.TrialOptions{})
			report = r.Report
		case ir.RunChain:
			var r pgmrt.SampleReport
			r, err = mc.RunChain(context.Background(), entry, pgmrt.ChainOptions{})
			report = r.Report
		default:
			report, err = mc.RunLoop(context.Background(), entry, pgmrt.LoopOptions{})
		}
		want := map[string]any{}
		if entry.Query.Kind != ir.Estimates {
			want["logP"] = mc.LogP()
		}
		for i, id := range entry.Outs {
			want[r.Model.Vars[r.Program.Spans[id].Var].Name] = append([]float64(nil), mc.Posterior(i)...)
		}
		text := []byte("{}")
		if err == nil {
			text, _ = json.Marshal(want)
		}
		fmt.Fprintf(&cases, "{%q, %q, %v, %d, %d},\n", evidence, text, err != nil, report.Iterations, mc.Improper(entry))
	}
	call, improper := "EP", "e.EPImproper()"
	logP := "out.LogP"
	switch entry.Query.Kind.Run() {
	case ir.RunTrials:
		call, improper = "LikelihoodWeighting", "0"
	case ir.RunChain:
		call, improper, logP = "Gibbs", "0", "0"
	}
	return strings.NewReplacer("PACKAGE", name, "CASES", cases.String(), "CALL", call, "IMPROPER", improper, "LOGP", logP).Replace(hybridLoopTestText)
}

const hybridLoopTestText = `package PACKAGE

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"testing"
)

func TestHybrid(t *testing.T) {
	e := New()
	for i, c := range []struct {
		evidence, want string
		failed bool
		iterations, improper int
	}{
CASES	} {
		var ev Evidence
		var out Marginals
		var want map[string]any
		if err := errors.Join(json.Unmarshal([]byte(c.evidence), &ev), json.Unmarshal([]byte(c.want), &want)); err != nil {
			t.Fatal(err)
		}
		r, err := e.CALL(context.Background(), &ev, nil, CALLOptions{}, &out)
		if (err != nil) != c.failed {
			t.Errorf("case %d: %v", i, err)
		}
		if err != nil {
			continue
		}
		if r.Iterations != c.iterations || IMPROPER != c.improper {
			t.Errorf("case %d: %+v, %d improper; want %d, %d", i, r, IMPROPER, c.iterations, c.improper)
		}
		if n := testing.AllocsPerRun(3, func() { _, _ = e.CALL(context.Background(), &ev, nil, CALLOptions{}, &out) }); n != 0 {
			t.Errorf("case %d: %v allocations", i, n)
		}
		near := func(got, want float64) bool { return math.Abs(got-want) <= 1e-9*math.Max(1, math.Abs(want)) }
		if log, ok := want["logP"]; ok && !near(LOGP, log.(float64)) {
			t.Errorf("case %d: ln p is %v; want %v", i, LOGP, log)
		}
		text, err := json.Marshal(out)
		var got map[string]any
		if err != nil || json.Unmarshal(text, &got) != nil {
			t.Fatal(err)
		}
		for name, x := range want {
			if name == "logP" {
				continue
			}
			var numbers []float64
			switch y := got[name].(type) {
			case map[string]any:
				if m, ok := y["mean"]; ok {
					numbers = []float64{m.(float64), y["var"].(float64)}
				}
			case []any:
				for _, p := range y {
					numbers = append(numbers, p.(float64))
				}
			}
			for k, w := range x.([]any) {
				if k >= len(numbers) || !near(numbers[k], w.(float64)) {
					t.Errorf("case %d: %s is %v; want %v", i, name, got[name], x)
					break
				}
			}
		}
	}
}
`
