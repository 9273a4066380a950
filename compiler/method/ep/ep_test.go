package ep_test

import (
	"context"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/ep"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// subject is a model with its program.
type subject struct {
	*testing.T
	m     *model.Model
	p     *ir.Program
	claim method.Claim
}

func compile(t *testing.T, m *model.Model, opt ep.Options) *subject {
	t.Helper()
	res, err := compiler.Compile(context.Background(), m, compiler.Options{Method: opt, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	return &subject{t, res.Model, res.Program, res.Claim}
}

// machine returns a machine with evidence.
func (s *subject) machine(e brute.HybridEvidence) *eval.Machine {
	s.Helper()
	mc := eval.New(s.p, s.m)
	for _, v := range s.m.Vars {
		var err error
		if state, ok := e.States[v.ID]; ok {
			err = mc.Observe(v.ID, state)
		}
		if x, ok := e.Reals[v.ID]; ok {
			err = mc.ObserveReal(v.ID, x)
		}
		if l := e.Soft[v.ID]; l != nil {
			err = errors.Join(err, mc.Likelihood(v.ID, l))
		}
		if err != nil {
			s.Fatal(err)
		}
	}
	return mc
}

// run returns a machine after the query, and the report.
func (s *subject) run(e brute.HybridEvidence) (*eval.Machine, pgmrt.Report, error) {
	s.Helper()
	mc := s.machine(e)
	r, err := mc.RunLoop(context.Background(), &s.p.Entries[0], pgmrt.LoopOptions{})
	return mc, r, err
}

// answers runs the query and returns the numbers by the names of variables.
func (s *subject) answers(e brute.HybridEvidence) (of map[string][]float64, mc *eval.Machine, r pgmrt.Report) {
	s.Helper()
	mc, r, err := s.run(e)
	if err != nil {
		s.Fatal(err)
	}
	return s.posteriors(mc), mc, r
}

// posteriors returns the numbers of the last run by the names of variables.
func (s *subject) posteriors(mc *eval.Machine) map[string][]float64 {
	of := map[string][]float64{}
	for k, id := range s.p.Entries[0].Outs {
		of[s.m.Vars[s.p.Spans[id].Var].Name] = mc.Posterior(k)
	}
	return of
}

// improper returns the number of messages that were left out.
func (s *subject) improper(mc *eval.Machine) int { return mc.Improper(&s.p.Entries[0]) }

// near fails unless the answers of a variable are close to want.
func (s *subject) near(of map[string][]float64, name string, tol float64, want ...float64) {
	s.Helper()
	for i, x := range want {
		if got := of[name][i]; !(math.Abs(got-x) <= tol*math.Max(1, math.Abs(x))) {
			s.Errorf("%s: %v; want %v", name, of[name], want)
			return
		}
	}
}

// builder makes models.
type builder struct{ *model.Model }

func (b builder) add(d model.Dist, scope ...model.VarID) {
	b.Factors = append(b.Factors, &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: d})
}

// normal adds a real variable with a Gaussian CPD.
func (b builder) normal(name string, d *model.Gaussian, parents ...model.VarID) model.VarID {
	v := b.NewReal(name).ID
	b.add(d, append(parents, v)...)
	return v
}

// binary adds a variable of two states with probability p of the first.
func (b builder) binary(name string, p float64) model.VarID {
	v := b.NewVar(name, name+"0", name+"1").ID
	b.add(&model.Table{Values: []float64{p, 1 - p}}, v)
	return v
}

// function adds a real variable whose mean is an expression.
func (b builder) function(t *testing.T, name, text string, variance []float64, parents ...model.VarID) model.VarID {
	t.Helper()
	v := b.NewReal(name).ID
	f := &model.Factor{Scope: append(parents, v), Child: len(parents)}
	nodes, err := model.ParseFunc(text, b.ScopeNames(f))
	if err != nil {
		t.Fatal(err)
	}
	f.Dist = &model.Func{Nodes: nodes, Var: variance}
	b.Factors = append(b.Factors, f)
	return v
}

func newBuilder() builder { return builder{&model.Model{Name: "test"}} }

// TestRandom compares answers with exact rationals on random networks whose clusters are exact.
func TestRandom(t *testing.T) {
	for _, seed := range irtest.Cases(t, 25, 300) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{NoZeros: true, Decades: 2})
		s := compile(t, m, ep.Options{MaxCluster: 1 << 12})
		if s.claim != method.Exact {
			t.Errorf("seed %d: %v", seed, s.claim)
		}
		for k := range uint64(3) {
			e := irtest.HybridEvidence(seed*10+k, m, float64(k)/3)
			want, err := brute.NewHybrid(s.m, e)
			if err != nil {
				t.Fatal(err)
			}
			of, mc, r := s.answers(e)
			if r.Status != pgmrt.Converged || s.improper(mc) != 0 {
				t.Errorf("seed %d: %+v, %d improper", seed, r, s.improper(mc))
			}
			if !irtest.Near(mc.LogP(), want.LogDensity, 1e-11) {
				t.Errorf("seed %d: ln p %v; want %v", seed, mc.LogP(), want.LogDensity)
			}
			for _, v := range s.m.Vars {
				if s.m.IsReal(v.ID) {
					mean, variance := want.Moments(v.ID)
					s.near(of, v.Name, 1e-11, mean, variance)
				} else {
					s.near(of, v.Name, 1e-11, want.Posterior(v.ID)...)
				}
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestWeak checks small clusters: all messages are legal at first, and answers are near those of
// exact rationals.
func TestWeak(t *testing.T) {
	worst, runs, bad := 0.0, 0, 0
	for seed := range uint64(60) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{NoZeros: true, Decades: 2})
		s := compile(t, m, ep.Options{MaxCluster: 1, Damping: .1})
		e := irtest.HybridEvidence(seed, m, .3)
		want, err := brute.NewHybrid(s.m, e)
		if err != nil {
			t.Fatal(err)
		}
		of, mc, r := s.answers(e)
		if r.Status != pgmrt.Converged || s.improper(mc) > 0 {
			bad++
			continue
		}
		runs++
		for _, v := range s.m.Vars {
			if s.m.IsReal(v.ID) {
				continue
			}
			for i, p := range want.Posterior(v.ID) {
				worst = math.Max(worst, math.Abs(of[v.Name][i]-p))
			}
		}
	}
	t.Logf("%d of %d runs converged without improper messages; the largest error of a probability is %v", runs, runs+bad, worst)
	if runs < 50 || worst > .35 {
		t.Errorf("%d runs, worst %v", runs, worst)
	}
}

// collapse returns the model of example 14.8 of Koller and Friedman.
func collapse() *model.Model {
	b := newBuilder()
	a, c := b.binary("A", .4), b.binary("B", .5)
	x := b.normal("X", &model.Gaussian{Mean: []float64{0, 3}, Var: []float64{1, 4}}, a)
	b.normal("Y", &model.Gaussian{Mean: []float64{0, 0}, Coef: []float64{1, 1}, Var: []float64{9, 1}}, c, x)
	return b.Model
}

// TestCollapse checks example 14.8: belief update is exact here, also with clusters {A,X} and
// {B,X,Y}.
func TestCollapse(t *testing.T) {
	for _, states := range []int{1, 256} {
		s := compile(t, collapse(), ep.Options{MaxCluster: states})
		of, mc, _ := s.answers(brute.HybridEvidence{States: map[model.VarID]int{1: 1}, Reals: map[model.VarID]float64{3: -2}})
		s.near(of, "A", 1e-7, .8253005)
		s.near(of, "X", 1e-7, -1, .5524098)
		if n := s.improper(mc); n != 0 {
			t.Errorf("%d improper messages", n)
		}
	}
}

// opposite returns the model of example 14.9 of Koller and Friedman.
func opposite() *model.Model {
	b := newBuilder()
	a, c := b.binary("A", .5), b.binary("B", .5)
	x := b.normal("X", &model.Gaussian{Mean: []float64{0, 0}, Var: []float64{2, 6}}, a)
	b.normal("Y", &model.Gaussian{Mean: []float64{0, 0}, Coef: []float64{1, -1}, Var: []float64{.01, .01}}, c, x)
	return b.Model
}

// TestImproper checks example 14.9. A cluster {A,B,X} is exact. With clusters {A,X} and {B,X,Y} the
// quotient has a negative precision: it is counted and not used.
func TestImproper(t *testing.T) {
	e := brute.HybridEvidence{Reals: map[model.VarID]float64{3: 4}}
	s := compile(t, opposite(), ep.Options{})
	of, mc, _ := s.answers(e)
	s.near(of, "A", 1e-7, .1089667)
	s.near(of, "X", 1e-7, 0, 15.9452717)
	irtest.CloseTo(t, mc.LogP(), -3.7245394, 1e-7)
	if n := s.improper(mc); n != 0 {
		t.Errorf("%d improper messages", n)
	}
	s = compile(t, opposite(), ep.Options{MaxCluster: 1})
	of, mc, r := s.answers(e)
	if n := s.improper(mc); n != 1 || r.Status != pgmrt.Incomplete {
		t.Errorf("%d improper messages, %v; want 1", n, r.Status)
	}
	s.near(of, "A", 1e-12, .5) // the message from Y is not used
	s.near(of, "X", 1e-12, 0, 4)
}

// TestLegal checks that no first message is improper in the trees of examples 14.6 and 14.7 of
// Koller and Friedman, in which some must be sent before others: a variable's distribution is there
// before that of its children. With wide clusters, answers are exact.
func TestLegal(t *testing.T) {
	b := newBuilder()
	a, c, d := b.binary("A", .3), b.binary("B", .6), b.binary("C", .2)
	x := b.normal("X", &model.Gaussian{Mean: []float64{0, 2}, Var: []float64{1, 3}}, a)
	y := b.normal("Y", &model.Gaussian{Mean: []float64{1, -1}, Coef: []float64{2, -.5}, Var: []float64{.5, 2}}, c, x)
	z := b.normal("Z", &model.Gaussian{Mean: []float64{0, 1, 2, 3}, Coef: []float64{1, -1, .5, 2}, Var: []float64{1, .1, 2, .3}}, a, d, y)
	for _, e := range []brute.HybridEvidence{{}, {Reals: map[model.VarID]float64{y: 1}}, {Reals: map[model.VarID]float64{z: 1.5}, States: map[model.VarID]int{c: 0}}} {
		want, err := brute.NewHybrid(b.Model, e)
		if err != nil {
			t.Fatal(err)
		}
		for _, states := range []int{1, 2, 4, 8} {
			s := compile(t, b.Model, ep.Options{MaxCluster: states, Iterations: 1})
			of, mc, r := s.answers(e)
			if s.improper(mc) != 0 && (e.Reals == nil || states == 8) { // evidence can make quotients improper
				t.Errorf("%v, clusters of %d states: %d improper messages, %+v", e, states, s.improper(mc), r)
			}
			if mean, variance := want.Moments(x); states == 8 {
				s.near(of, "X", 1e-9, mean, variance)
				s.near(of, "A", 1e-9, want.Posterior(a)...)
			}
		}
	}
}

// TestDiscrete compares answers with brute force on discrete networks, on which all is exact.
func TestDiscrete(t *testing.T) {
	for _, seed := range irtest.Cases(t, 40, 300) {
		m := irtest.RandomModel(seed, irtest.Options{MaxVars: 8, MaxJoint: 1 << 10})
		s := compile(t, m, ep.Options{})
		joint, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		for k := range uint64(2) {
			e := irtest.RandomEvidence(10*seed+k, m)
			_, r, err := s.run(brute.HybridEvidence{States: e.Hard, Soft: e.Soft})
			if impossible := math.IsInf(joint.LogProb(e), -1); impossible || err != nil {
				if !impossible || !errors.Is(err, pgmrt.ErrImpossible) {
					t.Errorf("seed %d: %v; evidence is impossible: %v", seed, err, impossible)
				}
				continue
			}
			of, mc, _ := s.answers(brute.HybridEvidence{States: e.Hard, Soft: e.Soft})
			if r.Status != pgmrt.Converged || r.Iterations != 1 {
				t.Errorf("seed %d: %+v", seed, r)
			}
			irtest.CloseTo(t, mc.LogP(), joint.LogProb(e), 1e-11)
			for _, v := range s.m.Vars {
				if !v.Latent {
					s.near(of, v.Name, 1e-11, joint.Posterior(v.ID, e)...)
				}
			}
		}
	}
}

// switching returns a chain of n real variables, each with a switch of its own as a discrete
// parent, and an observation of every other one. The strong tree has a cluster of all switches.
func switching(n int) *model.Model {
	b := newBuilder()
	before := model.VarID(-1)
	for i := range n {
		d := b.binary("d"+strconv.Itoa(i), .3)
		if i == 0 {
			before = b.normal("x0", &model.Gaussian{Mean: []float64{0, 1}, Var: []float64{1, 2}}, d)
			continue
		}
		before = b.normal("x"+strconv.Itoa(i), &model.Gaussian{Mean: []float64{0, 1}, Coef: []float64{.5, .9}, Var: []float64{1, 2}}, d, before)
	}
	return b.Model
}

// TestSwitching checks a network that method clg refuses for its width, against the exact answer of
// a shorter one, and that the refusal names the method.
func TestSwitching(t *testing.T) {
	e := brute.HybridEvidence{Reals: map[model.VarID]float64{11: 4, 5: -2}}
	short := switching(6)
	want, err := brute.NewHybrid(short, e)
	if err != nil {
		t.Fatal(err)
	}
	s := compile(t, short, ep.Options{MaxCluster: 4, Iterations: 100})
	of, mc, r := s.answers(e)
	if r.Status != pgmrt.Converged || s.improper(mc) != 0 || s.claim != method.Approximate {
		t.Errorf("%+v, %d improper, %v", r, s.improper(mc), s.claim)
	}
	for _, v := range short.Vars {
		if short.IsReal(v.ID) {
			mean, variance := want.Moments(v.ID)
			s.near(of, v.Name, .02, mean, variance)
		} else {
			s.near(of, v.Name, .01, want.Posterior(v.ID)...)
		}
	}
	if math.Abs(mc.LogP()-want.LogDensity) > .02 {
		t.Errorf("ln p %v; want %v", mc.LogP(), want.LogDensity)
	}
	t.Logf("short: %+v", r)
	long := compile(t, switching(irtest.Count(t, 20, 60)), ep.Options{MaxCluster: 8, Iterations: 30})
	_, mc, r = long.answers(e)
	t.Logf("long: %+v", r)
	if r.Status != pgmrt.Converged || long.improper(mc) != 0 {
		t.Errorf("%+v, %d improper", r, long.improper(mc))
	}
	if _, err := compiler.Compile(context.Background(), switching(60), compiler.Options{}); err == nil || !strings.Contains(err.Error(), "ep") {
		t.Errorf("%v; want the advice to take method ep", err)
	}
}

// shifted returns a network in which the mean of x is 1e6 in one state and 0 in the others, and y
// measures x well: canonical forms relative to one mean would answer anything.
func shifted() builder {
	b := newBuilder()
	d := b.NewVar("d", "a", "b", "c").ID
	b.add(&model.Table{Values: []float64{.3, .4, .3}}, d)
	x := b.normal("x", &model.Gaussian{Mean: []float64{1e6, 0, 0}, Var: []float64{1, 1, 1}}, d)
	b.normal("y", &model.Gaussian{Mean: []float64{0, 0, 40}, Coef: []float64{100, 100, 1}, Var: []float64{1e-4, 1e-4, 1}}, d, x)
	return b
}

// TestApart checks that such a network is refused if a message has an approximation.
func TestApart(t *testing.T) {
	b := shifted()
	b.add(&model.Softmax{Bias: []float64{.5, 0}, Coef: []float64{0, 1}}, 1, b.NewVar("s", "low", "high").ID)
	_, err := compiler.Compile(context.Background(), b.Model, compiler.Options{Method: ep.NewOptions()})
	want := `ep: the prior means of "x" in different states are 1e+10 standard deviations apart, with which numbers relative to one mean lose their digits; want at most 100000; try `
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("found %v; want %s...", err, want)
	}
}

// TestExact compares answers with those of method clg, which are the same up to the order of
// sums if all messages are exact: of random networks of wide ranges, of one with means far apart, and of one in which
// the evidence is less probable than any float64.
func TestExact(t *testing.T) {
	for _, seed := range irtest.Cases(t, 25, 300) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{NoDiscrete: seed%3 == 0, NoZeros: true, MaxVars: 6})
		irtest.Widen(seed, m)
		compile(t, m, ep.Options{MaxCluster: 1 << 12}).as(irtest.HybridEvidence(seed, m, .4))
	}
	compile(t, shifted().Model, ep.Options{}).as(brute.HybridEvidence{Reals: map[model.VarID]float64{2: 50}})
	b := newBuilder()
	e := brute.HybridEvidence{States: map[model.VarID]int{}}
	for i := range 400 {
		e.States[b.binary("d"+strconv.Itoa(i), 1e-3)] = 0
	}
	b.normal("x", &model.Gaussian{Mean: []float64{0, 1}, Var: []float64{1, 2}}, 0)
	compile(t, b.Model, ep.Options{}).as(e)
}

// as compares the answers about e with those of method clg.
func (s *subject) as(e brute.HybridEvidence) {
	s.Helper()
	res, err := compiler.Compile(context.Background(), s.m, compiler.Options{Method: compiler.Named("clg"), Queries: []string{"marginals"}, Check: true})
	if err != nil {
		s.Fatal(err)
	}
	of, mc, r := s.answers(e)
	if s.claim != method.Exact || r.Status != pgmrt.Converged || r.Iterations != 1 {
		s.Errorf("%s: %v, %+v", s.m.Name, s.claim, r)
	}
	exact := &subject{s.T, res.Model, res.Program, res.Claim}
	by := exact.machine(e)
	if err := by.Run(&res.Program.Entries[0]); err != nil {
		s.Fatal(err)
	}
	const rounding = 0x1p-49 // the two plans may add in another order
	if math.Abs(mc.LogP()-by.LogP()) > rounding*math.Max(1, math.Abs(by.LogP())) {
		s.Errorf("%s: ln p %v; want %v", s.m.Name, mc.LogP(), by.LogP())
	}
	for name, x := range exact.posteriors(by) {
		s.near(of, name, rounding, x...)
	}
}
