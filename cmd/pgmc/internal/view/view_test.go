package view

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/draw"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/cluster"
	"github.com/pgmc-go/pgmc/compiler/method/clg"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// circuitOf returns the circuit of a query of a model, planned by a method.
func circuitOf(t *testing.T, m *model.Model, query, method string) *circuitInfo {
	t.Helper()
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: []string{query}, Method: compiler.Named(method)})
	if err != nil {
		t.Fatal(err)
	}
	x, err := expandProgram(context.Background(), r.Program, query)
	if err != nil {
		t.Fatal(err)
	}
	return x.info(r.Model)
}

// value returns the value of a circuit if the states in known, by name, are observed.
func (c *circuitInfo) value(known map[string]string) float64 {
	values := make([]float64, len(c.Gates))
	for i, g := range c.Gates {
		switch g.Op {
		case "number":
			values[i] = *g.Value
		case "indicator":
			if state, ok := known[g.Var]; !ok || state == g.State {
				values[i] = 1
			}
		case "product":
			values[i] = 1
		}
		for _, arg := range g.Args {
			switch g.Op {
			case "sum":
				values[i] += values[arg]
			case "product":
				values[i] *= values[arg]
			case "max":
				values[i] = max(values[i], values[arg])
			}
		}
	}
	return values[len(values)-1]
}

// TestCircuit compares the circuits of random models under random evidence with enumeration of the
// joint distribution.
func TestCircuit(t *testing.T) {
	for _, seed := range irtest.Cases(t, 50, 150) {
		m := irtest.RandomModel(seed, irtest.Options{MaxVars: 7, MaxStates: 3})
		j, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		method := []string{"jointree", "circuit"}[seed%2] // the exact methods
		sum, most := circuitOf(t, m, "logprob", method), circuitOf(t, m, "mpe", method)
		rng, z := rand.New(rand.NewPCG(seed, 9)), 0.0
		if m.Kind == model.Markov {
			z = j.LogPartition()
		}
		for range 4 {
			known, e := map[string]string{}, brute.Evidence{Hard: map[model.VarID]int{}}
			for _, v := range m.Vars {
				if state := rng.IntN(m.Card(v.ID)); rng.IntN(2) == 0 {
					known[v.Name], e.Hard[v.ID] = m.States(v.ID)[state], state
				}
			}
			best, _ := j.MPE(e)
			for _, c := range []struct {
				name      string
				got, want float64
			}{{"P(evidence)", sum.value(known), math.Exp(j.LogProb(e) + z)}, {"best completion", most.value(known), math.Exp(best + z)}} {
				if math.Abs(c.got-c.want) > 1e-12*max(1, c.want) {
					t.Fatalf("seed %d, %v: %s is %g; want %g", seed, known, c.name, c.got, c.want)
				}
			}
		}
		for _, c := range []*circuitInfo{sum, most} {
			checkGates(t, c)
		}
	}
}

// TestCompiled compares the circuits to which random models are compiled with enumeration, for
// evidence on some variables and for joint states.
func TestCompiled(t *testing.T) {
	a := &cli.App{Stderr: io.Discard, Quiet: true, MaxTable: compiler.DefaultMaxTable, MaxMem: compiler.DefaultMaxMem}
	for seed := range uint64(60) {
		m := irtest.RandomModel(seed, irtest.Options{MaxVars: 7, MaxStates: 3})
		j, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		out, err := Compiled(context.Background(), a, "m", m)
		if err != nil {
			t.Fatal(err)
		}
		if list := out.Check(); list.HasErrors() {
			t.Fatal(list.Err())
		}
		rng, z := rand.New(rand.NewPCG(seed, 9)), 0.0
		if m.Kind == model.Markov {
			z = j.LogPartition()
		}
		d := out.Factors[0].Circuit()
		for round := range 6 {
			e := brute.Evidence{Hard: map[model.VarID]int{}}
			for _, v := range m.Vars {
				if state := rng.IntN(m.Card(v.ID)); round%2 == 0 || rng.IntN(2) == 0 {
					e.Hard[v.ID] = state
				}
			}
			got := d.Eval(func(v int, state int32) float64 {
				if known, ok := e.Hard[model.VarID(v)]; ok && known != int(state) {
					return 0
				}
				return 1
			}, make([]float64, len(d.Nodes)))
			if want := math.Exp(j.LogProb(e) + z); math.Abs(got-want) > 1e-12*max(1, want) {
				t.Fatalf("seed %d, %v: got %g; want %g", seed, e.Hard, got, want)
			}
		}
	}
}

