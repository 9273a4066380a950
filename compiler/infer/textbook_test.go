package infer_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/filter"
	"github.com/pgmc-go/pgmc/compiler/method/particle"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// letters returns a network: each variable is a capital letter followed by its parents, of which
// small letters are those of the slice before. All are binary, with random CPDs.
func letters(seed uint64, families ...string) *model.Model {
	r := rand.New(rand.NewPCG(seed, 3))
	m := &model.Model{Transition: &model.Transition{}}
	id := map[rune]model.VarID{}
	for _, f := range families {
		id[rune(f[0])] = m.NewVar(f[:1], "0", "1").ID
	}
	for _, f := range families {
		for _, p := range f[1:] {
			if v, small := id[p-'a'+'A'], p >= 'a'; small && !slices.Contains(m.Transition.Before, v) {
				m.Transition.Before = append(m.Transition.Before, v)
			}
		}
	}
	cpd := func(scope []model.VarID) *model.Factor {
		x := &model.Table{}
		for range 1 << (len(scope) - 1) {
			p := .1 + .8*r.Float64()
			x.Values = append(x.Values, p, 1-p)
		}
		return &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: x}
	}
	for _, f := range families {
		var first, next []model.VarID
		for _, p := range f[1:] {
			if p >= 'a' {
				next = append(next, model.VarID(len(m.Vars)+slices.Index(m.Transition.Before, id[p-'a'+'A'])))
			} else {
				first, next = append(first, id[p]), append(next, id[p])
			}
		}
		m.Factors = append(m.Factors, cpd(append(first, id[rune(f[0])])))
		m.Transition.Factors = append(m.Transition.Factors, cpd(append(next, id[rune(f[0])])))
	}
	return m
}

// largest returns the variables of the largest clique of a network of binary variables.
func largest(t *testing.T, m *model.Model, query string) float64 {
	t.Helper()
	e, err := compiler.Estimate(context.Background(), m, compiler.Options{Queries: []string{query}})
	if err != nil {
		t.Fatal(err)
	}
	return math.Log2(e.Largest)
}

// TestTemplateCliques checks example 15.3 of Koller and Friedman, weather, velocity, location and
// failure of a car: a filter needs a clique of five of its variables, and of six with an arc from
// the location to the next velocity; two slices alone need no more than four. In the network of
// figure 15.3, of which two variables persist, they are four and three.
func TestTemplateCliques(t *testing.T) {
	car := letters(1, "Ww", "Fwf", "Vwv", "Lvl", "OLF")
	for _, c := range []struct {
		name  string
		m     *model.Model
		query string
		want  float64
	}{
		{"a step of the car", car, "filter", 5},
		{"a step with another arc", letters(1, "Ww", "Fwf", "Vwvl", "Lvl", "OLF"), "filter", 6},
		{"a step of figure 15.3", letters(1, "Aa", "BA", "CcB", "DC"), "filter", 4},
		{"two slices of figure 15.3", letters(1, "Aa", "BA", "CcB", "DC").Unroll(2), "logprob", 3},
	} {
		if got := largest(t, c.m, c.query); got != c.want {
			t.Errorf("%s: the largest clique has %v variables; want %v", c.name, got, c.want)
		}
	}
	if got := largest(t, car.Unroll(2), "logprob"); got > 4 {
		t.Errorf("two slices of the car: the largest clique has %v variables; want 4 at most", got)
	}
}

// TestEntangled checks theorem 15.1 of Koller and Friedman: in slice 2 of the car, no two variables
// that persist are independent, whichever third one is known.
func TestEntangled(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, letters(1, "Ww", "Fwf", "Vwv", "Lvl", "OLF").Unroll(3))
	names := []string{"W@2", "F@2", "V@2", "L@2"}
	for i, a := range names {
		for _, b := range names[:i] {
			for _, c := range append(slices.Clone(names), "") {
				if c == a || c == b {
					continue
				}
				given := infer.Evidence{}
				if c != "" {
					given[c] = "0"
				}
				p := func(more ...string) float64 {
					all := infer.Evidence{}
					for k, x := range given {
						all[k] = x
					}
					for _, v := range more {
						all[v] = "0"
					}
					log, err := e.LogProb(ctx, all)
					if err != nil {
						t.Fatal(err)
					}
					return math.Exp(log)
				}
				if gap := p(a, b)*p() - p(a)*p(b); math.Abs(gap) < 1e-7 {
					t.Errorf("%s and %s are independent given %q: %v", a, b, c, gap)
				}
			}
		}
	}
}

