package treecpd

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

func grower(t *testing.T, s *data.Set, f Options) *Grower {
	t.Helper()
	g, err := f.Grower(s)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func anything(int) bool { return true }

// TestLocalStructure checks the partition of example 17.16 of Koller and Friedman: A, S and L are
// fair, and P(J = 1) is 0.2 if A is 0, 0.9 if A and S are 1, and otherwise 0.6 or 0.1 by L. The
// scores on expected counts under BDe with sample size 1, and the gains of splits of the root for
// 80 rows, were computed independently.
func TestLocalStructure(t *testing.T) {
	for _, c := range []struct{ m, leaf, tree float64 }{
		{80, -56.640439, -47.018661},
		{160, -111.205862, -84.943616},
		{800, -545.772856, -380.187354},
	} {
		s := learnertest.Expected(t, learnertest.Vars("A", 2, "S", 2, "L", 2, "J", 2), c.m, func(x []int) float64 {
			p := 0.2
			switch {
			case x[0] == 1 && x[1] == 1:
				p = 0.9
			case x[0] == 1:
				p = []float64{0.1, 0.6}[x[2]]
			}
			return []float64{1 - p, p}[x[3]] / 8
		})
		g := grower(t, s, Options{Score: BDeu, Prior: 1})
		tree := g.Root(3)
		f := g.Finder()
		if got := tree.Size(All).Score; math.Abs(got-c.leaf) > 1e-6 {
			t.Errorf("%v rows: a leaf has score %.6f; want %v", c.m, got, c.leaf)
		}
		if c.m == 80 {
			for v, want := range []float64{5.123472, 0.481612, -2.074501} {
				if got := f.Best(tree, 0, func(u int) bool { return u == v }).Gain; math.Abs(got-want) > 1e-6 {
					t.Errorf("a split by variable %d brings %.6f; want %v", v, got, want)
				}
			}
		}
		f.Grow(context.Background(), tree, Least(1), anything)
		size := tree.Size(All)
		if math.Abs(size.Score-c.tree) > 1e-6 || size.Params != 4 || !reflect.DeepEqual(size.Parents, []int{0, 1, 2}) {
			t.Errorf("%v rows: the tree has score %.6f, %d parameters and parents %v; want %v, 4 and A, S, L", c.m, size.Score, size.Params, size.Parents, c.tree)
		}
	}
}

// TestSplit checks scores by hand. Ten rows with X = 0 are 0 eight times and 1 twice; ten with X =
// 1 are 0 once and 1 nine times. Under a Beta(1,1) prior the root's marginal likelihood is 9!
// 11!/21!, and those of the leaves are 8! 2!/11! and 1! 9!/11!. Under the score gain with prior 1,
// the estimates are 9.5/21 and 11.5/21, 8.5/11 and 2.5/11, 1.5/11 and 9.5/11.
func TestSplit(t *testing.T) {
	s := learnertest.New(t, learnertest.Vars("X", 2, "Y", 2), [][]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, []float64{8, 2, 1, 9})
	factorial := func(n float64) float64 { x, _ := math.Lgamma(n + 1); return x }
	for _, c := range []struct {
		score string
		want  float64
		leaf  float64 // P(Y = 1 | X = 0)
	}{
		{Marginal, factorial(8) + factorial(2) + factorial(9) - 2*factorial(11) - (factorial(9) + factorial(11) - factorial(21)), 3.0 / 12},
		{Gain, 8*math.Log(8.5/11) + 2*math.Log(2.5/11) + math.Log(1.5/11) + 9*math.Log(9.5/11) - 9*math.Log(9.5/21) - 11*math.Log(11.5/21), 2.5 / 11},
	} {
		g := grower(t, s, Options{Score: c.score, Prior: 1})
		tree := g.Root(1)
		split := g.Finder().Best(tree, 0, anything)
		if split.Var != 0 || split.State != 0 || math.Abs(split.Gain-c.want) > 1e-12 {
			t.Errorf("%s: %+v; want X = 0 with %v", c.score, split, c.want)
		}
		g.Finder().Grow(context.Background(), tree, Least(1), anything)
		d := tree.Factor(All, s.Vars).Dist.(*model.Tree)
		if got := d.Nodes[d.Nodes[0].Next[0]].Leaf[1]; math.Abs(got-c.leaf) > 1e-15 {
			t.Errorf("%s: P(Y = 1 | X = 0) is %v; want %v", c.score, got, c.leaf)
		}
	}
}

// TestMultivalued checks that the best test of a variable of four states is of its third, the only
// informative one.
func TestMultivalued(t *testing.T) {
	s := learnertest.Expected(t, learnertest.Vars("X", 4, "Y", 3), 400, func(x []int) float64 {
		if x[0] == 2 {
			return []float64{0.8, 0.1, 0.1}[x[1]] / 4
		}
		return []float64{0.2, 0.4, 0.4}[x[1]] / 4
	})
	for _, score := range []string{Marginal, Gain, BDeu} {
		g := grower(t, s, Options{Score: score, Prior: 1})
		tree := g.Root(1)
		g.Finder().Grow(context.Background(), tree, Least(0.1), anything)
		size := tree.Size(All)
		if n := tree.Nodes[0]; size.Splits != 1 || n.Split.Var != 0 || n.Split.State != 2 {
			t.Errorf("%s: %d splits, the first %+v; want one, by X = 2", score, size.Splits, n.Split)
		}
		if want := map[string]float64{Marginal: 2, Gain: 1, BDeu: 2}[score]; size.Charged != want {
			t.Errorf("%s: the prior counts %v; want %v", score, size.Charged, want)
		}
	}
}

// random returns rows of variables that depend on each other, with some values missing.
func random(t *testing.T, missing float64) (vars []data.Var, rows [][]int) {
	rng := rand.New(rand.NewPCG(7, 8))
	vars = learnertest.Vars("a", 2, "b", 3, "c", 2, "d", 5, "e", 2)
	for range 900 {
		a, b := rng.IntN(2), rng.IntN(3)
		c := (a + b/2) % 2
		d := min(4, b+c+rng.IntN(2))
		row := []int{a, b, c, d, rng.IntN(2)}
		for v := range row {
			if rng.Float64() < 0.05 {
				row[v] = rng.IntN(len(vars[v].States))
			}
			if rng.Float64() < missing {
				row[v] = data.Missing
			}
		}
		rows = append(rows, row)
	}
	return vars, rows
}

// TestCounting checks that counting by sets of rows and row by row, as weights require, grows the
// same trees, with and without missing values.
func TestCounting(t *testing.T) {
	for _, missing := range []float64{0, 0.1} {
		vars, rows := random(t, missing)
		ones := make([]float64, len(rows))
		for i := range ones {
			ones[i] = 1
		}
		for _, score := range []string{Marginal, Gain, BDeu} {
			flags := Options{Score: score, Prior: 1, MinCount: 2}
			sets := grower(t, learnertest.New(t, vars, rows, nil), flags)
			single := grower(t, learnertest.New(t, vars, rows, ones), flags)
			for x := range vars {
				a, b := sets.Root(x), single.Root(x)
				sets.Finder().Grow(context.Background(), a, Least(0.5), anything)
				single.Finder().Grow(context.Background(), b, Least(0.5), anything)
				if len(a.Nodes) < 3 && x != 4 || !reflect.DeepEqual(a.Nodes, b.Nodes) {
					t.Errorf("%s, %v missing: trees of %q have %d and %d nodes, or differ", score, missing, vars[x].Name, len(a.Nodes), len(b.Nodes))
				}
			}
		}
	}
}

// TestPath checks that a tree grown at a small kappa contains those of the larger ones.
func TestPath(t *testing.T) {
	vars, rows := random(t, 0)
	s := learnertest.New(t, vars, rows, nil)
	g := grower(t, s, Options{Score: Marginal, Prior: 1})
	for x := range vars {
		long := g.Root(x)
		g.Finder().Grow(context.Background(), long, Least(1), anything)
		for _, kappa := range []float64{0.5, 0.1, 1e-3, 1e-10} {
			short := g.Root(x)
			g.Finder().Grow(context.Background(), short, Least(kappa), anything)
			if a, b := long.Factor(Above(Least(kappa)), vars), short.Factor(All, vars); !reflect.DeepEqual(a, b) {
				t.Errorf("kappa %v: part of the tree of %q at 1 is %v; want %v", kappa, vars[x].Name, a.Dist, b.Dist)
			}
		}
	}
}

// TestLogProb checks that the log-probability by the tree is that of the CPD.
func TestLogProb(t *testing.T) {
	vars, rows := random(t, 0)
	g := grower(t, learnertest.New(t, vars, rows, nil), Options{Score: Gain, Prior: 1})
	m := &model.Model{Kind: model.Dependency}
	var trees []*Tree
	for x, v := range vars {
		m.NewVar(v.Name, v.States...)
		tree := g.Root(x)
		g.Finder().Grow(context.Background(), tree, Least(0.1), anything)
		trees, m.Factors = append(trees, tree), append(m.Factors, tree.Factor(All, vars))
	}
	if list := m.Check(); list.HasErrors() {
		t.Fatal(list.Err())
	}
	for _, row := range rows[:100] {
		for x, tree := range trees {
			got, ok := tree.LogProb(All, row)
			if want := math.Log(m.Value(m.Factors[x], row)); !ok || math.Abs(got-want) > 1e-12 {
				t.Fatalf("row %v, variable %d: %v; want %v", row, x, got, want)
			}
		}
	}
	if _, ok := trees[0].LogProb(All, []int{data.Missing, 0, 0, 0, 0}); ok {
		t.Error("a row that misses the target is rated")
	}
}

func TestOptions(t *testing.T) {
	s := learnertest.New(t, learnertest.Vars("a", 2), [][]int{{0}}, nil)
	for _, c := range []struct {
		flags Options
		want  string
	}{
		{Options{Score: "bic", Prior: 1}, `unknown score "bic" for trees; want one of marginal, gain, bdeu`},
		{Options{Score: Marginal}, "pseudo-count 0 for score marginal; want a finite number above 0; gain also takes 0"},
		{Options{Score: Gain, Prior: -1}, "pseudo-count -1 for score gain; want a finite number above 0; gain also takes 0"},
		{Options{Score: Gain, MinCount: -1}, "least weight of a leaf -1; want 0 or more"},
	} {
		if _, err := c.flags.Grower(s); err == nil || err.Error() != c.want {
			t.Errorf("%+v: got %v; want %s", c.flags, err, c.want)
		}
	}
	if got, err := (&Options{Kappa: "0.01, 1,0.1,0.01"}).Kappas(); err != nil || !reflect.DeepEqual(got, []float64{0.01, 0.1, 1}) {
		t.Errorf("got %v, %v; want 0.01, 0.1, 1", got, err)
	}
	for _, text := range []string{"", "0", "2", "NaN", "0.1,x"} {
		if _, err := (&Options{Kappa: text}).Kappas(); err == nil {
			t.Errorf("kappa %q is read", text)
		}
	}
}

// Pruned finds the best of all prunings: of all sets of inner nodes that count as such.
func TestPruned(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 7))
	differ := 0
	for trial := range 20 {
		var rows [][]int
		for range 25 {
			a, b, c := rng.IntN(2), rng.IntN(2), rng.IntN(2)
			x := a ^ b
			if rng.IntN(6) == 0 {
				x = c
			}
			rows = append(rows, []int{a, b, c, x})
		}
		s := learnertest.New(t, learnertest.Vars("a", 2, "b", 2, "c", 2, "x", 2), rows, nil)
		tree := grower(t, s, Options{Score: Marginal, Prior: 1}).Root(3)
		grower(t, s, Options{Score: Marginal, Prior: 1}).Finder().Grow(context.Background(), tree, math.Inf(-1), anything)
		var inner []*Node
		for i := range tree.Nodes {
			if tree.Nodes[i].Split.Found() {
				inner = append(inner, &tree.Nodes[i])
			}
		}
		for _, kappa := range []float64{1, .5, .1} {
			best := math.Inf(-1)
			for set := range 1 << len(inner) {
				keep := map[*Node]bool{}
				for i, n := range inner {
					keep[n] = set>>i&1 == 1
				}
				best = max(best, tree.Size(func(n *Node) bool { return keep[n] }).Penalised(kappa))
			}
			got := tree.Size(Pruned([]*Tree{tree}, Least(kappa)))
			if math.Abs(got.Penalised(kappa)-best) > 1e-9 {
				t.Errorf("trial %d, kappa %v: the pruned tree scores %v; want %v", trial, kappa, got.Penalised(kappa), best)
			}
			if got.Splits > 0 && got.Splits < len(inner) {
				differ++
			}
		}
	}
	if differ == 0 {
		t.Error("no tree is pruned in part: the test shows nothing")
	}
}
