package compiler_test

import (
	"context"
	"math"
	"strconv"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/internal/trial"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestSecondPlans compares both plans of queries with brute force, on evidence on none to all of
// the variables. A machine whose loops run over all states takes the circuit. Its parts belong to
// shares of the long tests by their own names, since all take eight minutes.
func TestSecondPlans(t *testing.T) {
	for part := range uint64(10) {
		t.Run(strconv.FormatUint(part, 10), func(t *testing.T) {
			short := 0
			if part == 0 {
				short = 6
			}
			if plans := irtest.Count(t, short, 50); plans > 0 {
				secondPlans(t, 1000*part+1, plans)
			}
		})
	}
}

// secondPlans compares the plans of models from a seed on until it has a number of second plans.
func secondPlans(t *testing.T, seed uint64, want int) {
	ran := [2]int{}
	for plans := 0; plans < want; seed++ {
		m := irtest.RandomModel(seed, irtest.Options{MaxVars: 6, MaxStates: 12, MaxJoint: 1 << 12})
		r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: rangeQueries, Rows: model.RowsAsIs,
			Method: compiler.Named(compiler.Auto), Steps: 100, Check: true}.Trial(trial.Options{Second: true}))
		must(t, err)
		if r.Program.Instead(r.Program.Entry("marginals")) == nil {
			continue
		}
		plans++
		joint, err := brute.New(m)
		must(t, err)
		machine, wide := eval.New(r.Program, r.Model), eval.New(r.Program, r.Model)
		wide.NoNarrowing = true
		for i := range uint64(20) {
			e := irtest.EvidenceOn(seed*1000+i, m, float64(i%5)/4, float64(i%3)/4)
			poison(machine, r.Program, math.NaN())
			compareBrute(t, machine, r.Program, joint, e)
			compareBrute(t, wide, r.Program, joint, e)
			ran[plan(r.Program, e)]++
		}
		if t.Failed() {
			t.Fatalf("model of seed %d", seed)
		}
	}
	if ran[0] == 0 || ran[1] == 0 {
		t.Errorf("the first plan ran %d times and the second %d times; want both to run", ran[0], ran[1])
	}
}

// plan returns the number of the plan that answers all marginals: 0 for the first, 1 for the
// second.
func plan(p *ir.Program, e brute.Evidence) int {
	states := map[model.VarID]int{}
	for i := range p.Spans {
		if s := &p.Spans[i]; s.Role == ir.RoleIn {
			states[s.Var] = s.Len
		}
	}
	for v, l := range e.Soft {
		first, end := len(l), 0
		for s, x := range l {
			if x > 0 {
				first, end = min(first, s), s+1
			}
		}
		states[v] = max(0, end-first)
	}
	for v := range e.Hard {
		states[v] = min(1, states[v])
	}
	x := p.Instead(p.Entry("marginals")).Instead
	if x.Work(func(v model.VarID) int { return states[v] }) <= x.Most {
		return 1
	}
	return 0
}

// TestChooseSecond checks which circuits of networks have a second plan.
func TestChooseSecond(t *testing.T) {
	irtest.SkipUnlessLong(t)
	for network, want := range map[string]string{
		"water":  "",
		"munin2": "with a second plan by tables for much evidence",
		"munin3": "with a second plan by tables for much evidence",
	} {
		if got := chosen(t, network, compiler.Options{}); got.Method != "circuit" || got.Second != want {
			t.Errorf("%s: %s, %q; want a circuit, %q", network, got.Method, got.Second, want)
		}
	}
}
