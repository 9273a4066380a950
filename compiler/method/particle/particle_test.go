package particle_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/filter"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/compiler/method/particle"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// run filters a sequence by a method; nil is the exact filter.
func run(t *testing.T, m *model.Model, by method.Options, sequence []infer.Given) (out []*infer.Marginals) {
	t.Helper()
	ctx := context.Background()
	e, err := infer.New(ctx, m, infer.Options{Method: by})
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for i, given := range sequence {
		one, err := f.Step(ctx, given)
		if err != nil {
			t.Fatalf("slice %d: %v", i, err)
		}
		out = append(out, one)
	}
	return out
}

func sequence(m *model.Model, n int, seed uint64) (list []infer.Given) {
	of, _ := irtest.RandomSequence(m, n, seed)
	for _, slice := range of {
		list = append(list, infer.Evidence(slice))
	}
	return list
}

// TestTemplates compares estimates about random templates with exact answers: averages over seeds
// within 5 standard errors of these averages, and the standard errors of ln P in reports with the
// deviations. Where evidence is so improbable that few particles count, estimates of ln P differ
// much from seed to seed; averages of few then prove nothing.
func TestTemplates(t *testing.T) {
	by := map[string]func(seed uint64) method.Options{
		"bootstrap": func(s uint64) method.Options { return particle.Options{Particles: 1000, Seed: s} },
		"posterior": func(s uint64) method.Options {
			return particle.Options{Particles: 200, Proposal: "posterior", Resampling: "stratified", Seed: s}
		},
		"ahead": func(s uint64) method.Options { return particle.Options{Particles: 400, Ahead: 3, Seed: s} },
		"moves": func(s uint64) method.Options {
			return particle.Options{Particles: 500, Moves: 2, Enough: .9, Seed: s}
		},
		"residual": func(s uint64) method.Options {
			return particle.Options{Particles: 1000, Resampling: "residual", Seed: s}
		},
	}
	for name, by := range by {
		compared, all := 0, 0
		for kind, opt := range map[string]irtest.TemplateOptions{
			"discrete": {}, "latent": {Latent: true}, "mixed": {Reals: true, Mixed: true}, "given": {Reals: true, Mixed: true, Givens: true}, "real": {All: true},
		} {
			for _, seed := range irtest.Cases(t, 1, 6) {
				m := irtest.RandomTemplate(seed, opt)
				given := sequence(m, 4, seed)
				want := run(t, m, nil, given)
				const runs = 24
				var got [runs][]*infer.Marginals
				for r := range got {
					got[r] = run(t, m, by(uint64(r)), given)
				}
				for i := range want {
					var slice []*infer.Marginals
					for r := range got {
						slice = append(slice, got[r][i])
					}
					if all++; within(t, fmt.Sprintf("%s, %s, seed %d, slice %d", name, kind, seed, i), slice, want[i]) {
						compared++
					}
				}
			}
		}
		if compared < all/2 {
			t.Errorf("%s: %d of %d slices were compared; want half of them", name, compared, all)
		}
	}
}

// average returns the mean of numbers, and its standard error.
func average(x []float64) (mean, of float64) {
	square := 0.0
	for _, y := range x {
		mean += y / float64(len(x))
	}
	for _, y := range x {
		square += (y - mean) * (y - mean)
	}
	return mean, math.Sqrt(square / float64(len(x)-1) / float64(len(x)))
}

