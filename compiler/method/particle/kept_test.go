package particle_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/particle"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// drawable returns the names of real variables of m that are not given, each with probability 1/2.
func drawable(m *model.Model, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 3))
	var names []string
	for _, v := range m.Reals() {
		if !m.Vars[v].Given && (r.IntN(2) == 0 || len(names) == 0) {
			names = append(names, m.Vars[v].Name)
		}
	}
	return strings.Join(names, ",")
}

// TestKeptTemplates compares particles of random templates, in which some real variables are drawn
// and the others kept, with exact answers, as TestTemplates does.
func TestKeptTemplates(t *testing.T) {
	all, compared := 0, 0
	for _, seed := range irtest.Cases(t, 8, 60) {
		kind := []irtest.TemplateOptions{{Reals: true}, {Reals: true, Mixed: true}, {Reals: true, Mixed: true, Givens: true}, {Reals: true, Mixed: true, Latent: true}}[seed%4]
		m := irtest.RandomTemplate(seed, kind)
		draw := drawable(m, seed)
		if draw == "" {
			continue
		}
		given := sequence(m, 5, seed)
		want := run(t, m, nil, given)
		for _, proposal := range []string{"bootstrap", "ekf", "ukf"} {
			const runs = 20
			var got [runs][]*infer.Marginals
			for r := range got {
				got[r] = run(t, m, particle.RBPFOptions{Draw: draw, Proposal: proposal, Particles: 300, Seed: uint64(r)}, given)
			}
			for i := range want {
				var slice []*infer.Marginals
				for r := range got {
					slice = append(slice, got[r][i])
				}
				if all++; within(t, fmt.Sprintf("template %d, %s drawn by %s, slice %d", seed, draw, proposal, i), slice, want[i]) {
					compared++
				}
			}
		}
	}
	if compared < all/2 {
		t.Errorf("%d of %d slices were compared; want half of them", compared, all)
	}
}

