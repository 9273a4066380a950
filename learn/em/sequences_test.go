package em

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/template"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// masked draws sequences of n slices from a template, and hides a share of the values that are not
// given. It returns them as the slices of a set, and as rows of the unrolled network.
func masked(t *testing.T, m *model.Model, sequences, n int, share float64, seed uint64) (bySlice, unrolled *data.Set) {
	t.Helper()
	return maskedOf(t, m, sequences, n, share, seed, func(model.VarID) bool { return true })
}

// maskedOf is masked that hides values of variables of the unrolled network alone for which hides
// is true.
func maskedOf(t *testing.T, m *model.Model, sequences, n int, share float64, seed uint64, hides func(model.VarID) bool) (bySlice, unrolled *data.Set) {
	t.Helper()
	r, flat := rand.New(rand.NewPCG(seed, 5)), m.Unroll(n)
	var wide, long [][]float64
	var first []int
	for range sequences {
		state, x := irtest.HybridSample(r, flat)
		row := make([]float64, len(flat.Vars))
		for v := range row {
			row[v] = float64(state[v])
			if flat.IsReal(model.VarID(v)) {
				row[v] = x[v]
			}
			if !flat.Vars[v].Given && r.Float64() < share && hides(model.VarID(v)) {
				row[v] = math.NaN()
			}
		}
		wide, first = append(wide, row), append(first, len(long))
		for i := range n {
			long = append(long, row[i*len(m.Vars):][:len(m.Vars)])
		}
	}
	unrolled = realSet(t, flat, wide)
	bySlice, err := realSet(t, m, long).InSequences(first)
	if err != nil {
		t.Fatal(err)
	}
	return bySlice, unrolled
}