// checkGates checks that operands come before the gates that use them, that each gate but the root
// is used, and that no gate's only use is in a gate of the same operation.
func checkGates(t *testing.T, c *circuitInfo) {
	t.Helper()
	users := make([][]string, len(c.Gates))
	for i, g := range c.Gates {
		for _, arg := range g.Args {
			if arg >= i {
				t.Fatalf("operand %d of gate %d comes after it", arg, i)
			}
			users[arg] = append(users[arg], g.Op)
		}
	}
	for i, ops := range users[:len(users)-1] {
		if len(ops) == 0 || len(ops) == 1 && ops[0] == c.Gates[i].Op {
			t.Fatalf("gate %d, a %s, is used by %v", i, c.Gates[i].Op, ops)
		}
	}
}

// TestCircuitTooLarge checks that a large circuit is refused before memory runs out.
func TestCircuitTooLarge(t *testing.T) {
	m := &model.Model{Name: "large", Kind: model.Markov}
	var scope []model.VarID
	for i := range 12 { // a potential over each pair: one clique of 4^12 states
		scope = append(scope, m.NewVar(fmt.Sprint("x", i), "0", "1", "2", "3").ID)
	}
	values := make([]float64, 16)
	for i := range values {
		values[i] = float64(i + 1)
	}
	for i, a := range scope {
		for _, b := range scope[:i] {
			m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{a, b}, Child: -1, Dist: &model.Table{Values: values}})
		}
	}
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: []string{"mpe"}})
	if err != nil {
		t.Fatal(err)
	}
	const want = "the circuit has more than 4,194,304 products; try another --order, or a part of the model"
	if _, err := expandProgram(context.Background(), r.Program, "mpe"); err == nil || err.Error() != want {
		t.Errorf("found %v; want %s", err, want)
	}
}

// TestMarkovNetwork checks the description and the drawing of a Markov network.
func TestMarkovNetwork(t *testing.T) {
	m := irtest.Misconception()
	v := &modelView{m: m, g: model.NewGraph(m)}
	var separations []separationInfo
	for _, text := range []string{"A, C | B", "A, C | B, D"} {
		q, err := parseQuestion(text)
		if err != nil {
			t.Fatal(err)
		}
		s, err := v.separation(q)
		if err != nil {
			t.Fatal(err)
		}
		separations = append(separations, s)
	}
	const want = `variable        A
states          a0, a1
Markov blanket  B, D
potential       A, B: table, size 4
potential       D, A: table, size 4

A   B   value
a0  b0     30
a0  b1      5
a1  b0      1
a1  b1     10

D   A   value
d0  a0    100
d0  a1      1
d1  a0      1
d1  a1    100

A and C are not separated given B: A -- D -- C

A and C are separated given B, D
`
	if got := v.text([]model.VarID{0}, separations); got != want {
		t.Errorf("found\n%s\nwant\n%s", got, want)
	}
	f := &Options{}
	g, err := v.drawing(t.Context(), &cli.App{}, "m", f, nil)
	if edges := []draw.Edge{{From: 0, To: 1}, {From: 0, To: 3}, {From: 1, To: 2}, {From: 2, To: 3}}; err != nil || g.Kind != draw.Undirected || !slices.Equal(g.Edges, edges) {
		t.Errorf("the network has edges %v, %v; want %v", g.Edges, err, edges)
	}
	// A potential over three variables needs a factor graph: 4 variables and 5 potentials, 2*4 + 3
	// edges.
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{0, 1, 2}, Child: -1, Dist: &model.Table{Values: make([]float64, 8)}})
	if g, err = v.drawing(t.Context(), &cli.App{}, "m", f, nil); err != nil || len(g.Nodes) != 9 || len(g.Edges) != 11 {
		t.Errorf("the factor graph has %d nodes and %d edges, %v; want 9 and 11", len(g.Nodes), len(g.Edges), err)
	}
}

// TestCPDKinds checks the names of the kinds of CPDs.
func TestCPDKinds(t *testing.T) {
	for _, c := range []struct {
		dist model.Dist
		want string
	}{
		{&model.Table{Values: make([]float64, 12)}, "table, size 12"},
		{&model.Deterministic{States: make([]int32, 6)}, "deterministic, size 6"},
		{&model.NoisyMax{Leak: make([]float64, 2), Cause: [][]float64{make([]float64, 4)}}, "noisy-max, size 6"},
		{&model.Tree{Nodes: []model.TreeNode{{Leaf: make([]float64, 3)}}}, "tree, size 3"},
	} {
		if got := cpdOf(&model.Factor{Dist: c.dist}).String(); got != c.want {
			t.Errorf("found %s; want %s", got, c.want)
		}
	}
}