// TestCliquesOfPersistent checks exercise 15.5 of Koller and Friedman: n variables that persist and
// influence each other need a clique of n+1.
func TestCliquesOfPersistent(t *testing.T) {
	for n := 2; n <= 6; n++ {
		var families []string
		for i := range n {
			before := string(rune('a' + i))
			families = append(families, strings.ToUpper(before)+before+string(rune('a'+(i+1)%n)))
		}
		if got := largest(t, letters(uint64(n), families...), "filter"); got < float64(n+1) {
			t.Errorf("%d variables: the largest clique has %v; want %d or more", n, got, n+1)
		}
	}
}

// hmm is a hidden Markov model of three states and two symbols.
var hmm = struct {
	start    [3]float64
	next     [3][3]float64
	emit     [3][2]float64
	observed []int
}{[3]float64{.5, .3, .2}, [3][3]float64{{.7, .2, .1}, {.1, .6, .3}, {.25, .25, .5}}, [3][2]float64{{.9, .1}, {.4, .6}, {.2, .8}}, []int{0, 1, 1, 0, 1, 1, 0}}

// hmmModel returns it as a template.
func hmmModel() *model.Model {
	m := &model.Model{}
	x, y := m.NewVar("x", "a", "b", "c").ID, m.NewVar("y", "0", "1").ID
	var rows, emit []float64
	for i := range 3 {
		rows, emit = append(rows, hmm.next[i][:]...), append(emit, hmm.emit[i][:]...)
	}
	sensor := &model.Factor{Scope: []model.VarID{x, y}, Child: 1, Dist: &model.Table{Values: emit}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{x}, Dist: &model.Table{Values: hmm.start[:]}}, sensor}
	m.Transition = &model.Transition{Before: []model.VarID{x}, Factors: []*model.Factor{
		{Scope: []model.VarID{2, x}, Child: 1, Dist: &model.Table{Values: rows}}, sensor}}
	return m
}

// paths calls each with every path of n states and the joint probability of it and the first n
// observations.
func paths(n int, each func(path []int, p float64)) {
	path := make([]int, n)
	var extend func(t int, p float64)
	extend = func(t int, p float64) {
		if t == n {
			each(path, p)
			return
		}
		for s := range 3 {
			q := p * hmm.emit[s][hmm.observed[t]]
			if t == 0 {
				q *= hmm.start[s]
			} else {
				q *= hmm.next[path[t-1]][s]
			}
			path[t] = s
			extend(t+1, q)
		}
	}
	extend(0, 1)
}

// TestEnumeratedPaths compares filter, smoother and the best path of a hidden Markov model with an
// enumeration of all paths, and smoothing with the recursion of exercise 15.7 of Koller and
// Friedman, which needs filtered probabilities alone.
func TestEnumeratedPaths(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, hmmModel())
	var given []infer.Given
	for _, y := range hmm.observed {
		given = append(given, infer.Evidence{"y": fmt.Sprint(y)})
	}
	n := len(given)
	smooth, err := e.Smooth(ctx, given)
	if err != nil {
		t.Fatal(err)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-13*(1+math.Abs(want))) {
			t.Errorf("%s is %v; want %v", what, got, want)
		}
	}
	f, err := e.Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var filtered [][]float64
	for k := range n {
		got, err := f.Step(ctx, given[k])
		if err != nil {
			t.Fatal(err)
		}
		var sum [3]float64
		total := 0.0
		paths(k+1, func(path []int, p float64) { sum[path[k]] += p; total += p })
		for s, p := range got.Of("x").P {
			near(fmt.Sprintf("filtered %d, %d", k, s), p, sum[s]/total)
		}
		near("ln P", got.LogProb, math.Log(total))
		filtered = append(filtered, got.Of("x").P)
	}
	all, best := make([][3]float64, n), 0.0
	total := 0.0
	var bestPath []int
	paths(n, func(path []int, p float64) {
		total += p
		for k, s := range path {
			all[k][s] += p
		}
		if p > best {
			best, bestPath = p, slices.Clone(path)
		}
	})
	viterbi, err := e.Viterbi(ctx, given)
	if err != nil {
		t.Fatal(err)
	}
	near("ln P of the best path", viterbi.LogProb, math.Log(best))
	for k := range n {
		for s := range 3 {
			near(fmt.Sprintf("smoothed %d, %d", k, s), smooth[k].Of("x").P[s], all[k][s]/total)
		}
		if got := viterbi.Slices[k].Of("x"); got != "abc"[bestPath[k]:bestPath[k]+1] {
			t.Errorf("state %d of the best path is %s; want %d", k, got, bestPath[k])
		}
		for s := range 3 {
			if k == n-1 {
				break
			}
			back := 0.0
			for to := range 3 {
				predicted := 0.0
				for from := range 3 {
					predicted += filtered[k][from] * hmm.next[from][to]
				}
				back += smooth[k+1].Of("x").P[to] * hmm.next[s][to] / predicted
			}
			near("the recursion", filtered[k][s]*back, smooth[k].Of("x").P[s])
		}
	}
}

