package model_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// family returns a CPD of c, with three states, and parents a (two states) and b (three), in the
// given order of the scope.
func family(dist model.Dist, scope string) (*model.Model, *model.Factor) {
	m := &model.Model{}
	m.NewVar("a", "0", "1")
	m.NewVar("b", "0", "1", "2")
	m.NewVar("c", "0", "1", "2")
	f := &model.Factor{Child: strings.Index(scope, "c"), Dist: dist}
	for _, r := range scope {
		f.Scope = append(f.Scope, model.VarID(r-'a'))
	}
	return m, f
}

// TestTabulate compares each kind of distribution with its table, over the scope in the order in
// which it is written.
func TestTabulate(t *testing.T) {
	tree := func(a int) *model.Tree { // a = 0: b = 1 apart from the others; a = 1: a leaf
		return &model.Tree{Nodes: []model.TreeNode{
			{Axis: a, Next: []int32{1, 4}},
			{Axis: 2, Next: []int32{2, 3, 2}}, {Leaf: []float64{1, 0, 0}}, {Leaf: []float64{0, 1, 0}},
			{Leaf: []float64{.5, .25, .25}},
		}}
	}
	for _, c := range []struct {
		name  string
		scope string
		dist  model.Dist
		want  []float64
	}{
		{"table", "ac", &model.Table{Values: []float64{1, 2, 3, 4, 5, 6}}, []float64{1, 2, 3, 4, 5, 6}},
		{"deterministic, child first", "ca", &model.Deterministic{States: []int32{2, 0}}, []float64{0, 1, 0, 0, 1, 0}},
		{"deterministic, child in the middle", "acb", &model.Deterministic{States: []int32{0, 1, 2, 2, 1, 0}},
			[]float64{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0}},
		{"tree", "acb", tree(0), []float64{1, 0, 1, 0, 1, 0, 0, 0, 0, .5, .5, .5, .25, .25, .25, .25, .25, .25}},
		{"noisy-max, child first", "ca", &model.NoisyMax{Leak: []float64{.5, .5, 0}, Cause: [][]float64{{1, 0, 0, .5, .25, .25}}},
			[]float64{.5, .25, .5, .5, 0, .25}}, // a = 0: the leak; a = 1: P(max = 0) = .5·.5, P(max <= 1) = .75
		{"features, a softmax of 2:1:1, then 1:1:0", "ac", &model.Features{List: []model.Feature{
			{Weight: math.Ln2, Literals: []model.Literal{{Axis: 0, State: 0}, {Axis: 1, State: 0}}},
			{Weight: math.Inf(-1), Literals: []model.Literal{{Axis: 0, State: 0, Not: true}, {Axis: 1, State: 2}}},
			{Weight: 4}, // cancels
		}}, []float64{.5, .25, .25, .5, .5, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, f := family(c.dist, c.scope)
			got, err := m.Tabulate(f, 18)
			if err != nil {
				t.Fatal(err)
			}
			irtest.Close(t, got, c.want, 1e-15) // exact in binary
		})
	}
}

func TestTabulateLimit(t *testing.T) {
	m, f := family(&model.Deterministic{States: []int32{0, 0, 0, 0, 0, 0}}, "abc")
	f.Pos = at(4, 2)
	_, err := m.Tabulate(f, 17)
	if want := `m.bif:4:2: the table of the CPD of "c" would have e^2.9 entries; the limit is 17`; err == nil || err.Error() != want {
		t.Errorf("got %v; want %s", err, want)
	}
}

func TestTabulateSharesTables(t *testing.T) {
	table := &model.Table{Values: make([]float64, 6)}
	m, f := family(table, "ac")
	if got, _ := m.Tabulate(f, 0); &got[0] != &table.Values[0] {
		t.Error("a table was copied")
	}
}