// within compares averages of estimates with exact answers. It reports whether they can be
// compared.
func within(t *testing.T, what string, got []*infer.Marginals, want *infer.Marginals) bool {
	t.Helper()
	of := func(number func(m *infer.Marginals) float64) (mean, off float64) {
		var list []float64
		for _, m := range got {
			list = append(list, number(m))
		}
		return average(list)
	}
	logs, off := of(func(m *infer.Marginals) float64 { return m.LogProb - want.LogProb })
	if off > .03 {
		return false
	}
	if bias := 8 * off * off; math.Abs(logs) > 5*off+bias+1e-9*(1+math.Abs(want.LogProb)) {
		t.Errorf("%s: ln P is too large by %v; want 0 within %v", what, logs, off)
	}
	if said, _ := of(func(m *infer.Marginals) float64 { return m.Report.LogError }); off*math.Sqrt(float64(len(got))) > 3*said+1e-9 {
		t.Errorf("%s: the standard error of ln P is %v; the report says %v", what, off*math.Sqrt(float64(len(got))), said)
	}
	for i, d := range want.List {
		for k, x := range d.Numbers() {
			scale := 1.0
			if d.P == nil {
				if k > 0 {
					continue
				}
				scale = math.Sqrt(d.Variance) + 1e-6*(1+math.Abs(x))
			}
			mean, off := of(func(m *infer.Marginals) float64 { return m.List[i].Numbers()[k] })
			if !(math.Abs(mean-x) <= 5*off+5e-3*scale) {
				t.Errorf("%s: number %d of %s is %v; want %v within %v", what, k, d.Var, mean, x, off)
			}
		}
	}
	return true
}

// jumps returns a system whose mode b reverses x, which y measures.
func jumps() *model.Model {
	m := walk(nil)
	mode := m.NewVar("mode", "a", "b").ID
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{mode}, Dist: &model.Table{Values: []float64{.9, .1}}})
	m.Transition = &model.Transition{Before: []model.VarID{0, mode}, Factors: []*model.Factor{
		{Scope: []model.VarID{mode, 3, 0}, Child: 2, Dist: &model.Gaussian{Mean: []float64{0, 0}, Coef: []float64{1, -.5}, Var: []float64{.1, 1}}},
		m.Factors[1], {Scope: []model.VarID{4, mode}, Child: 1, Dist: &model.Table{Values: []float64{.9, .1, .2, .8}}}}}
	return m
}

// TestUnbiased compares the average of estimates of P with P.
func TestUnbiased(t *testing.T) {
	m := jumps()
	var given []infer.Given
	for _, y := range []float64{1, .3, -1.2, 2, .5} {
		given = append(given, infer.Evidence{"y": y})
	}
	want := run(t, m, nil, given)[4].LogProb
	for name, by := range map[string]func(seed uint64) method.Options{
		"systematic": func(s uint64) method.Options { return particle.Options{Particles: 50, Enough: 1, Seed: s} },
		"stratified": func(s uint64) method.Options {
			return particle.Options{Particles: 50, Enough: 1, Resampling: "stratified", Seed: s}
		},
		"ahead": func(s uint64) method.Options { return particle.Options{Particles: 400, Ahead: 3, Seed: s} },
		"moves": func(s uint64) method.Options {
			return particle.Options{Particles: 500, Moves: 2, Enough: .9, Seed: s}
		},
		"residual": func(s uint64) method.Options {
			return particle.Options{Particles: 50, Enough: 1, Resampling: "residual", Seed: s}
		},
		"rbpf": func(s uint64) method.Options { return particle.RBPFOptions{Particles: 3, Seed: s} },
		"draw": func(s uint64) method.Options {
			return particle.RBPFOptions{Particles: 50, Draw: "x", Enough: 1, Seed: s}
		},
		"draw by ekf": func(s uint64) method.Options {
			return particle.RBPFOptions{Particles: 20, Draw: "x", Proposal: "ekf", Enough: 1, Seed: s}
		},
	} {
		n := float64(irtest.Count(t, 60, 400))
		sum, square := 0.0, 0.0
		for seed := range uint64(n) {
			x := math.Exp(run(t, m, by(seed+1), given)[4].LogProb - want)
			sum, square = sum+x, square+x*x
		}
		mean := sum / n
		if e := math.Sqrt((square/n - mean*mean) / n); !(math.Abs(mean-1) <= 4*e) || e == 0 {
			t.Errorf("%s: estimates of P average %v of it; want 1 within four times %v", name, mean, e)
		}
	}
}

