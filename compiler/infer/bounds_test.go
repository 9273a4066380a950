package infer_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// ExampleEngine_Interval bounds the probability of evidence without a clique tree. On a network as
// small as this the bounds meet.
func ExampleEngine_Interval() {
	p, err := asia().Interval(context.Background(), infer.Evidence{"dysp": "yes"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.6f %v\n", math.Exp(p.LogProb), p.Exact)
	// Output: 0.435971 true
}

// ExampleEngine_Search finds and proves the most probable states of two variables by a search with
// a deadline.
func ExampleEngine_Search() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	best, err := asia().Search(ctx, infer.Evidence{"dysp": "yes"}, "lung", "bronc")
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range best.States {
		fmt.Println(a.Var, a.State)
	}
	fmt.Println(best.Report.Status)
	// Output:
	// lung no
	// bronc yes
	// proven
}

// grid returns a square of variables with two states whose neighbours depend on each other at
// random, and on themselves.
func grid(side int, rng *rand.Rand) *model.Model {
	m := &model.Model{Name: "grid", Kind: model.Markov}
	for i := range side * side {
		m.Vars = append(m.Vars, &model.Var{ID: model.VarID(i), Name: fmt.Sprint("x", i), Domain: model.Discrete{States: []string{"0", "1"}}})
	}
	pair := func(a, b int) {
		w := math.Exp(3 * rng.NormFloat64())
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{model.VarID(a), model.VarID(b)}, Child: -1, Dist: &model.Table{Values: []float64{w, 1, 1, w}}})
	}
	for i := range side * side {
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{model.VarID(i)}, Child: -1, Dist: &model.Table{Values: []float64{1, math.Exp(rng.NormFloat64())}}})
		if i%side > 0 {
			pair(i-1, i)
		}
		if i >= side {
			pair(i-side, i)
		}
	}
	return m
}

