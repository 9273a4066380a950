package circuit_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestNoisyOr has a noisy-or of 30 causes, whose table would have 2^31 entries. Without evidence,
// P(no effect) is the product of 1 - p q over the causes, times 1 - leak, where a cause is present
// with probability p and active with probability q. Given no effect, the odds of a cause are the
// prior odds times 1 - q.
func TestNoisyOr(t *testing.T) {
	const causes = 30
	m := &model.Model{Name: "noisy", Kind: model.Bayes}
	effect := &model.Factor{Child: causes}
	d := &model.NoisyMax{Leak: []float64{.98, .02}}
	none := .98
	for i := range causes {
		p, q := 1/float64(i+2), .5+float64(i)/100
		v := m.NewVar(fmt.Sprint("c", i), "no", "yes").ID
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v}, Dist: &model.Table{Values: []float64{1 - p, p}}})
		effect.Scope = append(effect.Scope, v)
		d.Cause = append(d.Cause, []float64{1, 0, 1 - q, q})
		none *= 1 - p*q
	}
	child := m.NewVar("effect", "no", "yes").ID
	effect.Scope, effect.Dist = append(effect.Scope, child), d
	m.Factors = append(m.Factors, effect)
	machine, r := compiled(t, m)
	if n := r.Circuit.Ops; n > 20*causes { // a few for each cause
		t.Errorf("%d operations", n)
	}
	run(t, machine, r)
	irtest.Close(t, machine.Posterior(int(child)), []float64{none, 1 - none}, 1e-12)
	if err := machine.Observe(child, 0); err != nil {
		t.Fatal(err)
	}
	run(t, machine, r)
	irtest.CloseTo(t, machine.LogP(), math.Log(none), 1e-12)
	for i := range causes {
		p, q := 1/float64(i+2), .5+float64(i)/100
		with := p * (1 - q)
		irtest.Close(t, machine.Posterior(i), []float64{(1 - p) / (1 - p + with), with / (1 - p + with)}, 1e-12)
	}
}

// TestTree has a decision tree of 25 tests, whose table would have 2^26 entries. The first of the
// fair coins that shows heads, number i, determines P(yes) = 1/(i+2); without heads it is 1/27. So
// P(yes) is the sum of 2^-(i+1)/(i+2), and 2^-25/27.
func TestTree(t *testing.T) {
	const coins = 25
	m := &model.Model{Name: "tree", Kind: model.Bayes}
	f := &model.Factor{Child: coins}
	d := &model.Tree{}
	yes := math.Ldexp(1, -coins) / (coins + 2)
	for i := range coins {
		v := m.NewVar(fmt.Sprint("c", i), "heads", "tails").ID
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v}, Dist: &model.Table{Values: []float64{.5, .5}}})
		f.Scope = append(f.Scope, v)
		p := 1 / float64(i+2)
		d.Nodes = append(d.Nodes, model.TreeNode{Axis: i, Next: []int32{int32(2*i + 1), int32(2*i + 2)}}, model.TreeNode{Leaf: []float64{1 - p, p}})
		yes += math.Ldexp(p, -i-1)
	}
	d.Nodes = append(d.Nodes, model.TreeNode{Leaf: []float64{1 - 1./(coins+2), 1. / (coins + 2)}})
	child := m.NewVar("bet", "no", "yes").ID
	f.Scope, f.Dist = append(f.Scope, child), d
	m.Factors = append(m.Factors, f)
	machine, r := compiled(t, m)
	if n := r.Circuit.Ops; n > 30*coins { // a few for each leaf and test
		t.Errorf("%d operations", n)
	}
	run(t, machine, r)
	irtest.Close(t, machine.Posterior(int(child)), []float64{1 - yes, yes}, 1e-12)
	if err := machine.Observe(child, 1); err != nil {
		t.Fatal(err)
	}
	run(t, machine, r)
	irtest.Close(t, machine.Posterior(0), []float64{.25 / yes, 1 - .25/yes}, 1e-12)
}

func compiled(t *testing.T, m *model.Model) (*eval.Machine, *compiler.Result) {
	t.Helper()
	opt := compiler.Options{Method: compiler.Named("circuit"), Queries: []string{"marginals"}, MaxMem: 64 << 20, Check: true}
	r, err := compiler.Compile(context.Background(), m, opt)
	if err != nil {
		t.Fatal(err)
	}
	return eval.New(r.Program, r.Model), r
}

func run(t *testing.T, machine *eval.Machine, r *compiler.Result) {
	t.Helper()
	if err := machine.Run(r.Program.Entry("marginals")); err != nil {
		t.Fatal(err)
	}
}