// load returns the model of a text.
func load(t *testing.T, text string) *model.Model {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.pgmc.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m, _, err := infer.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// lamp is a robot at x that measures a lamp at l, or clutter. The measurement is linear in l given
// x, and not linear in both.
const lamp = `{"pgmc": 2, "kind": "bayes", "variables": [{"name": "x", "real": true}, {"name": "l", "real": true}, {"name": "which", "states": ["lamp", "clutter"]}, {"name": "z", "real": true}],
"factors": [{"scope": ["x"], "child": "x", "gaussian": {"mean": [0], "var": [0.25]}},
 {"scope": ["l"], "child": "l", "gaussian": {"mean": [3], "var": [2]}},
 {"scope": ["which"], "child": "which", "table": [0.7, 0.3]},
 {"scope": ["which", "x", "l", "z"], "child": "z", "func": {"mean": "if(which = \"lamp\", cos(x)*l - x, 0)", "var": [0.2, 16]}}],
"next": {"factors": [{"scope": [["x", 1], "x"], "child": "x", "func": {"mean": "` + "`x@-1` + 0.5 + sin(`x@-1`)/3" + `", "var": [0.3]}},
 {"scope": [["l", 1], "l"], "child": "l", "gaussian": {"mean": [0], "coef": [1], "var": [0]}},
 {"scope": ["which"], "child": "which", "table": [0.7, 0.3]},
 {"scope": ["which", "x", "l", "z"], "child": "z", "func": {"mean": "if(which = \"lamp\", cos(x)*l - x, 0)", "var": [0.2, 16]}}]}}`

// lampGrid returns the posteriors of lamp by sums over a grid of x and l.
func lampGrid(z []float64) (list []*infer.Marginals) {
	const n, lo, step, nl, lol, stepl = 261, -4.0, .05, 141, -4.0, .1
	normal := func(x, mean, variance float64) float64 {
		return math.Exp(-(x-mean)*(x-mean)/(2*variance)) / math.Sqrt(2*math.Pi*variance)
	}
	at := func(i int) float64 { return lo + step*float64(i) }
	var belief, goes [n][]float64
	for i := range n {
		for j := range n {
			goes[i] = append(goes[i], step*normal(at(j), at(i)+.5+math.Sin(at(i))/3, .3))
		}
		for k := range nl {
			belief[i] = append(belief[i], step*stepl*normal(at(i), 0, .25)*normal(lol+stepl*float64(k), 3, 2))
		}
	}
	logP := 0.0
	for t, seen := range z {
		var next [n][]float64
		total, meanX, meanL, squareX, squareL, clutter := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
		for j := range n {
			next[j] = make([]float64, nl)
			for k := range nl {
				x, l, p := at(j), lol+stepl*float64(k), belief[j][k]
				if t > 0 {
					p = 0
					for i := range n {
						p += belief[i][k] * goes[i][j]
					}
				}
				far := p * .3 * normal(seen, 0, 16)
				p = far + p*.7*normal(seen, math.Cos(x)*l-x, .2)
				next[j][k] = p
				total, clutter, meanX, meanL, squareX, squareL = total+p, clutter+far, meanX+p*x, meanL+p*l, squareX+p*x*x, squareL+p*l*l
			}
		}
		for j := range n {
			for k := range nl {
				next[j][k] /= total
			}
		}
		belief, logP = next, logP+math.Log(total)
		meanX, meanL = meanX/total, meanL/total
		list = append(list, &infer.Marginals{LogProb: logP, List: []infer.Distribution{{Var: "x", Mean: meanX, Variance: squareX/total - meanX*meanX},
			{Var: "l", Mean: meanL, Variance: squareL/total - meanL*meanL}, {Var: "which", P: []float64{1 - clutter/total, clutter / total}}, {Var: "z", Mean: seen}}})
	}
	return list
}

// TestKeptGrid compares particles with values of x, and a normal distribution of l, with a grid.
func TestKeptGrid(t *testing.T) {
	m, z := load(t, lamp), []float64{2.6, 1.1, -4, .5}
	want := lampGrid(z)
	var given []infer.Given
	for _, y := range z {
		given = append(given, infer.Evidence{"z": y})
	}
	for name, by := range map[string]particle.RBPFOptions{"bootstrap": {Particles: 800}, "ekf": {Particles: 2500, Proposal: "ekf"}, "ukf": {Particles: 800, Proposal: "ukf"}} {
		const runs = 20
		var got [runs][]*infer.Marginals
		for r := range got {
			by.Draw, by.Seed = "x", uint64(r)
			got[r] = run(t, m, by, given)
		}
		for i := range want {
			var slice []*infer.Marginals
			for r := range got {
				slice = append(slice, got[r][i])
			}
			if !within(t, fmt.Sprintf("%s, slice %d", name, i), slice, want[i]) {
				t.Errorf("%s, slice %d: ln P differs much from seed to seed", name, i)
			}
			var variances []float64
			for _, m := range slice {
				variances = append(variances, m.Of("l").Variance)
			}
			if got, off := average(variances); math.Abs(got-want[i].Of("l").Variance) > 5*off+.02 {
				t.Errorf("%s, slice %d: variance of l %v; want %v within %v", name, i, got, want[i].Of("l").Variance, off)
			}
		}
	}
}

// targets returns two targets and two measurements of a slice, each of one of them or clutter.
func targets() string {
	sensor := `{"scope": ["s1"], "child": "s1", "table": [0.4, 0.4, 0.2]}, {"scope": ["s2"], "child": "s2", "table": [0.4, 0.4, 0.2]},
{"scope": ["s1", "a", "b", "y"], "child": "y", "gaussian": {"mean": [0, 0, 1], "coef": [1, 0, 0, 1, 0, 0], "var": [0.5, 0.5, 20]}},
{"scope": ["s2", "a", "b", "z"], "child": "z", "gaussian": {"mean": [0, 0, 1], "coef": [1, 0, 0, 1, 0, 0], "var": [0.5, 0.5, 20]}}`
	states := `"real": true}, {"name": "s1", "states": ["a", "b", "clutter"]}, {"name": "s2", "states": ["a", "b", "clutter"]}, {"name": "y", "real": true}, {"name": "z", "real": true}`
	return `{"pgmc": 2, "kind": "bayes", "variables": [{"name": "a", "real": true}, {"name": "b", ` + states + `],
"factors": [{"scope": ["a"], "child": "a", "gaussian": {"mean": [0], "var": [1]}}, {"scope": ["b"], "child": "b", "gaussian": {"mean": [3], "var": [1]}}, ` + sensor + `],
"next": {"factors": [{"scope": [["a", 1], "a"], "child": "a", "gaussian": {"mean": [0.5], "coef": [1], "var": [0.3]}},
{"scope": [["b", 1], ["a", 1], "b"], "child": "b", "gaussian": {"mean": [-0.5], "coef": [1, 0.2], "var": [0.3]}}, ` + sensor + `]}}`
}

// TestKeptTargets compares particles with a drawn and a kept target, and two measurements in each
// slice, with the exact filter.
func TestKeptTargets(t *testing.T) {
	m := load(t, targets())
	given := []infer.Given{infer.Evidence{"y": .2, "z": 2.8}, infer.Evidence{"y": 2.4, "z": 1.1}, infer.Evidence{"y": 9., "z": 1.6}, infer.Evidence{"z": 2.}}
	want := run(t, m, nil, given)
	for _, by := range []particle.RBPFOptions{{Draw: "a"}, {Draw: "a", Proposal: "ekf"}, {Draw: "a,b", Proposal: "ukf"}, {Draw: "b,y", Proposal: "ekf"}} {
		const runs = 20
		var got [runs][]*infer.Marginals
		for r := range got {
			by.Particles, by.Seed = 600, uint64(r)
			got[r] = run(t, m, by, given)
		}
		for i := range want {
			var slice []*infer.Marginals
			for r := range got {
				slice = append(slice, got[r][i])
			}
			if name := fmt.Sprintf("%s by %q, slice %d", by.Draw, by.Proposal, i); !within(t, name, slice, want[i]) {
				t.Errorf("%s: ln P differs much from seed to seed", name)
			}
		}
	}
}

// TestKeptTangents compares particles with a measurement that is not linear in the kept variable,
// the distance of a lamp one metre aside, with particles of all variables. Tangents and points are
// not exact: answers are within .1.
func TestKeptTangents(t *testing.T) {
	m := load(t, strings.ReplaceAll(lamp, "cos(x)*l - x", "sqrt((l-x)^2 + 1)"))
	given := []infer.Given{infer.Evidence{"z": 2.9}, infer.Evidence{"z": 2.2}, nil, infer.Evidence{"z": 1.5}}
	want := run(t, m, particle.Options{Particles: 100000, Seed: 1}, given)
	for _, proposal := range []string{"bootstrap", "ekf", "ukf"} {
		got := run(t, m, particle.RBPFOptions{Draw: "x", Proposal: proposal, Particles: 4000, Seed: 1}, given)
		for i, w := range want {
			for _, name := range []string{"x", "l"} {
				if a, b := got[i].Of(name).Mean, w.Of(name).Mean; math.Abs(a-b) > .1 {
					t.Errorf("%s, slice %d: mean of %s %v; want %v", proposal, i, name, a, b)
				}
			}
			if a, b := got[i].LogProb, w.LogProb; math.Abs(a-b) > .1 {
				t.Errorf("%s, slice %d: ln P %v; want %v", proposal, i, a, b)
			}
		}
	}
}

// TestKeptBlocks checks that the work and the numbers of a particle grow with the number of
// landmarks, not with its square: given the path of the robot they are independent.
func TestKeptBlocks(t *testing.T) {
	for _, proposal := range []string{"bootstrap", "ekf"} {
		var ops, numbers []int
		for _, n := range []int{5, 10, 20} {
			r, err := compiler.Compile(t.Context(), load(t, ring(n).text()), compiler.Options{Queries: []string{"filter"}, Method: particle.RBPFOptions{Draw: "x,y,h", Proposal: proposal}})
			if err != nil {
				t.Fatal(err)
			}
			e := r.Program.Entry(ir.FilterNext)
			count := 0
			for _, b := range e.Blocks {
				for _, s := range r.Program.Blocks[b].Steps {
					if m, ok := s.(*ir.Map); ok {
						count += len(m.Code)
					}
				}
			}
			ops, numbers = append(ops, operations(r.Program)), append(numbers, r.Program.Entry(ir.FilterNext).Stream.Histories.Draw.Kept.Values)
			if want := 3 + 2*n + 2 + 2*n + 2 + n; numbers[len(numbers)-1] != want { // means, variances, and a covariance by landmark
				t.Errorf("%s, %d landmarks: %d numbers of a particle; want %d", proposal, n, numbers[len(numbers)-1], want)
			}
		}
		if ops[2]-ops[1] > 3*(ops[1]-ops[0]) {
			t.Errorf("%s: %v operations with 5, 10 and 20 landmarks; want differences of the same ratio", proposal, ops)
		}
	}
}