// noisyByHidden computes P(c | parents) by enumerating the contributions of the leak and of each
// cause: the sum, over all joint contributions with maximum c, of their product.
func noisyByHidden(m *model.Model, f *model.Factor, state []int) float64 {
	d := f.Dist.(*model.NoisyMax)
	k := m.Card(f.ChildVar())
	rows := [][]float64{d.Leak}
	for i, p := range f.Parents() {
		rows = append(rows, d.Cause[i][state[p]*k:][:k])
	}
	total := 0.0
	hidden := make([]int, len(rows))
	for {
		product, top := 1.0, 0
		for i, h := range hidden {
			product *= rows[i][h]
			top = max(top, h)
		}
		if top == state[f.ChildVar()] {
			total += product
		}
		i := 0
		for ; i < len(hidden); i++ {
			if hidden[i]++; hidden[i] < k {
				break
			}
			hidden[i] = 0
		}
		if i == len(hidden) {
			return total
		}
	}
}

func TestNoisyMaxByHiddenContributions(t *testing.T) {
	n := 0
	for seed := range uint64(300) {
		m := irtest.RandomModel(seed, irtest.Options{Kinds: []model.Kind{model.Bayes}})
		for _, f := range m.Factors {
			if _, ok := f.Dist.(*model.NoisyMax); !ok {
				continue
			}
			n++
			state := make([]int, len(m.Vars))
			for more := true; more; more = m.Next(f.Scope, state) {
				if !irtest.CloseTo(t, m.Value(f, state), noisyByHidden(m, f, state), 1e-12) {
					t.Fatalf("seed %d, CPD of %q, states %v", seed, m.Vars[f.ChildVar()].Name, state)
				}
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d noisy-max CPDs; want a hundred", n)
	}
}

// Small probabilities of contributions keep all their digits in the CPD, and in the product of its
// links summed over the partial maxima.
func TestNoisyMaxOfSmallNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	row := func() []float64 {
		a, b := math.Pow(10, -20*rng.Float64()), math.Pow(10, -20*rng.Float64())/2
		return []float64{1 - a/2 - b, a / 2, b}
	}
	for range 100 {
		m, f := family(nil, "abc")
		d := &model.NoisyMax{Leak: row(), Cause: [][]float64{append(row(), row()...), append(append(row(), row()...), row()...)}}
		f.Dist = d
		links := d.Links(m, f)
		state := make([]int, 3)
		for more := true; more; more = m.Next(f.Scope, state) {
			want, linked := noisyByHidden(m, f, state), 0.0
			for x := range 3 {
				linked += links[0][state[0]*3+x] * links[1][(state[1]*3+x)*3+state[2]]
			}
			for _, got := range []float64{m.Value(f, state), linked} {
				if math.Abs(got-want) > 1e-14*want {
					t.Fatalf("%+v, states %v: got %v; want %v", d, state, got, want)
				}
			}
		}
	}
}

// Every CPD sums to one over its child, at every joint state of its parents.
func TestCPDsSumToOne(t *testing.T) {
	for seed := range uint64(100) {
		m := irtest.RandomModel(seed, irtest.Options{Kinds: []model.Kind{model.Bayes}})
		for _, f := range m.Factors {
			state := make([]int, len(m.Vars))
			for more := true; more; more = m.Next(f.Parents(), state) {
				sum := 0.0
				for state[f.ChildVar()] = range m.Card(f.ChildVar()) {
					sum += m.Value(f, state)
				}
				if !irtest.CloseTo(t, sum, 1, 1e-12) {
					t.Fatalf("seed %d, CPD of %q, %T, parents %v", seed, m.Vars[f.ChildVar()].Name, f.Dist, state)
				}
			}
		}
	}
}

func TestNext(t *testing.T) {
	m, f := family(nil, "cab")
	state := make([]int, 3)
	var got []string
	for more := true; more; more = m.Next(f.Scope, state) {
		got = append(got, fmt.Sprint(state[2], state[0], state[1]))
	}
	if len(got) != 18 || got[1] != "0 0 1" || got[3] != "0 1 0" || got[17] != "2 1 2" || !reflect.DeepEqual(state, []int{0, 0, 0}) {
		t.Errorf("visited %v and ended at %v", got, state)
	}
}

func TestSizesAndNames(t *testing.T) {
	m, f := family(nil, "abc")
	if n, ok := m.TableSize(f.Scope); n != 18 || !ok {
		t.Errorf("size %d, %v; want 18", n, ok)
	}
	if n, ok := m.TableSize(nil); n != 1 || !ok {
		t.Errorf("size of the empty scope %d, %v; want 1", n, ok)
	}
	if got := m.FactorName(f); got != `CPD of "c"` {
		t.Errorf("got %s", got)
	}
	f.Child = -1
	if got := m.FactorName(f); got != `potential over "a", "b", "c"` {
		t.Errorf("got %s", got)
	}
	wide := &model.Model{}
	long := &model.Factor{Child: -1}
	for i := range 11 {
		long.Scope = append(long.Scope, wide.NewVar(fmt.Sprint("v", i)).ID)
	}
	if got := wide.FactorName(long); got != `potential over "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8" and 2 more` {
		t.Errorf("%s", got)
	}
	if got := m.FactorName(&model.Factor{Child: -1}); got != "constant potential" {
		t.Errorf("got %s", got)
	}
	if v, ok := m.VarByName("b"); !ok || v.ID != 1 {
		t.Errorf("b is %v, %v", v, ok)
	}
	if s, ok := m.StateByName(1, "2"); !ok || s != 2 {
		t.Errorf("state 2 of b is %d, %v", s, ok)
	}
	if _, ok := m.VarByName("z"); ok {
		t.Error("there is no z")
	}
	if _, ok := m.StateByName(1, "z"); ok {
		t.Error("b has no state z")
	}
}

// Potentials have values, not rows.
func TestTabulatePotentials(t *testing.T) {
	literal := func(axis int, state int32, not bool) []model.Literal {
		return []model.Literal{{Axis: axis, State: state, Not: not}}
	}
	for _, c := range []struct {
		name string
		dist model.Dist
		want []float64 // over a, then b
	}{
		{"features", &model.Features{List: []model.Feature{
			{Weight: math.Log(2), Literals: literal(0, 1, false)}, {Weight: math.Log(3), Literals: literal(1, 1, true)}, {Weight: math.Log(5)},
		}}, []float64{15, 5, 15, 30, 10, 30}},
		{"tree", &model.Tree{Nodes: []model.TreeNode{{Axis: 1, Next: []int32{1, 2, 1}}, {Leaf: []float64{7}}, {Leaf: []float64{.5}}}},
			[]float64{7, .5, 7, 7, .5, 7}},
		{"circuit", &model.Circuit{Nodes: []model.CircuitNode{ // a1·(2·b0 + 3·b2) + 4·b1
			{Op: model.CircuitIndicator, Axis: 0, State: 1}, {Op: model.CircuitIndicator, Axis: 1, State: 0},
			{Op: model.CircuitIndicator, Axis: 1, State: 1}, {Op: model.CircuitIndicator, Axis: 1, State: 2},
			{Value: 2}, {Value: 3}, {Value: 4},
			{Op: model.CircuitProduct, Args: []int32{4, 1}}, {Op: model.CircuitProduct, Args: []int32{5, 3}},
			{Op: model.CircuitSum, Args: []int32{7, 8}}, {Op: model.CircuitProduct, Args: []int32{0, 9}},
			{Op: model.CircuitProduct, Args: []int32{2, 6}}, {Op: model.CircuitSum, Args: []int32{10, 11}},
		}}, []float64{0, 4, 0, 2, 4, 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, f := family(c.dist, "ab")
			m.Kind, f.Child = model.Markov, -1
			m.Factors = []*model.Factor{f}
			if list := m.Check(); list.HasErrors() {
				t.Fatal(list.Err())
			}
			got, err := m.Tabulate(f, 1000)
			if err != nil {
				t.Fatal(err)
			}
			irtest.Close(t, got, c.want, 1e-15)
		})
	}
}

// A pass through a circuit counts as many entries as it has nodes.
func TestTabulateLimitOfCircuits(t *testing.T) {
	m, f := family(&model.Circuit{Nodes: make([]model.CircuitNode, 10)}, "ab")
	f.Child = -1
	if _, err := m.Tabulate(f, 59); err == nil {
		t.Error("6 entries of 10 nodes within a limit of 59")
	}
	if _, err := m.Tabulate(f, 60); err != nil {
		t.Error(err)
	}
}
