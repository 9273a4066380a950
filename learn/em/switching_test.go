package em

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/template"
	"github.com/pgmc-go/pgmc/learn/learner"
)

var mixedKinds = []irtest.TemplateOptions{{Reals: true, Mixed: true}, {Reals: true, Mixed: true, Givens: true}}

// If the discrete variables of a switching system are observed, its belief is exact: one Gaussian.
func TestSwitchingObserved(t *testing.T) {
	for _, o := range mixedKinds {
		for _, seed := range irtest.Cases(t, 5, 60) {
			t.Run(fmt.Sprintf("%+v/%d", o, seed), func(t *testing.T) {
				m := irtest.RandomTemplate(seed, o)
				flat := m.Unroll(slicesOf)
				s, wide := maskedOf(t, m, 5, slicesOf, .5, seed, flat.IsReal)
				sameCounts(t, m, s, wide)
			})
		}
	}
}

// Expected counts of discrete variables are the sums of their posteriors by the smoother of method
// gpb2, and so is ln P. Those of real variables differ: gpb2 goes back from the merged Gaussians of
// the last slice, and EM from those before they are merged.
func TestSwitchingSmoothed(t *testing.T) {
	ctx := context.Background()
	for _, o := range mixedKinds {
		for _, seed := range irtest.Cases(t, 5, 60) {
			m := irtest.RandomTemplate(seed, o)
			s, _ := masked(t, m, 3, slicesOf, .5, seed)
			x := sequencesOf(t, m, s)
			got, logP, err := x.expect(ctx, x.static)
			if err != nil {
				t.Fatal(o, seed, err)
			}
			e, err := infer.New(ctx, m, infer.Options{Method: compiler.Named("gpb2"), Queries: []string{"smooth"}})
			if err != nil {
				t.Fatal(o, seed, err)
			}
			want := newSums(x)
			for k := range s.Sequences() {
				list, err := e.Smooth(ctx, findings(m, x.read(k)))
				if err != nil {
					t.Fatal(o, seed, err)
				}
				want.add(list)
			}
			irtest.CloseTo(t, logP, want.logP, 1e-9*max(1, math.Abs(want.logP)))
			want.compare(t, fmt.Sprintf("%+v, seed %d", o, seed), got)
		}
	}
}

// findings returns the evidence of rows.
func findings(m *model.Model, rows []row) (list []infer.Given) {
	for _, r := range rows {
		f := infer.NewFindings(len(m.Vars))
		for _, v := range m.Vars {
			if r.state[v.ID] != data.Missing {
				f.Observe(v, model.Value{State: r.state[v.ID], Real: r.value[v.ID]})
			}
		}
		list = append(list, f)
	}
	return list
}

// sums are expected counts of the states of the child of each CPD of a discrete variable.
type sums struct {
	x    *sequences
	of   [][]float64
	logP float64
}

func newSums(x *sequences) *sums {
	w := &sums{x: x}
	for i, f := range x.static.Factors {
		w.of = append(w.of, nil)
		if f.Gaussian() == nil {
			w.of[i] = make([]float64, x.static.Card(f.ChildVar()))
		}
	}
	return w
}

// add adds the posteriors of a sequence.
func (w *sums) add(list []infer.Marginals) {
	t := w.x.t
	w.logP += list[0].LogProb
	for k := range list {
		factors, first := t.Factors, 0
		if k > 0 {
			factors, first = t.Transition.Factors, len(t.Factors)
		}
		for i, f := range factors {
			d := &list[k].List[f.ChildVar()]
			for s, p := range d.P {
				w.of[first+i][s] += p
			}
		}
	}
}

// compare compares them with counts.
func (w *sums) compare(t *testing.T, what string, counts [][]float64) {
	t.Helper()
	for i, f := range w.x.static.Factors {
		got := make([]float64, len(w.of[i]))
		if len(got) == 0 {
			continue
		}
		for at, p := range counts[i] {
			got[at%len(got)] += p // the child is last
		}
		for s := range got {
			if math.Abs(got[s]-w.of[i][s]) > 1e-8*max(1, math.Abs(w.of[i][s])) {
				t.Fatalf("%s: %s has sums %v; want %v", what, w.x.static.FactorName(f), got, w.of[i])
			}
		}
	}
}

// EM finds the numbers of a switching system whose modes and levels are hidden: a level that
// drifts upwards in one mode and jumps in the other. It climbs from other numbers.
func TestSwitchingLearned(t *testing.T) {
	of := func(stay, drift, calm, wild float64) *model.Model {
		m := &model.Model{}
		mode, x, y := m.NewVar("mode", "calm", "wild").ID, m.NewReal("x").ID, m.NewReal("y").ID
		see := &model.Factor{Scope: []model.VarID{x, y}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{.1}}}
		m.Factors = []*model.Factor{
			{Scope: []model.VarID{mode}, Dist: &model.Table{Values: []float64{.5, .5}}},
			{Scope: []model.VarID{x}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}}, see}
		m.Transition = &model.Transition{Before: []model.VarID{mode, x}, Factors: []*model.Factor{
			{Scope: []model.VarID{3, mode}, Child: 1, Dist: &model.Table{Values: []float64{stay, 1 - stay, 1 - stay, stay}}},
			{Scope: []model.VarID{mode, 4, x}, Child: 2, Dist: &model.Gaussian{Mean: []float64{drift, 0}, Coef: []float64{1, 1}, Var: []float64{calm, wild}}}, see}}
		return m
	}
	truth := of(.95, 1, .1, 25)
	s, _ := maskedOf(t, truth, 3, irtest.Count(t, 80, 400), 1, 1, func(v model.VarID) bool { return v%3 != 2 })
	x := sequencesOf(t, truth, s)
	_, best, err := x.expect(context.Background(), x.static)
	if err != nil {
		t.Fatal(err)
	}
	start := of(.7, 0, 1, 9)
	static := template.Static(start, template.None, nil)
	fit, err := RunSequences(context.Background(), start, static, s, []int{0, 1, 2},
		RunOptions{Steps: 60}, &learner.Job{Train: s, Cores: 2})
	if err != nil {
		t.Fatal(err)
	}
	first := fit.Starts[0]
	if got := first.LogP; got < best || got > best+30 {
		t.Errorf("ln P %v after EM; want that of the model that drew the rows, %v, or little more", got, best)
	}
	if d := fit.Model.Factors[4].Gaussian(); math.Abs(d.Mean[0]-1) > .15 || d.Var[0] > .3 || math.Abs(d.Var[1]-25) > 10 {
		t.Errorf("found drifts %v and variances %v; want 1, 0 and .1, 25", d.Mean, d.Var)
	}
}

// TestSwitchingApproximate checks that a fit says whether its likelihood is approximate: it is if a
// sequence of a switching system misses a value.
func TestSwitchingApproximate(t *testing.T) {
	m := irtest.RandomTemplate(0, mixedKinds[0])
	for _, c := range []struct {
		hidden float64
		want   bool
	}{{.5, true}, {0, false}} {
		s, _ := masked(t, m, 3, slicesOf, c.hidden, 1)
		x := sequencesOf(t, m, s)
		fit, err := RunSequences(context.Background(), m, x.static, s, x.column, RunOptions{Steps: 1}, &learner.Job{Cores: 1})
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Contains(strings.Join(fit.Report().Remarks, "\n"), "the log-likelihood is approximate")
		if fit.Approximate != c.want || said != c.want {
			t.Errorf("without a share %v of the values: approximate %v, said %v; want %v", c.hidden, fit.Approximate, said, c.want)
		}
	}
}