// TestRanges checks that the options have all schemes and proposals of package ir, and that the
// spread of proposal ukf is the default of method ukf.
func TestRanges(t *testing.T) {
	o := reflect.TypeFor[particle.Options]()
	for name, want := range map[string][]string{"Resampling": ir.Schemes(), "Proposal": ir.Proposals()} {
		if f, _ := o.FieldByName(name); f.Tag.Get("range") != strings.Join(want, "|") {
			t.Errorf("%s has the range %s; want %q", name, f.Tag.Get("range"), want)
		}
	}
	if got := filter.NewUKFOptions().Spread; got != gauss.UnscentedSpread {
		t.Errorf("method ukf has the spread %v; want %v", got, gauss.UnscentedSpread)
	}
}

// TestText checks that the text form of the program of a particle can be read back, with the states
// that enter a slice.
func TestText(t *testing.T) {
	r, err := compiler.Compile(context.Background(), jumps(), compiler.Options{Method: particle.NewOptions(), Queries: []string{"filter"}})
	if err != nil {
		t.Fatal(err)
	}
	var text, again bytes.Buffer
	if err := r.Program.Print(&text); err != nil {
		t.Fatal(err)
	}
	p, err := ir.Parse(bytes.NewReader(text.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Print(&again); err != nil || again.String() != text.String() || !strings.Contains(text.String(), "whole bootstrap ahead 0 moves 0 paths 200 enough 0.5 seed 0 states v4 ") {
		t.Errorf("error %v; read back is\n%s\nwant\n%s", err, again.String(), text.String())
	}
	r, err = compiler.Compile(context.Background(), jumps(), compiler.Options{Method: particle.RBPFOptions{Draw: "y"}, Queries: []string{"filter"}})
	if err != nil {
		t.Fatal(err)
	}
	text.Reset()
	if err := r.Program.Print(&text); err != nil {
		t.Fatal(err)
	}
	if kept, err := ir.Parse(bytes.NewReader(text.Bytes())); err != nil || !reflect.DeepEqual(kept.Entry(ir.FilterNext).Stream, r.Program.Entry(ir.FilterNext).Stream) {
		t.Errorf("error %v; a stream with kept variables is not read back:\n%s", err, text.String())
	}
	entry := p.Entry(ir.FilterNext)
	entry.Stream.States = nil
	if err := p.Verify(); err == nil || !strings.Contains(err.Error(), "v4 has no state yet") {
		t.Errorf("without states that enter, error %v; want one about v4", err)
	}
}

// TestAllKept checks that the Rao-Blackwellised filter is exact if it keeps all histories, and that
// a seed repeats answers.
func TestAllKept(t *testing.T) {
	for _, seed := range irtest.Cases(t, 4, 40) {
		m := irtest.RandomTemplate(seed, irtest.TemplateOptions{Reals: true, Mixed: true})
		given := sequence(m, 4, seed)
		want, got := run(t, m, nil, given), run(t, m, particle.RBPFOptions{Particles: 1 << 16}, given)
		for i := range want {
			if got[i].Report != nil || !(math.Abs(got[i].LogProb-want[i].LogProb) <= 1e-10*(1+math.Abs(want[i].LogProb))) {
				t.Errorf("seed %d, slice %d: ln P %v with a report: %v; want %v without", seed, i, got[i].LogProb, got[i].Report != nil, want[i].LogProb)
			}
		}
	}
	m := irtest.RandomTemplate(5, irtest.TemplateOptions{Reals: true, Mixed: true})
	given := sequence(m, 5, 5)
	for _, by := range []method.Options{particle.Options{Seed: 9}, particle.RBPFOptions{Particles: 2, Seed: 9}} {
		if a, b := run(t, m, by, given)[4].LogProb, run(t, m, by, given)[4].LogProb; a != b {
			t.Errorf("%s: two runs of one seed give %v and %v", by.MethodName(), a, b)
		}
	}
}

// walk returns a random walk that is measured each slice: mean of x as an expression if it is one.
func walk(next model.Dist) *model.Model {
	m := &model.Model{Name: "walk"}
	x, y := m.NewReal("x").ID, m.NewReal("y").ID
	sensor := &model.Factor{Scope: []model.VarID{x, y}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{1}}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{x}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}}, sensor}
	m.Transition = &model.Transition{Before: []model.VarID{x}, Factors: []*model.Factor{{Scope: []model.VarID{2, x}, Child: 1, Dist: next}, sensor}}
	return m
}