func realSet(t *testing.T, m *model.Model, rows [][]float64) *data.Set {
	t.Helper()
	s, err := data.NewReal(data.VarsOf(m), rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sequencesOf returns the counter of a template for a set of sequences, without a prior.
func sequencesOf(t *testing.T, m *model.Model, s *data.Set) *sequences {
	t.Helper()
	static := template.Static(m, template.None, nil)
	column, err := mle.Columns(m, s.Vars)
	if err != nil {
		t.Fatal(err)
	}
	of := marginals(m, s, column)
	est, err := mle.New(static, mle.Options{Marginals: append(of, of...)})
	if err != nil {
		t.Fatal(err)
	}
	x := &sequences{t: m, static: static, est: est, set: s, column: column}
	if err := x.prepare(context.Background(), &learner.Job{Cores: 2}); err != nil {
		t.Fatal(err)
	}
	return x
}

var templateKinds = []irtest.TemplateOptions{{}, {Givens: true}, {All: true}, {Reals: true}, {Reals: true, Givens: true}, {All: true, Givens: true}}

// Expected counts and ln P of sequences are those of the unrolled network, whose counts are added
// up over its slices.
func TestSequenceCounts(t *testing.T) {
	for _, o := range templateKinds {
		for _, seed := range irtest.Cases(t, 5, 60) {
			t.Run(fmt.Sprintf("%+v/%d", o, seed), func(t *testing.T) { sequenceCounts(t, irtest.RandomTemplate(seed, o), seed) })
		}
	}
}

const slicesOf = 4

func sequenceCounts(t *testing.T, m *model.Model, seed uint64) {
	s, wide := masked(t, m, 5, slicesOf, .4, seed)
	sameCounts(t, m, s, wide)
}

// sameCounts compares expected counts of sequences with those of rows of the unrolled network.
func sameCounts(t *testing.T, m *model.Model, s, wide *data.Set) {
	t.Helper()
	x := sequencesOf(t, m, s)
	got, logP, err := x.expect(context.Background(), x.static)
	if err != nil {
		t.Fatal(err)
	}
	flat := m.Unroll(slicesOf)
	flat.Tied = nil
	cpds, given := len(flat.Factors), 0.0
	for _, v := range flat.Vars { // the network without a transition takes none
		if v.Given {
			v.Given = false
			flat.Factors = append(flat.Factors, drawn(flat, v.ID))
			for row := range wide.Len() {
				given += logDrawn(flat, v.ID, wide, row)
			}
		}
	}
	column, err := mle.Columns(flat, wide.Vars)
	if err != nil {
		t.Fatal(err)
	}
	y := expecterBy(t, flat, wide, mle.Options{Marginals: marginals(flat, wide, column)}, maxListed)
	counts, want, err := y.expect(context.Background(), flat)
	if err != nil {
		t.Fatal(err)
	}
	irtest.CloseTo(t, logP, want-given, 1e-9*max(1, math.Abs(want)))
	sums, err := x.est.Zero()
	if err != nil {
		t.Fatal(err)
	}
	first, each := len(m.Factors), len(m.Transition.Factors)
	for i, n := range counts[:cpds] {
		at := i
		if i >= first {
			at = first + (i-first)%each
		}
		x.est.Merge(at, sums[at], n)
	}
	for i := range sums {
		for k, want := range sums[i] {
			if math.Abs(got[i][k]-want) > 1e-7*max(1, math.Abs(want)) {
				t.Fatalf("%s: counts %v; want %v", x.static.FactorName(x.static.Factors[i]), got[i], sums[i])
			}
		}
	}
}

// drawn returns a CPD without parents for a variable.
func drawn(m *model.Model, v model.VarID) *model.Factor {
	f := &model.Factor{Scope: []model.VarID{v}, Dist: standard(1, 0)}
	if !m.IsReal(v) {
		f.Dist = &model.Table{Values: even(m.Card(v), m.Card(v))}
	}
	return f
}

// logDrawn returns ln of the density of a value of v in a row by that CPD.
func logDrawn(m *model.Model, v model.VarID, s *data.Set, row int) float64 {
	if !m.IsReal(v) {
		return -math.Log(float64(m.Card(v)))
	}
	return math.Log(normal(s.Real(int(v))[row], 0, 1))
}

// EM over sequences takes the steps of EM in the unrolled network with tied parameters.
func TestSequenceSteps(t *testing.T) {
	for _, o := range []irtest.TemplateOptions{{}, {All: true}, {Reals: true}} {
		for _, seed := range irtest.Cases(t, 2, 20) {
			m := irtest.RandomTemplate(seed+100, o)
			s, wide := masked(t, m, 50, 3, .3, seed)
			opt := RunOptions{Steps: 6, Tolerance: 1e-300}
			opt.Floor = .01 // the least variance is otherwise by that of the data, of a slice or of all
			got := runSequences(t, m, s, template.None, opt)
			want := run(t, m.Unroll(3), wide, opt, seed).Starts[0].Trace
			rises(t, got.Starts[0].Trace)
			if trace := got.Starts[0].Trace; len(trace) != len(want) {
				t.Errorf("%+v, seed %d: trace %v; want %v", o, seed, trace, want)
			} else {
				irtest.Close(t, trace, want, 1e-6)
			}
		}
	}
}

func runSequences(t *testing.T, m *model.Model, s *data.Set, ties template.Ties, opt RunOptions) *Fit {
	t.Helper()
	column, err := mle.Columns(m, s.Vars)
	if err != nil {
		t.Fatal(err)
	}
	fit, err := RunSequences(context.Background(), m, template.Static(m, ties, nil), s, column, opt, &learner.Job{Seed: 1, Cores: 2})
	if err != nil {
		t.Fatal(err)
	}
	return fit
}

// Complete sequences are counted: relative frequencies of states and transitions.
func TestCompleteSequences(t *testing.T) {
	m := irtest.RandomTemplate(3, irtest.TemplateOptions{})
	s, _ := masked(t, m, 30, 4, 0, 1)
	x := sequencesOf(t, m, s)
	if len(x.open) != 0 {
		t.Fatalf("%d sequences miss values; want none", len(x.open))
	}
	n, _, err := x.expect(context.Background(), x.static)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range x.static.Factors {
		want, from := make([]float64, len(n[i])), 0
		if i >= len(m.Factors) {
			from = 1
		}
		for k := range s.Sequences() {
			rows := x.read(k)
			for at := from; at < len(rows) && (from == 1 || at == 0); at++ {
				cell := 0
				for _, v := range f.Scope {
					slice, of := at-from, int(v)
					if of >= len(m.Vars) {
						slice, of = at, of-len(m.Vars)
					}
					cell = cell*x.static.Card(v) + rows[slice].state[of]
				}
				want[cell]++
			}
		}
		if !slices.Equal(n[i], want) {
			t.Errorf("%s: counts %v; want %v", x.static.FactorName(f), n[i], want)
		}
	}
}
