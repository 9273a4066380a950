package codegen_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/compilertest"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestDecoders compares the answers of packages that choose states by messages with the
// interpreter, for random models, every back-end, and both layouts of blocks.
func TestDecoders(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	calls := []string{"MaxProduct", "TRWS", "MPLP"}
	for _, seed := range irtest.Cases(t, 6, 12) {
		mod := irtest.RandomModel(seed, irtest.Options{MaxJoint: 1 << 9})
		opt := compiler.Options{Method: compiler.Named(strings.ToLower([]string{"maxprod", "trws", "mplp"}[seed%3])), Steps: -1}
		if seed%4 < 2 {
			opt = opt.Trial(compilertest.Trial{Chunk: 16})
		}
		if seed%6 == 0 {
			opt.Method = compiler.Named(opt.MethodName(), "schedule=flooding", "damping=0.125", "iterations=200")
		}
		name := fmt.Sprintf("p%d", seed)
		m.add(t, name, turn(seed/3), mod, opt, func(r *compiler.Result) string { return decodeTest(name, calls[seed%3], r, seed) })
	}
	for _, seed := range irtest.Cases(t, 2, 6) { // cuts take factors over two variables
		mod := irtest.RandomModel(seed, irtest.Options{MaxJoint: 1 << 9, MaxParents: 1, MaxStates: 2 + int(seed%3)})
		opt := compiler.Options{Method: compiler.Named("cut", "moves="+[]string{"expansion", "swap"}[seed%2])}
		name := fmt.Sprintf("c%d", seed)
		m.add(t, name, turn(seed), mod, opt, func(r *compiler.Result) string { return decodeTest(name, "Cut", r, seed) })
	}
	for _, seed := range irtest.Cases(t, 2, 4) { // boxes that are split
		mod := irtest.RandomModel(20+seed, irtest.Options{MaxJoint: 1 << 9})
		name, options := fmt.Sprintf("s%d", seed), []string{"numbers=1", "improve=3"}
		m.add(t, name, turn(seed), mod, compiler.Options{Method: compiler.Named("search", options...)}, func(r *compiler.Result) string { return decodeTest(name, "Search", r, seed) })
		bound := fmt.Sprintf("b%d", seed)
		m.add(t, bound, turn(seed), mod, compiler.Options{Method: compiler.Named("bound", options...)}, func(r *compiler.Result) string { return boundTest(bound, r, seed) })
	}
	tight := irtest.RandomModel(364, irtest.Options{MaxJoint: 1 << 9, NoZeros: true}) // bounds meet, so that the rounding of likelihoods shows
	m.add(t, "b4", turn(0), tight, compiler.Options{Method: compiler.Named("bound")}, func(r *compiler.Result) string { return boundTest("b4", r, 71) })
	m.test()
}

// decodeTest returns a check of package name: evidence, and the interpreter's answers to it.
func decodeTest(name, call string, r *compiler.Result, seed uint64) string {
	machine, entry := eval.New(r.Program, r.Model), &r.Program.Entries[0]
	var cases strings.Builder
	for k := range uint64(4) {
		evidence := enter(machine, r.Model, 10*seed+k)
		went, err := machine.RunLoop(context.Background(), entry, pgmrt.LoopOptions{})
		if errors.Is(err, pgmrt.ErrLikelihood) {
			continue
		}
		report, logp := pgmrt.DecodeReport{Bound: math.Inf(1), Gap: math.Inf(1)}, math.Inf(-1)
		var want []string
		if err == nil {
			report, logp = machine.Decoded(entry, went), machine.LogP()
			want = states(machine, r.Model)
		}
		fmt.Fprintf(&cases, "{%s, Assignment{%s}, %s, DecodeReport{Status: %d, Iterations: %d, Bound: %s, Gap: %s}, %v},\n",
			evidence, strings.Join(want, ", "), infinite(logp), report.Status, report.Iterations,
			infinite(report.Bound), infinite(report.Gap), err == nil)
	}
	marginals := ""
	if call == "MaxProduct" {
		marginals = decodeMarginals(r, machine)
	}
	if call == "Cut" {
		marginals = decodeDecided(r, machine)
	}
	stopped := "!= (Assignment{})" // by a context that is done
	if call == "Search" {
		stopped = "== (Assignment{})" // the best so far
	}
	return strings.NewReplacer("PACKAGE", name, "STOPPED", stopped, "CALL", call, "CASES", cases.String(), "MARGINALS", marginals).Replace(decodeTestText)
}