// TestIntervalDeadline bounds a grid whose clique tree would have cliques of 2^30 states within a
// second. The answers come in time, and bounds and states keep order.
func TestIntervalDeadline(t *testing.T) {
	e, err := infer.New(context.Background(), grid(30, rand.New(rand.NewPCG(7, 7))), infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	p, err := e.Interval(ctx, infer.Evidence{"x3": "1"})
	if err != nil || p.Exact || !(p.Lower <= p.LogProb && p.LogProb <= p.Upper) || math.IsInf(p.Lower, 0) || len(p.Marginals) != 900 {
		t.Fatalf("%+v, %v", p, err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	best, err := e.Search(ctx, infer.Evidence{"x3": "1"})
	if err != nil || best.Report.Gap < 0 || best.LogProb > p.Upper || best.Of("x3") != "1" {
		t.Fatalf("%+v, %v", best, err)
	}
}

// TestLate asks for bounds and states after the deadline: the least work still answers.
func TestLate(t *testing.T) {
	e := engine(t, grid(20, rand.New(rand.NewPCG(9, 9))), infer.Options{})
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	best, err := e.Search(ctx, nil)
	if err != nil || math.IsInf(best.LogProb, 0) || best.Report.Gap <= 0 {
		t.Fatalf("%+v, %v", best, err)
	}
	p, err := e.Intervals(ctx, nil)
	if err != nil || !(p.Lower < p.Upper) || p.Upper < best.LogProb {
		t.Fatalf("%+v, %v", p, err)
	}
}

// TestBoundsOfRandomModels compares intervals, marginals and states of random models with those of
// enumeration. The logarithms of a Markov network differ by that of its partition function.
func TestBoundsOfRandomModels(t *testing.T) {
	for _, seed := range irtest.Cases(t, 40, 400) {
		m := irtest.RandomModel(seed, irtest.Options{MaxVars: 9})
		j, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		e := engine(t, m, infer.Options{})
		all, err := e.Interval(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if m.Kind == model.Bayes {
			irtest.CloseTo(t, all.LogProb, 0, 1e-11)
		}
		compareBounds(t, e, j, irtest.RandomEvidence(seed, m), all.LogProb)
	}
}

func compareBounds(t *testing.T, e *infer.Engine, j *brute.Joint, ev brute.Evidence, logZ float64) {
	t.Helper()
	known := given(j.Model, ev)
	p, err := e.Intervals(t.Context(), known)
	if math.IsInf(j.LogProb(ev), -1) {
		if _, mpe := e.Search(t.Context(), known); !errors.Is(err, infer.ErrImpossible) || !errors.Is(mpe, infer.ErrImpossible) {
			t.Errorf("the errors of impossible evidence are %v and %v", err, mpe)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	irtest.CloseTo(t, p.LogProb-logZ, j.LogProb(ev), 1e-10)
	if !p.Exact || p.Lower > p.LogProb || p.Upper < p.LogProb {
		t.Errorf("bounds of a small network are %+v", p)
	}
	for i, v := range j.Observable() {
		irtest.Close(t, p.Marginals[i].P, j.Marginals(ev)[v], 1e-9)
		if !slices.Equal(p.Marginals[i].P, p.Least[i]) || !slices.Equal(p.Marginals[i].P, p.Most[i]) {
			t.Errorf("bounds of exact marginals are %v and %v", p.Least[i], p.Most[i])
		}
	}
	some := j.Observable()[:min(3, len(j.Observable()))]
	for _, vars := range [][]model.VarID{nil, some} {
		var names []string
		for _, v := range vars {
			names = append(names, j.Model.Vars[v].Name)
		}
		c, err := e.Search(t.Context(), known, names...)
		if err != nil {
			t.Fatal(err)
		}
		if vars == nil {
			vars = make([]model.VarID, len(j.Model.Vars))
			for v := range vars {
				vars[v] = model.VarID(v)
			}
		}
		want, best := j.MAP(vars, ev)
		irtest.CloseTo(t, c.LogProb-logZ, want, 1e-10)
		got := indices(c, j.Model, vars)
		if len(got) == len(vars) && !slices.Equal(got, best[0]) && !asGood(j.Model, ev, vars, got, best[0]) { // no latent ones
			t.Errorf("the states of %v are %v; want the first of %v", vars, got, best)
		}
		if c.Report.Status != "proven" && (c.Report.Gap <= 0 || c.Report.Gap > 1e-11) || c.Report.Converged && c.Report.Gap != 0 { // or hundreds of ties
			t.Errorf("the report of a whole search is %+v", c.Report)
		}
	}
}

// asGood reports whether states of vars may come before the first of the best: float64 takes them
// for equal, and they are better in exact sums. Numbers of factors other than tables are rounded
// already, in a way that depends on how the factor is split, so that states with them may be less
// by so much.
func asGood(m *model.Model, ev brute.Evidence, vars []model.VarID, states, first []int) bool {
	limit := exactly(m, ev, vars, first)
	for _, f := range m.Factors {
		if _, ok := f.Dist.(*model.Table); !ok {
			limit.Mul(limit, big.NewFloat(1-0x1p-50))
			break
		}
	}
	return exactly(m, ev, vars, states).Cmp(limit) > 0
}

// exactly returns the probability of evidence and states of vars, without rounding after the
// numbers of the factors. It tells apart states that float64 takes for equal.
func exactly(m *model.Model, ev brute.Evidence, vars []model.VarID, states []int) *big.Float {
	at, own := make([]int, len(m.Vars)), new(big.Float).SetPrec(2000)
	all := make([]model.VarID, len(m.Vars))
	for v := range all {
		all[v] = model.VarID(v)
	}
	for more := true; more; more = m.Next(all, at) {
		p := new(big.Float).SetPrec(2000).SetInt64(1)
		for i, v := range vars {
			if at[v] != states[i] {
				p.SetInt64(0)
			}
		}
		for v, s := range ev.Hard {
			if at[v] != s {
				p.SetInt64(0)
			}
		}
		for v, l := range ev.Soft {
			p.Mul(p, big.NewFloat(l[at[v]]))
		}
		for _, f := range m.Factors {
			p.Mul(p, big.NewFloat(m.Value(f, at)))
		}
		own.Add(own, p)
	}
	return own
}

// TestIntervalsOfSplitModels compares bounds of posteriors with enumeration on random models with
// zeros, with so little memory that buckets are split.
func TestIntervalsOfSplitModels(t *testing.T) {
	proper := 0
	for _, seed := range irtest.Cases(t, 60, 1000) {
		m := irtest.RandomModel(seed, irtest.Options{MaxVars: 10})
		j, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		ev := irtest.RandomEvidence(seed, m)
		if math.IsInf(j.LogProb(ev), -1) {
			continue
		}
		p, err := engine(t, m, infer.Options{MaxMem: 1 << 10}).Intervals(t.Context(), given(m, ev))
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range j.Observable() {
			for k, want := range j.Marginals(ev)[v] {
				least, most, got := p.Least[i][k], p.Most[i][k], p.Marginals[i].P[k]
				if want < least-1e-12 || want > most+1e-12 || got < least || got > most {
					t.Errorf("seed %d: P(%s=%d) is %v, estimated %v; the bounds are %v and %v", seed, m.Vars[v].Name, k, want, got, least, most)
				}
				if least < most {
					proper++
				}
			}
		}
	}
	if proper < 100 {
		t.Errorf("%d posteriors have bounds that differ; want at least 100", proper)
	}
}

// indices returns the states of vars in a completion.
func indices(c *infer.Completion, m *model.Model, vars []model.VarID) []int {
	var list []int
	for _, v := range vars {
		for _, a := range c.States {
			if a.Var == m.Vars[v].Name {
				list = append(list, a.Index)
			}
		}
	}
	return list
}

// TestSearchBest compares several completions of random models, and their order, with those of the
// exact method.
func TestSearchBest(t *testing.T) {
	asked := 0
	for _, seed := range irtest.Cases(t, 30, 300) {
		m := irtest.RandomModel(seed, irtest.Options{MaxVars: 8})
		if slices.ContainsFunc(m.Vars, func(v *model.Var) bool { return v.Latent }) {
			if _, err := engine(t, m, infer.Options{}).SearchBest(t.Context(), nil, 2); err == nil {
				t.Errorf("seed %d: no error for latent variables", seed)
			}
			continue
		}
		e := engine(t, m, infer.Options{})
		known := given(m, irtest.RandomEvidence(seed, m))
		want, err := e.KMPE(t.Context(), known, 6)
		if errors.Is(err, infer.ErrImpossible) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		got, err := e.SearchBest(t.Context(), known, 6)
		if err != nil || len(got) != len(want) {
			t.Fatalf("seed %d: %d completions, %v; want %d", seed, len(got), err, len(want))
		}
		asked++
		for i := range got {
			irtest.CloseTo(t, got[i].LogProb-got[0].LogProb, want[i].LogProb-want[0].LogProb, 1e-9)
			if r := got[i].Report; !r.Converged && (r.Gap <= 0 || r.Gap > 1e-11) { // hundreds of ties
				t.Errorf("seed %d: the report is %+v", seed, got[i].Report)
			}
		}
	}
	if asked < 10 {
		t.Errorf("%d models; want at least 10", asked)
	}
}

// TestSearchProgress follows a search: its bounds hold the answer, and the last are those of it.
func TestSearchProgress(t *testing.T) {
	e, err := infer.New(context.Background(), grid(14, rand.New(rand.NewPCG(3, 3))), infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var list []infer.Progress
	e.SetRunOptions(infer.RunOptions{Progress: func(p infer.Progress) { list = append(list, p) }})
	best, err := e.Search(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		if p.Best > best.LogProb+1e-9 || p.Bound < best.LogProb-1e-9 {
			t.Errorf("%+v does not hold %v", p, best.LogProb)
		}
	}
	if last := list[len(list)-1]; last.Phase != "search" || math.Abs(last.Best-best.LogProb) > 1e-9 || last.Nodes != best.Report.Iterations {
		t.Errorf("the last report is %+v; the answer %+v", last, best.Report)
	}
}
