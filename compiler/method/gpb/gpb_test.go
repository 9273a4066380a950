package gpb_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// switching returns a model of a mode with two states, x with the CPDs first and next, which x has
// as parent and the mode, and y, which is x with a variance.
func switching(prior, transition []float64, first, next *model.Gaussian, noise float64) *model.Model {
	m := &model.Model{Name: "switching"}
	mode, x, y := m.NewVar("mode", "0", "1").ID, m.NewReal("x").ID, m.NewReal("y").ID
	sensor := &model.Factor{Scope: []model.VarID{x, y}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{noise}}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{mode}, Dist: &model.Table{Values: prior}}, {Scope: []model.VarID{x}, Dist: first}, sensor}
	m.Transition = &model.Transition{Before: []model.VarID{mode, x}, Factors: []*model.Factor{
		{Scope: []model.VarID{3, mode}, Child: 1, Dist: &model.Table{Values: transition}}, {Scope: []model.VarID{mode, 4, x}, Child: 2, Dist: next}, sensor}}
	return m
}

// filter filters a sequence by a method.
func filter(t *testing.T, m *model.Model, method string, sequence []infer.Given) (out []*infer.Marginals) {
	t.Helper()
	ctx := context.Background()
	e, err := infer.New(ctx, m, infer.Options{Method: compiler.Named(method)})
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
			t.Fatalf("%s, slice %d: %v", method, i, err)
		}
		out = append(out, one)
	}
	return out
}

// near compares a number.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.10f; want %.10f", what, got, want)
	}
}

// of returns P(mode 1), the mean and the variance of x, and ln P of the evidence.
func of(m *infer.Marginals) [4]float64 {
	x := m.Of("x")
	return [4]float64{m.Of("mode").P[1], x.Mean, x.Variance, m.LogProb}
}

// jumps is a system whose mode 1 reverses x. It starts in mode 0.
func jumps(mean float64) *model.Model {
	return switching([]float64{1, 0}, []float64{.9, .1, .2, .8}, &model.Gaussian{Mean: []float64{mean}, Var: []float64{.2}},
		&model.Gaussian{Mean: []float64{0, 0}, Coef: []float64{1, -.5}, Var: []float64{.1, 1}}, .5)
}

// TestJumps compares with numbers from an independent program: P(mode 1), mean and variance of x,
// and the density of the evidence, of four slices after slice 0.
func TestJumps(t *testing.T) {
	given := []infer.Given{nil}
	for _, y := range []float64{.3, -1.2, 2, .5} {
		given = append(given, infer.Evidence{"y": y})
	}
	first, second := [4]float64{.075809, .119378, .199540, .410598}, [4]float64{.203491, -.464086, .251425, .065694}
	for method, want := range map[string][][4]float64{
		"filter": {first, second, {.777300, 1.257097, .476235, .002727}, {.497116, .384575, .369617, .000699}},
		"gpb1":   {first, {.202202, -.467364, .251652, .065477}, {.755517, 1.218926, .451563, .002462}, {.544292, .468576, .423942, .000610}},
		"gpb2":   {first, second, {.777217, 1.257085, .476170, .002727}, {.497053, .384662, .369643, .000699}},
		"imm":    {first, {.203497, -.464507, .251459, .065707}, {.772238, 1.256705, .471701, .002747}, {.500165, .406296, .390219, .000696}},
	} {
		got := filter(t, jumps(0), method, given)
		for i := range want {
			x := of(got[i+1])
			x[3] = math.Exp(x[3])
			for k, name := range []string{"P(mode)", "mean", "variance", "density"} {
				near(t, fmt.Sprintf("%s, slice %d: %s", method, i+1, name), x[k], want[i][k], 5.1e-7)
			}
		}
	}
}