// decodeDecided returns the statements that compare the states of all best completions without
// evidence.
func decodeDecided(r *compiler.Result, machine *eval.Machine) string {
	entry := &r.Program.Entries[0]
	machine.ClearEvidence()
	if _, err := machine.RunLoop(context.Background(), entry, pgmrt.LoopOptions{}); err != nil || machine.Decided(entry) == nil {
		return ""
	}
	var want []string
	for _, v := range r.Model.Vars {
		if !v.Latent {
			want = append(want, fmt.Sprintf("%s: %d", field(v), machine.Decided(entry)[v.ID]+1))
		}
	}
	return fmt.Sprintf("if _, _, err := e.Cut(ctx, nil, nil, CutOptions{}, got); err != nil {\n\tt.Fatal(err)\n}\n"+
		"if e.CutDecided(got); *got != (Assignment{%s}) {\n\tt.Errorf(\"%%+v are decided\", *got)\n}\n", strings.Join(want, ", "))
}

// decodeMarginals returns the statements that compare the max-marginals without evidence.
func decodeMarginals(r *compiler.Result, machine *eval.Machine) string {
	entry := &r.Program.Entries[0]
	machine.ClearEvidence()
	if _, err := machine.RunLoop(context.Background(), entry, pgmrt.LoopOptions{}); err != nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("var m Marginals\nif _, _, err := e.MaxProduct(ctx, nil, nil, MaxProductOptions{}, got); err != nil {\n\tt.Fatal(err)\n}\ne.MaxMarginals(&m)\n")
	fmt.Fprintf(&b, "near(t, -1, m.LogP, %s)\n", infinite(machine.LogP()))
	for i, id := range entry.Outs {
		for s, p := range machine.Posterior(i) {
			fmt.Fprintf(&b, "near(t, -1, m.%s[%d], %v)\n", field(r.Model.Vars[r.Program.Spans[id].Var]), s, p)
		}
	}
	return b.String()
}

// infinite returns the Go expression of a number that may be infinite.
func infinite(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "math.Inf(1)"
	case math.IsInf(x, -1):
		return "math.Inf(-1)"
	}
	return fmt.Sprint(x)
}

const decodeTestText = `package PACKAGE

import (
	"context"
	"errors"
	"math"
	"testing"
)

func TestDecode(t *testing.T) {
	e := New()
	for i, c := range []struct {
		ev       Evidence
		soft     Soft
		want     Assignment
		logp     float64
		report   DecodeReport
		possible bool
	}{
		CASES
	} {
		for range 2 {
			var got Assignment
			logp, report, err := e.CALL(context.Background(), &c.ev, &c.soft, CALLOptions{}, &got)
			if (err == nil) != c.possible || err != nil && !errors.Is(err, ErrImpossible) {
				t.Fatalf("case %d: %v; want possible %v", i, err, c.possible)
			}
			near(t, i, logp, c.logp)
			if got != c.want {
				t.Errorf("case %d: %v; want %v", i, got, c.want)
			}
			if err != nil {
				continue
			}
			near(t, i, report.Bound, c.report.Bound)
			near(t, i, report.Gap, c.report.Gap)
			if report.Status != c.report.Status || report.Iterations != c.report.Iterations {
				t.Errorf("case %d: %+v; want %+v", i, report, c.report)
			}
		}
		ctx, got := context.Background(), new(Assignment)
		if n := testing.AllocsPerRun(2, func() { e.CALL(ctx, &c.ev, &c.soft, CALLOptions{Iterations: 3}, got) }); n != 0 {
			t.Errorf("case %d: %v allocations", i, n)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	got := new(Assignment)
	MARGINALS
	cancel()
	if _, _, err := e.CALL(ctx, nil, nil, CALLOptions{}, got); !errors.Is(err, context.Canceled) || *got STOPPED {
		t.Errorf("a context that is done gives %v and %v", err, *got)
	}
	if _, _, err := e.CALL(context.Background(), nil, nil, CALLOptions{Iterations: -1}, got); !errors.Is(err, ErrOptions) {
		t.Errorf("-1 iterations give %v", err)
	}
}

func near(t *testing.T, i int, got, want float64) {
	t.Helper()
	if got != want && !(math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))) {
		t.Errorf("case %d: %v; want %v", i, got, want)
	}
}
`