// TestLong follows a random walk for 1,000 slices. With resampling the error of the mean stays
// bounded; without it, which is likelihood weighting of the whole sequence, one particle remains
// (Koller and Friedman, figures 15.4 and 15.6).
func TestLong(t *testing.T) {
	m := walk(&model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{1}})
	r := rand.New(rand.NewPCG(1, 2))
	var given []infer.Given
	x := 0.0
	for range 1000 {
		x += r.NormFloat64()
		given = append(given, infer.Evidence{"y": x + r.NormFloat64()})
	}
	want := run(t, m, nil, given)
	got, weighted := run(t, m, particle.Options{Particles: 1000, Seed: 1}, given), run(t, m, particle.Options{Particles: 1000, Enough: 1e-9, Seed: 1}, given)
	most, late := 0.0, 0.0
	for i := range want {
		most = max(most, math.Abs(got[i].Of("x").Mean-want[i].Of("x").Mean))
		if i >= 900 {
			late = max(late, math.Abs(weighted[i].Of("x").Mean-want[i].Of("x").Mean))
		}
	}
	last := weighted[999].Report.ESS
	if most > .5 || last > 1.01 || late < 5 {
		t.Errorf("the error is at most %v with resampling; want below .5; without, %v with %v effective particles; want more than 5, and one", most, late, last)
	}
}

// TestKinds compares slices with functions and softmax CPDs with numbers from a grid.
func TestKinds(t *testing.T) {
	m := walk(&model.Func{Nodes: []model.FuncNode{{Op: model.FuncVar}, {Op: model.FuncVar}, {Op: model.FuncSin, A: 1}, {Op: model.FuncAdd, B: 2}}, Var: []float64{.5}}) // x + sin x
	class := m.NewVar("class", "low", "high").ID
	m.Transition.Before, m.Transition.Factors[0].Scope[0] = []model.VarID{0}, 3
	soft := &model.Factor{Scope: []model.VarID{0, class}, Child: 1, Dist: &model.Softmax{Bias: []float64{0, .5}, Coef: []float64{0, 2}}}
	m.Factors = append(m.Factors, soft)
	m.Transition.Factors = append(m.Transition.Factors, soft)
	given := []infer.Given{infer.Evidence{"class": "high"}, infer.Evidence{"y": .7}, infer.Evidence{"class": "low"}, nil}
	got := run(t, m, particle.Options{Particles: 20000, Seed: 3}, given)
	const n, lo, step = 1201, -12.0, .02
	density := make([]float64, n)
	at := func(i int) float64 { return lo + step*float64(i) }
	normal := func(x, mean, variance float64) float64 {
		return math.Exp(-(x-mean)*(x-mean)/(2*variance)) / math.Sqrt(2*math.Pi*variance)
	}
	high := func(x float64) float64 { return 1 / (1 + math.Exp(-.5-2*x)) }
	seen := []func(x float64) float64{high, func(x float64) float64 { return normal(.7, x, 1) }, func(x float64) float64 { return 1 - high(x) }, func(float64) float64 { return 1 }}
	logP := 0.0
	for k := range given {
		after := make([]float64, n)
		total, mean, p := 0.0, 0.0, 0.0
		for i := range after {
			if k == 0 {
				after[i] = normal(at(i), 0, 1)
			}
			for j, d := range density {
				if d > 1e-12 {
					after[i] += step * d * normal(at(i), at(j)+math.Sin(at(j)), .5)
				}
			}
			after[i] *= seen[k](at(i))
			total += step * after[i]
		}
		for i := range after {
			after[i] /= total
			mean, p = mean+step*after[i]*at(i), p+step*after[i]*high(at(i))
		}
		density, logP = after, logP+math.Log(total)
		r := got[k].Report
		if math.Abs(got[k].Of("x").Mean-mean) > .06 || math.Abs(got[k].LogProb-logP) > 4*r.LogError+1e-4 {
			t.Errorf("slice %d: mean %v, ln P %v; want %v, %v", k, got[k].Of("x").Mean, got[k].LogProb, mean, logP)
		}
		if k == 3 && math.Abs(got[k].Of("class").P[1]-p) > 4*r.Residual {
			t.Errorf("P(class=high) is %v; want %v", got[k].Of("class").P[1], p)
		}
	}
}

