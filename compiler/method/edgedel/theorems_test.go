package edgedel_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/edgedel"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// answer is the result of a method.
type answer struct {
	report    pgmrt.Report
	marginals [][]float64 // by variable
	logP      float64
	bound     float64
	err       error
}

// query runs a method on evidence.
func query(t *testing.T, m *model.Model, e brute.Evidence, name string, options ...string) answer {
	t.Helper()
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named(name, options...), Rows: model.RowsAsIs, Check: true, Steps: -1})
	if err != nil {
		t.Fatal(err)
	}
	machine, entry := eval.New(r.Program, r.Model), &r.Program.Entries[0]
	for v, s := range e.Hard {
		if err := machine.Observe(v, s); err != nil {
			t.Fatal(err)
		}
	}
	a := answer{marginals: make([][]float64, len(m.Vars))}
	a.report, a.err = machine.RunLoop(context.Background(), entry, pgmrt.LoopOptions{})
	if a.err != nil {
		return a
	}
	a.logP = machine.LogP()
	a.bound, _ = machine.Bound(entry)
	for i, out := range entry.Outs {
		a.marginals[r.Program.Spans[out].Var] = slices.Clone(machine.Posterior(i))
	}
	return a
}

func enumerate(t *testing.T, m *model.Model) *brute.Joint {
	t.Helper()
	j, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// divergence returns KL(p, q).
func divergence(p, q []float64) float64 {
	kl := 0.0
	for i, x := range p {
		if x > 0 {
			kl += x * math.Log(x/q[i])
		}
	}
	return kl
}

func entropy(p []float64) float64 {
	h := 0.0
	for _, x := range p {
		if x > 0 {
			h -= x * math.Log(x)
		}
	}
	return h
}

// networks calls do with random networks of tabular CPDs, each with possible hard evidence.
func networks(t *testing.T, seeds uint64, o irtest.Options, do func(seed uint64, m *model.Model, e brute.Evidence)) {
	o.Kinds, o.TablesOnly, o.MaxVars, o.MaxStates, o.MaxJoint = []model.Kind{model.Bayes}, true, 8, 3, 1<<11
	for seed := range seeds {
		m := irtest.RandomModel(seed, o)
		for _, v := range m.Vars {
			v.Latent = false
		}
		do(seed, m, brute.Evidence{Hard: irtest.EvidenceOn(seed, m, 0.4, 0).Hard})
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// oneEach chooses one edge from each CPD that has parents, at most n in all.
func oneEach(m *model.Model, seed uint64, n int) (edges []edgedel.Edge) {
	for i, f := range m.Factors {
		if parents := f.Parents(); len(parents) > 0 && len(edges) < n {
			edges = append(edges, edgedel.Edge{Factor: i, Parent: parents[seed%uint64(len(parents))]})
		}
	}
	return edges
}

// theorem checks theorems 1, 3 and 4 on deletion with true posteriors, and returns the divergence
// and its bound.
func theorem(t *testing.T, m *model.Model, e brute.Evidence, edges []edgedel.Edge) (kl, bound float64) {
	t.Helper()
	full := enumerate(t, m)
	simple, err := edgedel.Simplify(m, edges, func(v model.VarID) []float64 { return full.Posterior(v, e) }, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	left := enumerate(t, simple)
	kl = divergence(full.Conditional(e), left.Conditional(e))
	ratio := left.LogProb(e) - full.LogProb(e)
	bound = ratio
	exactly := ratio // theorem 4: the divergence is the mean of ln θ/θ', plus ratio
	for _, d := range edges {
		bound += entropy(full.Posterior(d.Parent, e))
		f, g := m.Factors[d.Factor], simple.Factors[d.Factor]
		for i, p := range full.Conditional(e) {
			if s := full.State(i); p > 0 {
				exactly += p * math.Log(m.Value(f, s)/simple.Value(g, s))
			}
		}
	}
	if !irtest.Near(kl, exactly, 1e-9) {
		t.Errorf("divergence %v; by theorem 4 %v", kl, exactly)
	}
	if kl > bound+1e-9 {
		t.Errorf("divergence %v above its bound %v", kl, bound)
	}
	a := query(t, m, e, "edgedel", "parameters=true", "delete="+edgedel.Option(edges))
	if a.err != nil {
		t.Fatal(a.err)
	}
	irtest.CloseTo(t, a.bound, bound, 1e-9)
	irtest.CloseTo(t, a.logP, left.LogProb(e), 1e-9)
	for v, p := range a.marginals {
		irtest.Close(t, p, left.Posterior(model.VarID(v), e), 1e-9)
	}
	return kl, bound
}

// TestTheorem1 deletes one edge, and TestTheorem3 several, from different CPDs.
func TestTheorem1(t *testing.T) {
	networks(t, 60, irtest.Options{}, func(seed uint64, m *model.Model, e brute.Evidence) {
		if edges := oneEach(m, seed, 1); edges != nil {
			theorem(t, m, e, edges)
		}
	})
}

func TestTheorem3(t *testing.T) {
	several := 0
	networks(t, 60, irtest.Options{}, func(seed uint64, m *model.Model, e brute.Evidence) {
		if edges := oneEach(m, seed, 4); edges != nil {
			theorem(t, m, e, edges)
			several += min(1, len(edges)-1)
		}
	})
	if several < 30 {
		t.Errorf("%d networks lost several edges; want at least 30", several)
	}
}

// network is a network of binary variables. A CPD is a list of the probabilities of the first
// state, by rows of parents.
type network struct{ *model.Model }

func (n network) add(name string, p []float64, parents ...model.VarID) model.VarID {
	v := n.NewVar(name, "0", "1").ID
	var values []float64
	for _, x := range p {
		values = append(values, x, 1-x)
	}
	n.Factors = append(n.Factors, &model.Factor{Scope: append(slices.Clone(parents), v), Child: len(parents), Dist: &model.Table{Values: values}})
	return v
}

// TestTheorem2 checks that the divergence equals its bound if CPDs are parities, which depend on
// each parent in every state of the others. Theorem 3 implies it for two edges.
func TestTheorem2(t *testing.T) {
	for k, p := range []float64{0.5, 0.2, 0.01} {
		n := network{&model.Model{Name: "parity"}}
		a, b, c := n.add("a", []float64{p}), n.add("b", []float64{0.3}), n.add("c", []float64{0.6})
		x := n.add("x", []float64{1, 0, 0, 1}, a, b)
		y := n.add("y", []float64{1, 0, 0, 1}, b, c)
		z := n.add("z", []float64{0.9, 0.4, 0.2, 0.7}, x, y)
		for _, edges := range [][]edgedel.Edge{{{Factor: 3, Parent: a}}, {{Factor: 3, Parent: a}, {Factor: 4, Parent: c}}} {
			kl, bound := theorem(t, n.Model, brute.Evidence{Hard: map[model.VarID]int{z: k % 2}}, edges)
			if !irtest.Near(kl, bound, 1e-9) {
				t.Errorf("p %v: divergence %v; want the bound %v", p, kl, bound)
			}
		}
	}
}

// TestAppendixB checks the network of appendix B, in which the entropy of y goes to zero and the
// divergence grows without bound: X = Y, and Z is nearly certain if they differ. As in the paper,
// ln P(e)/P'(e) goes to minus infinity like ln(2 θy).
func TestAppendixB(t *testing.T) {
	last := 0.0
	for _, p := range []float64{1e-1, 1e-2, 1e-4, 1e-6} {
		rare := math.Pow(2*p*(1-p), 2)
		n := network{&model.Model{Name: "appendix B"}}
		y := n.add("y", []float64{p})
		x := n.add("x", []float64{1, 0}, y)
		z := n.add("z", []float64{rare, 1, 1, rare}, x, y)
		e := brute.Evidence{Hard: map[model.VarID]int{z: 0}}
		full := enumerate(t, n.Model)
		irtest.Close(t, full.Posterior(y, e), []float64{p, 1 - p}, 1e-12)
		irtest.CloseTo(t, full.LogProb(e), math.Log(rare), 1e-9)
		kl, bound := theorem(t, n.Model, e, []edgedel.Edge{{Factor: 1, Parent: y}})
		// P'(e) is at least 2 p (1-p), and P(e) its square, so that the logarithm of their ratio is
		// at least -ln 2p(1-p).
		if h := entropy([]float64{p, 1 - p}); kl < -math.Log(2*p*(1-p))-1e-9 || bound < kl-1e-9 || h > 0.33 {
			t.Errorf("p %v: entropy %v, divergence %v, bound %v", p, h, kl, bound)
		}
		if kl <= last {
			t.Errorf("p %v: divergence %v; want more than the %v before", p, kl, last)
		}
		last = kl
	}
}

// TestNoBound deletes two edges of one CPD, for which theorem 3 gives no bound.
func TestNoBound(t *testing.T) {
	a := query(t, irtest.Sprinkler(), brute.Evidence{}, "edgedel", "parameters=true", "delete="+both(irtest.Sprinkler()))
	if !math.IsInf(a.bound, 1) {
		t.Errorf("bound %v; want none, +Inf", a.bound)
	}
}

// both returns the edges into the first variable that has two parents.
func both(m *model.Model) string {
	for n, f := range m.Factors {
		if p := f.Parents(); len(p) == 2 {
			return fmt.Sprintf("%d>%d,%d>%d", p[0], n, p[1], n)
		}
	}
	return ""
}