// TestBackwardMessages checks exercise 15.1 of Koller and Friedman: smoothed over filtered
// probabilities of the states that persist are proportional to the probability of all later
// evidence given them.
func TestBackwardMessages(t *testing.T) {
	ctx := context.Background()
	const n = 4
	compared := 0
	for _, seed := range irtest.Cases(t, 12, 200) {
		m := irtest.RandomTemplate(seed, irtest.TemplateOptions{})
		if len(m.Transition.Before) != 1 {
			continue
		}
		v := m.Vars[m.Transition.Before[0]]
		sequence, all := irtest.RandomSequence(m, n, seed)
		e, flat := newEngine(t, m), newEngine(t, m.Unroll(n))
		var given []infer.Given
		for i := range sequence {
			delete(sequence[i], v.Name)
			delete(all, fmt.Sprintf("%s@%d", v.Name, i))
			given = append(given, infer.Evidence(sequence[i]))
		}
		smooth, err := e.Smooth(ctx, given)
		if err != nil {
			t.Fatal(err)
		}
		f, err := e.Filter(ctx)
		if err != nil {
			t.Fatal(err)
		}
		past := infer.Evidence{}
		for k := range n {
			for name := range sequence[k] {
				past[fmt.Sprintf("%s@%d", name, k)] = all[fmt.Sprintf("%s@%d", name, k)]
			}
			filtered, err := f.Step(ctx, given[k])
			if err != nil {
				t.Fatal(err)
			}
			at, scale := fmt.Sprintf("%s@%d", v.Name, k), math.NaN()
			for s, p := range filtered.Of(v.Name).P {
				with := func(x infer.Evidence) float64 {
					y := infer.Evidence{at: m.States(v.ID)[s]}
					for name, value := range x {
						y[name] = value
					}
					log, err := flat.LogProb(ctx, y)
					if err != nil {
						t.Fatal(err)
					}
					return log
				}
				if p < 1e-12 {
					continue
				}
				share := math.Log(smooth[k].Of(v.Name).P[s]/p) - (with(infer.Evidence(all)) - with(past))
				if math.IsNaN(scale) {
					scale = share
				}
				if compared++; !(math.Abs(share-scale) <= 1e-9) {
					t.Errorf("seed %d, slice %d, state %d: ln of the ratio is off by %v", seed, k, s, share-scale)
				}
			}
		}
	}
	if compared < 10 {
		t.Errorf("%d states were compared; want 10", compared)
	}
}

// TestInformationFilter compares the Kalman filter with the filter of exercise 15.11 of Koller and
// Friedman, on matrices of information: h = K·mean and the inverse K of the covariance. It begins
// with no information, as a diffuse prior does.
func TestInformationFilter(t *testing.T) {
	ctx := context.Background()
	m := read(t, `{"pgmc": 2, "kind": "bayes", "variables": [{"name": "x", "real": true}, {"name": "v", "real": true}, {"name": "y", "real": true}],
 "factors": [{"scope": ["x"], "child": "x", "diffuse": true}, {"scope": ["v"], "child": "v", "diffuse": true},
  {"scope": ["x", "y"], "child": "y", "gaussian": {"mean": [0], "coef": [1], "var": [0.7]}}],
 "next": {"factors": [{"scope": [["x", 1], ["v", 1], "x"], "child": "x", "gaussian": {"mean": [0], "coef": [1, 0.5], "var": [0.2]}},
  {"scope": [["v", 1], "v"], "child": "v", "gaussian": {"mean": [0], "coef": [0.9], "var": [0.3]}},
  {"scope": ["x", "y"], "child": "y", "gaussian": {"mean": [0], "coef": [1], "var": [0.7]}}]}}`)
	f, err := newEngine(t, m).Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	a, q := [2][2]float64{{1, .5}, {0, .9}}, [2]float64{.2, .3}
	var k [2][2]float64
	var h [2]float64
	for slice, y := range []float64{1, 1.5, 1.2, 3, 3.5, 2} {
		if slice > 1 { // before, M of the prediction is singular
			k, h = predictInformation(k, h, a, q)
		} else if slice == 1 { // y₀ measures x₀: regress on (x₁, v₁) as unknowns of one equation
			k, h = predictSingular(h[0]/k[0][0], 1/k[0][0], a, q)
		}
		k[0][0] += 1 / .7
		h[0] += y / .7
		got, err := f.Step(ctx, infer.Evidence{"y": y})
		if err != nil {
			t.Fatal(err)
		}
		det := k[0][0]*k[1][1] - k[0][1]*k[1][0]
		if slice == 0 {
			continue // v is unknown
		}
		want := map[string][2]float64{"x": {(k[1][1]*h[0] - k[0][1]*h[1]) / det, k[1][1] / det}, "v": {(k[0][0]*h[1] - k[1][0]*h[0]) / det, k[0][0] / det}}
		for name, x := range want {
			d := got.Of(name)
			if !(math.Abs(d.Mean-x[0]) <= 1e-11*(1+math.Abs(x[0]))) || !(math.Abs(d.Variance-x[1]) <= 1e-11*x[1]) {
				t.Errorf("slice %d: %s has mean %v, variance %v; want %v", slice, name, d.Mean, d.Variance, x)
			}
		}
	}
}

