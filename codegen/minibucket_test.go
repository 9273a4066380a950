package codegen_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// boundTest returns a check of a package of intervals: evidence, the interpreter's numbers, and ln
// P by brute force, which the bounds must enclose.
func boundTest(name string, r *compiler.Result, seed uint64) string {
	machine, entry := eval.New(r.Program, r.Model), &r.Program.Entries[0]
	joint, err := brute.New(r.Model)
	if err != nil {
		panic(err)
	}
	half := len(entry.Outs) / 2
	var cases strings.Builder
	for k := range uint64(4) {
		given := enter(machine, r.Model, 10*seed+k)
		_, err := machine.RunLoop(context.Background(), entry, pgmrt.LoopOptions{})
		if errors.Is(err, pgmrt.ErrLikelihood) {
			continue
		}
		if err != nil {
			fmt.Fprintf(&cases, "{%s, [2]Marginals{}, 0, false},\n", given)
			continue
		}
		lower, upper := machine.Bounds()
		side := func(ids []ir.SpanID, logp float64) string {
			text := "{"
			for _, id := range ids {
				v := r.Program.Spans[id].Var
				text += field(r.Model.Vars[v]) + ": " + field(r.Model.Vars[v]) + "Dist" + strings.NewReplacer("[", "{", "]", "}", " ", ", ").Replace(fmt.Sprint(machine.Span(id))) + ", "
			}
			return text + "LogP: " + infinite(logp) + "}"
		}
		exact := joint.LogProb(evidence(r.Model, 10*seed+k))
		if r.Model.Kind == model.Markov {
			exact += joint.LogPartition()
		}
		fmt.Fprintf(&cases, "{%s, [2]Marginals{%s, %s}, %s, true},\n", given, side(entry.Outs[:half], lower), side(entry.Outs[half:], upper), infinite(exact))
	}
	return strings.NewReplacer("PACKAGE", name, "CASES", cases.String()).Replace(boundTestText)
}

const boundTestText = `package PACKAGE

import (
	"context"
	"errors"
	"math"
	"testing"
)

func TestBounds(t *testing.T) {
	e := New()
	for i, c := range []struct {
		ev       Evidence
		soft     Soft
		want     [2]Marginals
		exact    float64
		possible bool
	}{
		CASES
	} {
		var got [2]Marginals
		err := e.Bounds(context.Background(), &c.ev, &c.soft, &got[0], &got[1])
		if (err == nil) != c.possible || err != nil && !errors.Is(err, ErrImpossible) {
			t.Fatalf("case %d: %v; want possible %v", i, err, c.possible)
		}
		lower, upper, err := e.LogProbBounds(&c.ev, &c.soft)
		if err == nil && (lower != got[0].LogP || upper != got[1].LogP) {
			t.Errorf("case %d: ln P is from %v to %v; want %v to %v", i, lower, upper, got[0].LogP, got[1].LogP)
		}
		if c.possible && !(lower <= c.exact && c.exact <= upper) {
			t.Errorf("case %d: ln P is from %v to %v; it is %v", i, lower, upper, c.exact)
		}
		for side := range got {
			if !(math.Abs(got[side].LogP-c.want[side].LogP) <= 1e-12*max(1, math.Abs(c.want[side].LogP))) && got[side].LogP != c.want[side].LogP {
				t.Errorf("case %d: bound %d of ln P is %v; want %v", i, side, got[side].LogP, c.want[side].LogP)
			}
			got[side].LogP = c.want[side].LogP
			if got[side] != c.want[side] {
				t.Errorf("case %d: bounds %d are %v; want %v", i, side, got[side], c.want[side])
			}
		}
		ctx, ev, soft := context.Background(), c.ev, c.soft
		if n := testing.AllocsPerRun(2, func() { e.Bounds(ctx, &ev, &soft, &got[0], &got[1]) }); n != 0 {
			t.Errorf("case %d: %v allocations", i, n)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var lower, upper Marginals
	if err := e.Bounds(ctx, nil, nil, &lower, &upper); !errors.Is(err, context.Canceled) || !(lower.LogP <= upper.LogP) || upper.LogP == 0 {
		t.Errorf("a context that is done gives %v and ln P from %v to %v", err, lower.LogP, upper.LogP)
	}
}
`
