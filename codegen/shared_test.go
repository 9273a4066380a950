package codegen_test

import (
	"fmt"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestSharedPackage has packages of several approximate queries, with the runtime as a copy and
// imported. None changes the answers of another, and none allocates.
func TestSharedPackage(t *testing.T) {
	t.Parallel()
	m := newModule(t, fmt.Sprintf("\nrequire github.com/pgmc-go/pgmc v0.0.0\n\nreplace github.com/pgmc-go/pgmc => %s\n", irtest.ModuleRoot(t)))
	for name, runtime := range map[string]string{"copied": codegen.RuntimeCopy, "imported": codegen.RuntimeImport} {
		m.compiled(markov(), codegen.Options{Package: name, Runtime: runtime}, ir.Const, "bp", "meanfield", "trws", "cut", "maxprod")
		m.check(name, "package "+name+useShared)
	}
	m.test()
}

// The weights are 6 and 1 for a = x, 3 and 4 for a = y. On a network of one pair, bp is exact, and the
// messages and cuts prove their states.
const useShared = `

import (
	"context"
	"math"
	"testing"
)

func TestShared(t *testing.T) {
	e, ctx := New(), context.Background()
	var exact, again, m Marginals
	if _, err := e.BP(ctx, &Evidence{A: AX}, nil, BPOptions{}, &exact); err != nil || math.Abs(exact.B[0]-6./7) > 1e-9 || math.Abs(exact.LogP-math.Log(.5)) > 1e-9 {
		t.Error(exact, err)
	}
	if _, err := e.MeanField(ctx, &Evidence{A: AX}, nil, MeanFieldOptions{}, &m); err != nil || math.Abs(m.B[0]-6./7) > 1e-9 {
		t.Error(m, err)
	}
	var best Assignment
	value, report, err := e.TRWS(ctx, nil, nil, TRWSOptions{}, &best)
	if err != nil || best != (Assignment{A: AX, B: BX}) || math.Abs(value-math.Log(6)) > 1e-9 || report.Gap != 0 {
		t.Error(best, value, report, err)
	}
	if value, report, err = e.Cut(ctx, &Evidence{A: AY}, nil, CutOptions{}, &best); err != nil || best.B != BY || math.Abs(value-math.Log(4)) > 1e-9 || report.Gap != 0 {
		t.Error(best, value, report, err)
	}
	if value, report, err = e.MaxProduct(ctx, nil, nil, MaxProductOptions{}, &best); err != nil || best.B != BX || !report.Strong {
		t.Error(best, value, report, err)
	}
	e.MaxMarginals(&m)
	if math.Abs(m.A[1]/m.A[0]-4./6) > 1e-9 {
		t.Error(m)
	}
	if _, err := e.BP(ctx, &Evidence{A: AX}, nil, BPOptions{}, &again); err != nil || again != exact {
		t.Error(again, exact, err)
	}
	if n := testing.AllocsPerRun(5, func() {
		e.BP(ctx, nil, nil, BPOptions{}, &m)
		e.MeanField(ctx, nil, nil, MeanFieldOptions{}, &m)
		e.TRWS(ctx, nil, nil, TRWSOptions{}, &best)
		e.Cut(ctx, nil, nil, CutOptions{}, &best)
		e.MaxProduct(ctx, nil, nil, MaxProductOptions{}, &best)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
`