// predictInformation integrates out the slice before: K' = Q⁻¹ - Q⁻¹A M⁻¹ AᵀQ⁻¹ and h' = Q⁻¹A M⁻¹
// h, with M = K + AᵀQ⁻¹A.
func predictInformation(k [2][2]float64, h [2]float64, a [2][2]float64, q [2]float64) (to [2][2]float64, by [2]float64) {
	m := k
	for i := range 2 {
		for j := range 2 {
			for r := range 2 {
				m[i][j] += a[r][i] * a[r][j] / q[r]
			}
		}
	}
	det := m[0][0]*m[1][1] - m[0][1]*m[1][0]
	inverse := [2][2]float64{{m[1][1] / det, -m[0][1] / det}, {-m[1][0] / det, m[0][0] / det}}
	var qam [2][2]float64 // Q⁻¹A M⁻¹
	for i := range 2 {
		for j := range 2 {
			for r := range 2 {
				qam[i][j] += a[i][r] / q[i] * inverse[r][j]
			}
		}
	}
	for i := range 2 {
		for j := range 2 {
			if i == j {
				to[i][j] = 1 / q[i]
			}
			for r := range 2 {
				to[i][j] -= qam[i][r] * a[j][r] / q[j]
			}
			by[i] += qam[i][j] * h[j]
		}
	}
	return to, by
}

// predictSingular returns the information about the second slice if the first position is known
// with a mean and a variance, and of the speed nothing: that of x₁ - (a₀₁/a₁₁)·v₁, in which the
// unknown speed cancels.
func predictSingular(mean, variance float64, a [2][2]float64, q [2]float64) (k [2][2]float64, h [2]float64) {
	c := [2]float64{1, -a[0][1] / a[1][1]}
	spread := variance + q[0] + c[1]*c[1]*q[1]
	for i := range 2 {
		h[i] = c[i] * mean / spread
		for j := range 2 {
			k[i][j] = c[i] * c[j] / spread
		}
	}
	return k, h
}

// TestCollapsedParticles checks exercise 15.9 of Koller and Friedman: Rao-Blackwellised particles
// of no variable are the Kalman filter, and those of all variables have no error if there are as
// many as histories.
func TestCollapsedParticles(t *testing.T) {
	ctx := context.Background()
	for _, seed := range irtest.Cases(t, 3, 40) {
		for name, opt := range map[string]irtest.TemplateOptions{"real": {All: true}, "discrete": {}} {
			m := irtest.RandomTemplate(seed, opt)
			sequence, _ := irtest.RandomSequence(m, 5, seed)
			particles := 1
			if name == "discrete" {
				particles = 64
			}
			by, err := infer.New(ctx, m, infer.Options{Method: &particle.RBPFOptions{Particles: particles, Resampling: "systematic"}})
			if err != nil {
				t.Fatal(err)
			}
			got, err := by.Filter(ctx)
			if err != nil {
				t.Fatal(err)
			}
			want, err := newEngine(t, m).Filter(ctx)
			if err != nil {
				t.Fatal(err)
			}
			for i := range sequence {
				x, err := got.Step(ctx, infer.Evidence(sequence[i]))
				if err != nil {
					t.Fatal(err)
				}
				y, err := want.Step(ctx, infer.Evidence(sequence[i]))
				if err != nil {
					t.Fatal(err)
				}
				sameNumbers(t, fmt.Sprintf("%s, seed %d, slice %d", name, seed, i), x, y, 1e-10)
			}
		}
	}
}

