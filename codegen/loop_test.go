package codegen_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/compilertest"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestLoops compares the answers of packages of iterative methods with the interpreter, for random
// models, every back-end, and both layouts of blocks.
func TestLoops(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	methods := []string{"belief", "meanfield", "edgedel"}
	for _, seed := range irtest.Cases(t, 6, 36) {
		mod := irtest.RandomModel(seed, irtest.Options{MaxJoint: 1 << 9})
		opt, name, options := compiler.Options{Steps: -1}, methods[seed%3], []string(nil)
		if seed%4 < 2 {
			opt = opt.Trial(compilertest.Trial{Chunk: 16})
		}
		if seed%4 == 0 {
			options = []string{"iterations=40", "damping=0.125"}
		}
		switch {
		case name == "edgedel":
			options = append(options, "max-cluster=6")
			if mod.Kind == model.Bayes {
				options = append(options, "parameters="+[]string{"bp", "posterior", "true", "prior"}[seed/3%4])
			}
		case seed%4 == 0 && name == "belief":
			options = append(options, "schedule=flooding")
		case seed%4 == 3 && name == "meanfield":
			options = []string{"schedule=queue"}
		case seed%4 == 2 && name == "meanfield":
			options = []string{"start=random", "seed=3"}
		case seed%4 == 1 && name == "belief":
			options = []string{"regions=factors", "damping=0.5"}
		case seed%4 == 3 && name == "belief":
			options = []string{"schedule=residual"}
		}
		opt.Method = compiler.Named(name, options...)
		pkg := fmt.Sprintf("p%d", seed)
		m.add(t, pkg, turn(seed/2), mod, opt, func(r *compiler.Result) string { return loopTest(pkg, r, seed) })
	}
	m.test()
}

// loopTest returns a check of package name: evidence, and the interpreter's answers to it.
func loopTest(name string, r *compiler.Result, seed uint64) string {
	machine, entry := eval.New(r.Program, r.Model), &r.Program.Entries[0]
	call := map[string]string{"bp": "BP", "meanfield": "MeanField", "edgedel": "EdgeDeletion"}[entry.Query.Name]
	var cases strings.Builder
	for k := range uint64(4) {
		evidence := enter(machine, r.Model, 10*seed+k)
		report, err := machine.RunLoop(context.Background(), entry, pgmrt.LoopOptions{})
		if errors.Is(err, pgmrt.ErrLikelihood) {
			continue
		}
		var want []string
		if err == nil {
			want = append(posteriors(machine, r), fmt.Sprintf("LogP: %v", machine.LogP()))
		}
		fmt.Fprintf(&cases, "{%s, Marginals{%s}, Report{Status: %d, Iterations: %d}, %v},\n", evidence,
			strings.Join(want, ", "), report.Status, report.Iterations, err == nil)
	}
	return strings.NewReplacer("PACKAGE", name, "CALL", call, "CASES", cases.String()).Replace(loopTestText)
}

// loopTestText allows for rounding that many rounds accumulate. Rounds end if a residual is below
// the tolerance, which rounding may decide.
const loopTestText = `package PACKAGE

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"
)

func TestLoop(t *testing.T) {
	e := New()
	for i, c := range []struct {
		ev       Evidence
		soft     Soft
		want     Marginals
		report   Report
		possible bool
	}{
		CASES
	} {
		for range 2 {
			var got Marginals
			report, err := e.CALL(context.Background(), &c.ev, &c.soft, CALLOptions{}, &got)
			if (err == nil) != c.possible || err != nil && !errors.Is(err, ErrImpossible) {
				t.Fatalf("case %d: %v; want possible %v", i, err, c.possible)
			}
			if err != nil {
				if !math.IsInf(got.LogP, -1) {
					t.Errorf("case %d: ln P is %v; want -Inf", i, got.LogP)
				}
				continue
			}
			if report.Status != c.report.Status || math.Abs(float64(report.Iterations-c.report.Iterations)) > 1 {
				t.Errorf("case %d: %+v; want %+v", i, report, c.report)
			}
			g, w := reflect.ValueOf(got), reflect.ValueOf(c.want)
			for f := range g.NumField() {
				if g.Field(f).Kind() == reflect.Float64 {
					near(t, i, g.Field(f).Float(), w.Field(f).Float())
					continue
				}
				for s := range g.Field(f).Len() {
					near(t, i, g.Field(f).Index(s).Float(), w.Field(f).Index(s).Float())
				}
			}
		}
		ctx, got := context.Background(), new(Marginals)
		if n := testing.AllocsPerRun(2, func() { e.CALL(ctx, &c.ev, &c.soft, CALLOptions{Iterations: 3}, got) }); n != 0 {
			t.Errorf("case %d: %v allocations", i, n)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.CALL(ctx, nil, nil, CALLOptions{}, new(Marginals)); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done gives %v", err)
	}
	if _, err := e.CALL(context.Background(), nil, nil, CALLOptions{Damping: 1}, new(Marginals)); !errors.Is(err, ErrOptions) {
		t.Errorf("a damping of 1 gives %v", err)
	}
}

func near(t *testing.T, i int, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-8*max(1, math.Abs(want)) {
		t.Errorf("case %d: %v; want %v", i, got, want)
	}
}
`