// TestLimits checks that drawings with too many nodes or edges are refused.
func TestLimits(t *testing.T) {
	f := &Options{MaxNodes: 10}
	for _, c := range []struct {
		svg          bool
		nodes, edges int
		want         string
	}{
		{false, 10, 80, ""},
		{false, 11, 0, "m: the graph has 11 nodes; want at most 10; raise --max-nodes"},
		{true, 10, 1081, "m: the graph has 1,081 edges; want at most 80 for a drawing; raise --max-nodes, or write --dot"},
	} {
		f.SVG = c.svg
		got := ""
		if err := f.fits("m", "graph", c.nodes, c.edges); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("found %q; want %q", got, c.want)
		}
	}
}

// TestEntangled checks which variables that persist depend on each other in the end: those that are
// connected in some slices, except through given variables.
func TestEntangled(t *testing.T) {
	m := &model.Model{}
	a, b, c, d := m.NewVar("a", "0", "1").ID, m.NewVar("b", "0", "1").ID, m.NewVar("c", "0", "1").ID, m.NewVar("d", "0", "1").ID
	control := m.NewVar("control", "0", "1")
	control.Given = true
	root := func(v model.VarID) *model.Factor { return &model.Factor{Scope: []model.VarID{v}} }
	m.Factors = []*model.Factor{root(a), root(b), root(c), root(d)}
	const beforeA, beforeB, beforeC, beforeD = 5, 6, 7, 8
	chain := func(scope ...model.VarID) *model.Factor { return &model.Factor{Scope: scope, Child: len(scope) - 1} }
	m.Transition = &model.Transition{Before: []model.VarID{a, b, c, d}, Factors: []*model.Factor{
		chain(beforeA, a), chain(beforeA, beforeB, b), chain(beforeC, control.ID, c), chain(beforeD, control.ID, d)}}
	want := [][]string{{"a", "b"}, {"c"}, {"d"}}
	if got := entangled(m); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v; want %v", got, want)
	}
	control.Given = false
	want = [][]string{{"a", "b"}, {"c", "d"}}
	if got := entangled(m); !reflect.DeepEqual(got, want) {
		t.Errorf("without given variables got %v; want %v", got, want)
	}
}

// TestStrongTree checks trees of random networks with real variables: each factor is in a clique,
// the cliques with a variable are connected, and the tree is strong (Koller and Friedman,
// definition 14.4): without its separator a clique is all real, or its separator is all discrete.
func TestStrongTree(t *testing.T) {
	mixed := 0
	for seed := range uint64(irtest.Count(t, 40, 400)) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{MaxVars: 9})
		r, err := compiler.Compile(t.Context(), m, compiler.Options{Method: clg.Options{}, Queries: []string{"logprob"}})
		if err != nil {
			t.Fatal(err)
		}
		cliques := cliquesOf(r)
		above := make([]int, len(m.Vars)) // by variable: cliques with it, less the edges between such
		for _, c := range cliques {
			for _, v := range c.Vars {
				above[v]++
			}
			for _, v := range c.Separator {
				above[v]--
			}
			discrete, _ := m.SplitReal(slices.DeleteFunc(slices.Clone(c.Vars), func(v model.VarID) bool { return slices.Contains(c.Separator, v) }))
			if _, reals := m.SplitReal(c.Separator); len(discrete) > 0 && len(reals) > 0 {
				t.Errorf("seed %d: clique %v with separator %v is not strong", seed, c.Vars, c.Separator)
			}
		}
		for v, n := range above {
			if given := m.Vars[v].Given && m.IsReal(model.VarID(v)); n != 1 && !given || given && n != 0 {
				t.Errorf("seed %d: variable %d is in %d connected parts of the tree", seed, v, n)
			}
		}
		for _, f := range m.Factors {
			scope := slices.DeleteFunc(slices.Clone(f.Scope), func(v model.VarID) bool { return m.Vars[v].Given && m.IsReal(v) })
			if !slices.ContainsFunc(cliques, func(c cluster.Clique) bool {
				return !slices.ContainsFunc(scope, func(v model.VarID) bool { return !slices.Contains(c.Vars, v) })
			}) {
				t.Errorf("seed %d: no clique holds %v", seed, scope)
			}
		}
		info := treeOf(r.Model, cliques)
		if info.reals() > 0 && info.kind() == "strong tree" && len(info.Cliques) > 2 {
			mixed++
		}
	}
	if mixed < 10 {
		t.Errorf("%d trees of several cliques with real variables", mixed)
	}
}