// TestUnseen checks what the methods have without evidence: gpb2 and imm the exact moments, and
// gpb1, which forgets that mode and x depend on each other, others.
func TestUnseen(t *testing.T) {
	mode := []float64{.1, .17, .219, .2533}
	exact := []float64{1.7, 1.55, 1.37, 1.2275}
	flat, err := infer.New(context.Background(), jumps(2).Unroll(5), infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := flat.Marginals(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for method, means := range map[string][]float64{"gpb1": {1.7, 1.2665, .850455, .527324}, "gpb2": exact, "imm": exact} {
		got := filter(t, jumps(2), method, make([]infer.Given, 5))
		for i := range mode {
			x := of(got[i+1])
			near(t, fmt.Sprintf("%s: P(mode %d)", method, i+1), x[0], mode[i], 1e-9)
			near(t, fmt.Sprintf("%s: mean %d", method, i+1), x[1], means[i], 5.1e-7)
			if method != "gpb1" {
				near(t, fmt.Sprintf("%s: variance %d", method, i+1), x[2], want.Of(fmt.Sprintf("x@%d", i+1)).Variance, 1e-9)
			}
		}
	}
}

// TestSmall compares the small switching system of the reference collection with numbers of an
// enumeration of all histories, which the exact filter has, and gpb2 for two slices; and with those
// of gpb2 and imm for six slices.
func TestSmall(t *testing.T) {
	m := switching([]float64{.5, .5}, []float64{.95, .05, .1, .9}, &model.Gaussian{Mean: []float64{0}, Var: []float64{1}},
		&model.Gaussian{Mean: []float64{0, 0}, Coef: []float64{1, 1}, Var: []float64{.1, 4}}, 1)
	var given []infer.Given
	for _, y := range []float64{.1, -.2, .3, 3, 6, 5.5} {
		given = append(given, infer.Evidence{"y": y})
	}
	for method, want := range map[string]map[int][4]float64{
		"filter": {0: {.5, .05, .5, -1.26801212348}, 1: {.33101315948, -.0804247534652, .524417372299, -2.68384984828},
			2: {.20515064217, .0989040641081, .434922187057, -4.01679305597}, 3: {.587451624626, 1.88179127424, 1.18805582261, -7.45817412453},
			4: {.976552058966, 5.36800043015, .859393532514, -10.9053774643}, 5: {.819724353783, 5.45828446276, .778142306941, -12.6358193208}},
		"gpb1": {0: {.5, .05, .5, -1.26801212348}},
		"gpb2": {0: {.5, .05, .5, -1.26801212348}, 1: {.33101315948, -.0804247534652, .524417372299, -2.68384984828},
			5: {.8200110762, 5.4588486862, .7780795543, -12.6362102838}},
		"imm": {0: {.5, .05, .5, -1.26801212348}, 5: {.8392642581, 5.4694261212, .7815844952, -12.6606279921}},
	} {
		got := filter(t, m, method, given)
		for i, numbers := range want {
			for k, name := range []string{"P(mode)", "mean", "variance", "ln P"} {
				near(t, fmt.Sprintf("%s, slice %d: %s", method, i, name), of(got[i])[k], numbers[k], 1e-9)
			}
		}
	}
}

// TestExact compares with the exact filter if no real variable persists, if all variables are real,
// and if modes do not differ.
func TestExact(t *testing.T) {
	for name, opt := range map[string]irtest.TemplateOptions{
		"within": {Reals: true}, "within, given": {Reals: true, Givens: true}, "real": {All: true}, "real, given": {All: true, Givens: true}, "discrete": {},
	} {
		for _, seed := range irtest.Cases(t, 4, 100) {
			m := irtest.RandomTemplate(seed, opt)
			compare(t, fmt.Sprintf("%s, seed %d", name, seed), m, m, seed)
		}
	}
	same := switching([]float64{.5, .5}, []float64{.95, .05, .1, .9}, &model.Gaussian{Mean: []float64{3}, Var: []float64{1}},
		&model.Gaussian{Mean: []float64{1, 1}, Coef: []float64{.9, .9}, Var: []float64{.3, .3}}, 1)
	alone := &model.Model{Name: "kalman"}
	x, y := alone.NewReal("x").ID, alone.NewReal("y").ID
	sensor := &model.Factor{Scope: []model.VarID{x, y}, Child: 1, Dist: same.Factors[2].Dist}
	alone.Factors = []*model.Factor{{Scope: []model.VarID{x}, Dist: same.Factors[1].Dist}, sensor}
	alone.Transition = &model.Transition{Before: []model.VarID{x}, Factors: []*model.Factor{
		{Scope: []model.VarID{2, x}, Child: 1, Dist: &model.Gaussian{Mean: []float64{1}, Coef: []float64{.9}, Var: []float64{.3}}}, sensor}}
	compare(t, "one mode", same, alone, 1)
}

// TestTwoSlices compares gpb2 with inference in the unrolled network: a belief after slice 0 that
// is one Gaussian for each state is exact.
func TestTwoSlices(t *testing.T) {
	persists := 0
	for _, seed := range irtest.Cases(t, 24, 200) {
		m := irtest.RandomTemplate(seed, irtest.TemplateOptions{Reals: true, Mixed: true, Givens: seed%3 == 0, Latent: seed%2 == 0})
		reals := slices.DeleteFunc(slices.Clone(m.Transition.Before), func(v model.VarID) bool { return !m.IsReal(v) })
		if slices.ContainsFunc(m.Reals(), func(v model.VarID) bool { f := m.CPD(v); return f != nil && !persistent(m, f) }) {
			continue // there are histories within slice 0
		}
		if len(reals) > 0 && len(m.Reals()) < len(m.Vars) {
			persists++
		}
		sequence, all := irtest.RandomSequence(m, 2, seed)
		got := filter(t, m, "gpb2", []infer.Given{infer.Evidence(sequence[0]), infer.Evidence(sequence[1])})[1]
		flat, err := infer.New(context.Background(), m.Unroll(2), infer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := flat.Marginals(context.Background(), infer.Evidence(all))
		if err != nil {
			t.Fatal(err)
		}
		near(t, fmt.Sprintf("seed %d: ln P", seed), got.LogProb, want.LogProb, 1e-9*(1+math.Abs(want.LogProb)))
		for _, d := range got.List {
			exact := want.Of(d.Var + "@1").Numbers()
			for k, x := range d.Numbers() {
				near(t, fmt.Sprintf("seed %d: %s", seed, d.Var), x, exact[k], 1e-9*(1+math.Abs(exact[k])))
			}
		}
	}
	if persists < 3 {
		t.Errorf("%d templates have real and discrete variables that persist; want 3 at least", persists)
	}
}

// persistent reports whether the discrete parents of a CPD of slice 0 persist.
func persistent(m *model.Model, f *model.Factor) bool {
	own, _ := m.SplitParents(f)
	return !slices.ContainsFunc(own, func(v model.VarID) bool { return !slices.Contains(m.Transition.Before, v) })
}

// compare compares filters of m with the exact filter of a model with some of its variables.
func compare(t *testing.T, name string, m, exact *model.Model, seed uint64) {
	t.Helper()
	sequence, _ := irtest.RandomSequence(exact, 8, seed)
	var given []infer.Given
	for _, slice := range sequence {
		given = append(given, infer.Evidence(slice))
	}
	want := filter(t, exact, "filter", given)
	for _, method := range []string{"gpb1", "gpb2", "imm"} {
		got := filter(t, m, method, given)
		for i := range want {
			what := fmt.Sprintf("%s, %s, slice %d", name, method, i)
			near(t, what+": ln P", got[i].LogProb, want[i].LogProb, 1e-9*(1+math.Abs(want[i].LogProb)))
			for _, d := range want[i].List {
				for k, x := range got[i].Of(d.Var).Numbers() {
					near(t, what+": "+d.Var, x, d.Numbers()[k], 1e-9*(1+math.Abs(d.Numbers()[k])))
				}
			}
		}
	}
}

// TestRefused checks what the methods say of networks and queries that they do not take.
func TestRefused(t *testing.T) {
	plain := &model.Model{}
	v := plain.NewVar("coin", "heads", "tails").ID
	plain.Factors = []*model.Factor{{Scope: []model.VarID{v}, Dist: &model.Table{Values: []float64{.5, .5}}}}
	for _, c := range []struct {
		m     *model.Model
		query string
		want  string
	}{
		{plain, "filter", "method imm needs a network with a transition"},
		{jumps(0), "viterbi", "method imm does not answer viterbi; want filter or smooth"},
		{jumps(0), "marginals", "method imm filters sequences and does not answer marginals; want filter"},
	} {
		_, err := compiler.Compile(context.Background(), c.m, compiler.Options{Method: compiler.Named("imm"), Queries: []string{c.query}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v; want %s", c.query, err, c.want)
		}
	}
}