// sameNumbers compares posteriors.
func sameNumbers(t *testing.T, what string, got, want *infer.Marginals, tolerance float64) {
	t.Helper()
	if !(math.Abs(got.LogProb-want.LogProb) <= tolerance*(1+math.Abs(want.LogProb))) {
		t.Errorf("%s: ln P is %v; want %v", what, got.LogProb, want.LogProb)
	}
	for _, d := range want.List {
		for k, x := range got.Of(d.Var).Numbers() {
			if y := d.Numbers()[k]; !(math.Abs(x-y) <= tolerance*(1+math.Abs(y))) {
				t.Errorf("%s: number %d of %s is %v; want %v", what, k, d.Var, x, y)
			}
		}
	}
}

// TestIndependentChains checks that a belief in clusters is exact if these are independent.
func TestIndependentChains(t *testing.T) {
	ctx := context.Background()
	m := letters(4, "Aa", "Bb", "Cc", "XA", "YB", "ZC")
	e, err := infer.New(ctx, m, infer.Options{Method: &filter.Options{Clusters: "A;B;C"}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	want, err := newEngine(t, m).Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		given := infer.Evidence{"X": fmt.Sprint(i % 2), "Y": fmt.Sprint(i / 2 % 2)}
		x, err := got.Step(ctx, given)
		if err != nil {
			t.Fatal(err)
		}
		y, err := want.Step(ctx, given)
		if err != nil {
			t.Fatal(err)
		}
		sameNumbers(t, fmt.Sprintf("slice %d", i), x, y, 1e-12)
	}
}

// TestStaticVariables checks what Koller and Friedman, section 15.3.2, say of transitions: noisy
// ones forget what a belief in clusters leaves out; variables that never change do not. A and B are
// seen to be equal once; later evidence about A tells nothing of B to a belief in clusters.
func TestStaticVariables(t *testing.T) {
	ctx := context.Background()
	last := map[float64]float64{}
	for _, stay := range []float64{1, .7} {
		m := letters(5, "Aa", "Bb", "EAB", "XA")
		m.Factors[2].Dist = &model.Table{Values: []float64{1, 0, 0, 1, 0, 1, 1, 0}} // E is 0 if A = B
		m.Transition.Factors[2].Dist = m.Factors[2].Dist
		for k := range 2 {
			m.Factors[k].Dist = &model.Table{Values: []float64{.5, .5}}
			m.Transition.Factors[k].Dist = &model.Table{Values: []float64{stay, 1 - stay, 1 - stay, stay}}
		}
		m.Factors[3].Dist = &model.Table{Values: []float64{.8, .2, .2, .8}}
		m.Transition.Factors[3].Dist = m.Factors[3].Dist
		var of [2]*infer.Filter
		for k, opt := range []infer.Options{{}, {Method: &filter.Options{Clusters: "A;B"}}} {
			e, err := infer.New(ctx, m, opt)
			if err != nil {
				t.Fatal(err)
			}
			if of[k], err = e.Filter(ctx); err != nil {
				t.Fatal(err)
			}
		}
		for i := range 12 {
			given := infer.Evidence{"X": "0"}
			if i == 0 {
				given = infer.Evidence{"E": "0"}
			}
			var p [2]float64
			for k, f := range of {
				x, err := f.Step(ctx, given)
				if err != nil {
					t.Fatal(err)
				}
				p[k] = x.Of("B").P[0]
			}
			last[stay] = math.Abs(p[0] - p[1])
		}
	}
	if last[1] < .49 || last[.7] > 1e-3 {
		t.Errorf("after 12 slices the error is %v without noise and %v with it; want about .5, and near 0", last[1], last[.7])
	}
}

// TestDistinctParticles checks that Rao-Blackwellised particles of a deterministic transition do
// not repeat: as many as there are states are exact, however long the sequence.
func TestDistinctParticles(t *testing.T) {
	ctx := context.Background()
	m := hmmModel()
	m.Transition.Factors[0].Dist = &model.Table{Values: []float64{0, 1, 0, 0, 0, 1, 1, 0, 0}}
	e, err := infer.New(ctx, m, infer.Options{Method: &particle.RBPFOptions{Particles: 3, Resampling: "systematic"}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	want, err := newEngine(t, m).Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		given := infer.Evidence{"y": fmt.Sprint(hmm.observed[i%7])}
		x, err := got.Step(ctx, given)
		if err != nil {
			t.Fatal(err)
		}
		y, err := want.Step(ctx, given)
		if err != nil {
			t.Fatal(err)
		}
		if x.Report != nil {
			t.Fatalf("slice %d: particles were drawn", i)
		}
		sameNumbers(t, fmt.Sprintf("slice %d", i), x, y, 1e-12)
	}
}