// TestRefused checks messages, and that evidence without particles leaves a filter as it was.
func TestRefused(t *testing.T) {
	ctx := context.Background()
	m := irtest.RandomTemplate(1, irtest.TemplateOptions{})
	for want, by := range map[string]method.Options{
		"found -1 particles":                  particle.Options{Particles: -1},
		`unknown proposal "best"`:             particle.Options{Proposal: "best"},
		`unknown scheme of resampling "best"`: particle.RBPFOptions{Resampling: "best"},
		"found 2 as the share":                particle.Options{Enough: 2},
	} {
		_, err := compiler.Compile(ctx, m, compiler.Options{Method: by, Queries: []string{"filter"}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want %s", err, want)
		}
	}
	w := walk(&model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{1}})
	coin := w.NewVar("coin", "heads", "tails").ID
	w.Transition.Factors[0].Scope[0] = 3
	w.Factors = append(w.Factors, &model.Factor{Scope: []model.VarID{coin}, Dist: &model.Table{Values: []float64{1, 0}}})
	w.Transition.Factors = append(w.Transition.Factors, w.Factors[2])
	e, err := infer.New(ctx, w, infer.Options{Method: particle.Options{Particles: 10}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Step(ctx, nil); err != nil {
		t.Fatal(err)
	}
	c := f.Clone()
	if _, err := f.Step(ctx, infer.Evidence{"coin": "tails"}); !errors.Is(err, pgmrt.ErrParticles) || f.Len() != 1 {
		t.Errorf("error %v after %d slices; want %v, after 1", err, f.Len(), pgmrt.ErrParticles)
	}
	a, err := f.Step(ctx, infer.Evidence{"y": 1.})
	if err != nil {
		t.Fatal(err)
	}
	if b, err := c.Step(ctx, infer.Evidence{"y": 1.}); err != nil || a.LogProb != b.LogProb {
		t.Errorf("after an error ln P is %v; of a clone without, %v, %v", a.LogProb, b.LogProb, err)
	}
}

// TestNoParticle checks what is said if no particle agrees with evidence of probability .001: it is
// not impossible, and what helps does.
func TestNoParticle(t *testing.T) {
	m := &model.Model{Name: "rare", Transition: &model.Transition{Before: []model.VarID{0}}}
	s, ok := m.NewVar("s", "in", "out").ID, m.NewVar("ok", "yes", "no").ID
	shows := &model.Factor{Scope: []model.VarID{s, ok}, Child: 1, Dist: &model.Table{Values: []float64{1, 0, 0, 1}}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{s}, Dist: &model.Table{Values: []float64{.001, .999}}}, shows}
	m.Transition.Factors = []*model.Factor{{Scope: []model.VarID{2, s}, Child: 1, Dist: &model.Table{Values: []float64{.001, .999, .001, .999}}}, shows}
	for _, c := range []struct {
		method method.Options
		want   string
	}{
		{particle.Options{Particles: 50}, "none of the 50 particles agrees with ok=yes, which need not be impossible; try particles 500, proposal posterior, or method filter, which is exact"},
		{particle.Options{Particles: 50, Proposal: "posterior"}, ""},
	} {
		e, err := infer.New(t.Context(), m, infer.Options{Method: c.method})
		if err != nil {
			t.Fatal(err)
		}
		f, err := e.Filter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Step(t.Context(), infer.Evidence{"ok": "yes"})
		switch {
		case c.want == "" && err != nil:
			t.Error(err)
		case c.want != "" && (err == nil || err.Error() != c.want || !errors.Is(err, pgmrt.ErrParticles) || errors.Is(err, infer.ErrImpossible)):
			t.Errorf("error %v; want %s", err, c.want)
		}
	}
}