// TestDecomposed compares networks of wide noisy-max and tree CPDs of all shapes, with zeros, with
// brute force.
func TestDecomposed(t *testing.T) {
	decomposed := 0
	for seed := range uint64(150) {
		m := locals(rand.New(rand.NewPCG(seed, 3)))
		if list := m.Check(); list.HasErrors() {
			t.Fatal(list.Err())
		}
		joint, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		opt := compiler.Options{Method: compiler.Named("circuit"), Queries: []string{"marginals"}, Seed: seed, Rows: model.RowsAsIs, Steps: 100, Check: true}
		if seed%3 == 0 {
			for v := range m.Vars {
				opt.Order = append(opt.Order, v)
			}
		}
		r, err := compiler.Compile(context.Background(), m, opt)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Orders[0].Order) > len(m.Vars) {
			decomposed++
		}
		machine := eval.New(r.Program, r.Model)
		for i := range uint64(3) {
			e := irtest.RandomEvidence(seed*10+i, m)
			methodtest.Enter(t, machine, m, e)
			want := joint.LogProb(e)
			err := machine.Run(r.Program.Entry("marginals"))
			if math.IsInf(want, -1) {
				if err == nil {
					t.Errorf("seed %d: no error for what is impossible", seed)
				}
				continue
			}
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			irtest.CloseTo(t, machine.LogP(), want, 1e-11)
			for v, p := range joint.Marginals(e) {
				irtest.Close(t, machine.Posterior(v), p, 1e-11)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if decomposed < 100 {
		t.Errorf("%d of 150 networks were decomposed", decomposed)
	}
}

// locals returns a network of two to four roots that are common parents, a noisy-max of them all
// and of more roots, and a tree.
func locals(r *rand.Rand) *model.Model {
	m := &model.Model{Name: "local", Kind: model.Bayes}
	row := func(k int) []float64 {
		out, sum := make([]float64, k), 0.0
		for i := range out {
			if r.IntN(4) > 0 || i == k-1 && sum == 0 {
				out[i] = .02 + r.ExpFloat64()
			}
			sum += out[i]
		}
		for i := range out {
			out[i] /= sum
		}
		return out
	}
	add := func(k int) model.VarID {
		names := []string{"a", "b", "c"}
		return m.NewVar(fmt.Sprint("v", len(m.Vars)), names[:k]...).ID
	}
	var roots []model.VarID
	for range 5 + r.IntN(2) {
		v := add(2 + r.IntN(2))
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v}, Dist: &model.Table{Values: row(m.Card(v))}})
		roots = append(roots, v)
	}
	parents := func() []model.VarID {
		out := slices.Clone(roots)
		r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
		return out
	}
	x := add(2 + r.IntN(2))
	d := &model.NoisyMax{Leak: row(m.Card(x))}
	f := &model.Factor{Scope: parents()}
	for _, u := range f.Scope {
		var cause []float64
		for range m.Card(u) {
			cause = append(cause, row(m.Card(x))...)
		}
		d.Cause = append(d.Cause, cause)
	}
	f.Child, f.Dist = len(f.Scope), d
	f.Scope = append(f.Scope, x)
	m.Factors = append(m.Factors, f)
	y := add(2 + r.IntN(2))
	g := &model.Factor{Scope: append(parents(), y), Child: len(roots)}
	tree := &model.Tree{}
	grow(r, m, g, tree, row, 4)
	g.Dist = tree
	m.Factors = append(m.Factors, g)
	return m
}

// grow adds a subtree of at most depth tests on a path, some of a variable that was tested above.
func grow(r *rand.Rand, m *model.Model, f *model.Factor, d *model.Tree, row func(int) []float64, depth int) int32 {
	at := int32(len(d.Nodes))
	d.Nodes = append(d.Nodes, model.TreeNode{})
	if depth == 0 || at > 0 && r.IntN(4) == 0 {
		d.Nodes[at].Leaf = row(m.Card(f.ChildVar()))
		return at
	}
	axis := r.IntN(f.Child)
	next := make([]int32, m.Card(f.Scope[axis]))
	one, others := r.IntN(len(next)), int32(-1)
	for s := range next {
		switch {
		case s == one:
			next[s] = grow(r, m, f, d, row, depth-1)
		case others < 0:
			others = grow(r, m, f, d, row, 0)
			next[s] = others
		default:
			next[s] = others
		}
	}
	d.Nodes[at].Axis, d.Nodes[at].Next = axis, next
	return at
}
