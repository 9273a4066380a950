package pc_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/independence"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/pc"
)

// separation answers independence tests by d-separation in a structure.
func separation(parents [][]int) independence.Oracle {
	g := &model.Graph{Kind: model.Bayes, Parents: make([][]model.VarID, len(parents)), Children: make([][]model.VarID, len(parents))}
	for v, list := range parents {
		for _, u := range list {
			g.Parents[v] = append(g.Parents[v], model.VarID(u))
			g.Children[u] = append(g.Children[u], model.VarID(v))
		}
	}
	return func(x, y int, given []int) independence.Outcome {
		var ids []model.VarID
		for _, v := range given {
			ids = append(ids, model.VarID(v))
		}
		separated := g.ActiveTrail(model.VarID(x), model.VarID(y), ids) == nil
		o := independence.Outcome{Independent: separated}
		if separated {
			o.PValue = 1
		}
		return o
	}
}

func class(t *testing.T, n int, oracle independence.Oracle, most, cores int) (*graph.Partial, *pc.Counts) {
	t.Helper()
	p, counts, err := pc.Class(context.Background(), n, oracle, most, cores)
	if err != nil {
		t.Fatal(err)
	}
	return p, counts
}

// random returns a structure of n variables with up to d parents each, in random order.
func random(rng *rand.Rand, n, d int) [][]int {
	order, parents := rng.Perm(n), make([][]int, n)
	for i, v := range order {
		before := slices.Clone(order[:i])
		rng.Shuffle(i, func(a, b int) { before[a], before[b] = before[b], before[a] })
		parents[v] = before[:min(i, rng.IntN(d+1))]
	}
	return parents
}

// With correct answers the search finds the class exactly: of all 543 structures of four variables,
// and of random ones of up to 12 variables with up to d parents, by tests of at most d+2 variables.
func TestOracle(t *testing.T) {
	check := func(parents [][]int, d int) {
		t.Helper()
		oracle := separation(parents)
		got, counts := class(t, len(parents), func(x, y int, given []int) independence.Outcome {
			if len(given) > d {
				t.Fatalf("a test with %d given variables; want at most %d", len(given), d)
			}
			return oracle(x, y, given)
		}, d, 1)
		if want := graph.Of(parents); !got.Equal(want) || counts.Contradicted != 0 {
			t.Fatalf("%v: got %v, %d contradictions; want %v", parents, got.Edges(), counts.Contradicted, want.Edges())
		}
	}
	for _, g := range learnertest.DAGs(4) {
		check(g, 3)
	}
	rng := rand.New(rand.NewPCG(4, 2))
	for range 60 {
		n, d := 5+rng.IntN(8), 1+rng.IntN(3)
		check(random(rng, n, d), d)
	}
}

// Exercise 18.4: one wrong answer adds an edge and removes directions of others, and answers may
// contradict each other.
func TestWrongAnswer(t *testing.T) {
	right := separation([][]int{{}, {}, {0, 1}})
	if got, _ := class(t, 3, right, 1, 1); !got.Directed(0, 2) || !got.Directed(1, 2) || got.Adjacent(0, 1) {
		t.Fatalf("got %v; want 0→2←1", got.Edges())
	}
	got, _ := class(t, 3, func(x, y int, given []int) independence.Outcome {
		if len(given) == 0 && x == 0 && y == 1 {
			return independence.Outcome{}
		}
		return right(x, y, given)
	}, 1, 1)
	if !got.Undirected(0, 1) || !got.Undirected(0, 2) || !got.Undirected(1, 2) {
		t.Errorf("got %v; want all edges, without directions", got.Edges())
	}
	// The answers imply two directions of one edge: 0 and 2 are independent, and so are 1 and 3,
	// each without the variables between. The first has more support, so that the other collider is
	// dropped.
	both := func(x, y int, given []int) independence.Outcome {
		apart := [2]int{min(x, y), max(x, y)}
		switch {
		case apart == [2]int{0, 2} && len(given) == 0:
			return independence.Outcome{Independent: true, PValue: 0.9}
		case apart == [2]int{1, 3} && len(given) == 0:
			return independence.Outcome{Independent: true, PValue: 0.8}
		case apart == [2]int{0, 3} && len(given) == 0:
			return independence.Outcome{Independent: true, PValue: 0.7}
		}
		return independence.Outcome{}
	}
	got, counts := class(t, 4, both, 2, 1)
	if counts.Contradicted != 1 || !got.Directed(0, 1) || !got.Directed(2, 1) || got.Directed(1, 2) {
		t.Errorf("got %v with %d contradictions; want 0→1←2 and one", got.Edges(), counts.Contradicted)
	}
}

// For any answers, the result extends to a structure without cycles.
func TestAnyAnswers(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	contradicted, forced := 0, 0
	for range 2000 {
		n, share := 4+rng.IntN(6), 0.3*rng.Float64()
		p, counts := class(t, n, func(x, y int, given []int) independence.Outcome {
			return independence.Outcome{Independent: len(given) > 1 && rng.Float64() < share, PValue: rng.Float64()}
		}, 3, 1)
		parents, k := p.Extend()
		contradicted, forced = contradicted+counts.Contradicted, forced+k
		above := graph.Ancestors(parents)
		for v := range n {
			if above.Has(v, v) {
				t.Fatalf("%v has a cycle", parents)
			}
		}
	}
	if contradicted == 0 || forced == 0 {
		t.Errorf("%d contradictions, %d colliders forced: the test shows nothing", contradicted, forced)
	}
}

// rows returns rows drawn from a network over two-state variables with the given structure and
// random tables.
func rows(t *testing.T, rng *rand.Rand, parents [][]int, m int) *data.Set {
	n := len(parents)
	var vars []data.Var
	for v := range n {
		vars = append(vars, data.Var{Name: string(rune('a' + v)), States: []string{"0", "1"}})
	}
	tables := make([][]float64, n)
	for v, list := range parents {
		for range 1 << len(list) {
			tables[v] = append(tables[v], []float64{0.15, 0.85, 0.3, 0.7}[rng.IntN(4)])
		}
	}
	out := make([][]int, m)
	for i := range out {
		row := make([]int, n)
		for v := range row {
			row[v] = -1
		}
		var settle func(v int) int
		settle = func(v int) int {
			if row[v] < 0 {
				k := 0
				for _, u := range parents[v] {
					k = 2*k + settle(u)
				}
				row[v] = 0
				if rng.Float64() < tables[v][k] {
					row[v] = 1
				}
			}
			return row[v]
		}
		for v := range n {
			settle(v)
		}
		out[i] = row
	}
	return learnertest.New(t, vars, out, nil)
}

// On data, in which answers contradict each other, the class does not depend on the order of the
// variables or the number of cores.
func TestOrderOfVariables(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	contradicted := 0
	for range 20 {
		const n = 8
		set := rows(t, rng, random(rng, n, 3), 300)
		oracle, err := independence.New(data.NewCounter(set, 0), nil, independence.Options{Kind: "g", Level: 0.05})
		if err != nil {
			t.Fatal(err)
		}
		first, counts := class(t, n, oracle, 4, 1)
		contradicted += counts.Contradicted
		if again, _ := class(t, n, oracle, 4, 2); !again.Equal(first) {
			t.Fatalf("on two cores: %v; want %v", again.Edges(), first.Edges())
		}
		other := rng.Perm(n)
		got, _ := class(t, n, func(x, y int, given []int) independence.Outcome {
			var moved []int
			for _, v := range given {
				moved = append(moved, other[v])
			}
			slices.Sort(moved)
			return oracle(min(other[x], other[y]), max(other[x], other[y]), moved)
		}, 4, 1)
		for a := range n {
			for b := range n {
				if got.Adjacent(a, b) != first.Adjacent(other[a], other[b]) || got.Directed(a, b) != first.Directed(other[a], other[b]) {
					t.Fatalf("in another order: %v by %v; want %v", got.Edges(), other, first.Edges())
				}
			}
		}
	}
	if contradicted == 0 {
		t.Error("no answers contradict each other: the test shows nothing")
	}
}

// Two causes of C, from the expected counts of 1,000 rows, and the effect of required and forbidden
// edges.
func TestLearn(t *testing.T) {
	s := learnertest.Expected(t, learnertest.Vars("A", 2, "B", 2, "C", 2, "D", 2), 1000, func(x []int) float64 {
		p := []float64{0.1, 0.35, 0.65, 0.95}[2*x[0]+x[1]]
		return 0.25 * []float64{1 - p, p}[x[2]] * []float64{0.8, 0.2}[x[2]^x[3]]
	})
	for _, c := range []struct {
		args  []string
		class string
	}{
		{nil, "A→C B→C C→D"},
		{[]string{"-test", "chi2"}, "A→C B→C C→D"},
		{[]string{"-test", "mi"}, "A→C B→C C→D"},
		{[]string{"-test", "mi", "-threshold", "1"}, ""},
		{[]string{"-require", "C->A"}, "B−C C→A C−D"},
		{[]string{"-forbid", "A->C,C->A"}, "B−C C−D"},
		{[]string{"-forbid", "A->B,B->A"}, "A→C B→C C→D"},
		{[]string{"-forbid", "A->C,B->C,D->C"}, "C→A C→B C→D"},
		{[]string{"-max-given", "0"}, "A→C A→D B→C B→D C−D"},
	} {
		r := learnertest.Learn(t, pc.Learner, &learner.Job{Train: s, Cores: 1}, c.args...)
		if got := classText(r); got != c.class {
			t.Errorf("%v: got %s; want %s", c.args, got, c.class)
		}
	}
	learnertest.Error(t, pc.Learner, s, "at most -1 given variables; want 0 or more", "-max-given", "-1")
	learnertest.Error(t, pc.Learner, s, `unknown test "x"; want chi2, g or mi`, "-test", "x")
}

// Edges that the data do not ask for may be forbidden without effect: colliders between their ends
// stay.
func TestForbidden(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	colliders := 0
	for range 40 {
		s := rows(t, rng, random(rng, 6, 2), 3000)
		free := learnertest.Learn(t, pc.Learner, &learner.Job{Train: s, Cores: 1})
		apart := map[string]bool{}
		for _, a := range s.Vars {
			for _, b := range s.Vars {
				apart[a.Name+"->"+b.Name] = a.Name != b.Name
			}
		}
		for _, e := range free.Report.Class {
			apart[e.From+"->"+e.To], apart[e.To+"->"+e.From] = false, false
			if e.Directed {
				colliders++
			}
		}
		maps.DeleteFunc(apart, func(_ string, apart bool) bool { return !apart })
		forbid := strings.Join(slices.Sorted(maps.Keys(apart)), ",")
		bound := learnertest.Learn(t, pc.Learner, &learner.Job{Train: s, Cores: 1}, "-forbid", forbid)
		if got, want := classText(bound), classText(free); got != want {
			t.Errorf("without %s: %s; want %s", forbid, got, want)
		}
	}
	if colliders < 50 {
		t.Errorf("%d directed edges; want more", colliders)
	}
}

// Columns that determine each other, as a copy or as exact linear functions, are no sign of
// independence: the tests that cannot be made are taken for dependence, and the columns are named.
func TestDetermined(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	var discrete, real, mixed [][]float64
	for range 500 {
		a, x := float64(rng.IntN(2)), rng.NormFloat64()
		noisy := a
		if rng.Float64() < .1 {
			noisy = 1 - a
		}
		discrete = append(discrete, []float64{a, a, noisy})
		real = append(real, []float64{x, x / 2, .8 * x})
		mixed = append(mixed, []float64{a, 3*a - 1, noisy + x})
	}
	states := []string{"0", "1"}
	for _, c := range []struct {
		name, class, names string
		vars               []data.Var
		rows               [][]float64
	}{
		{"copy", "a−b a−c b−c", `"a", "b"`, []data.Var{{Name: "a", States: states}, {Name: "b", States: states}, {Name: "c", States: states}}, discrete},
		{"multiples", "W−X W−Y X−Y", `"W", "Y", "X"`, []data.Var{{Name: "X", Real: true}, {Name: "W", Real: true}, {Name: "Y", Real: true}}, real},
		{"code", "a→b b→c", `"b"`, []data.Var{{Name: "a", States: states}, {Name: "b", Real: true}, {Name: "c", Real: true}}, mixed},
	} {
		s, err := data.NewReal(c.vars, c.rows, nil)
		if err != nil {
			t.Fatal(err)
		}
		r := learnertest.Learn(t, pc.Learner, &learner.Job{Train: s, Cores: 1})
		if got := classText(r); got != c.class {
			t.Errorf("%s: %s; want %s", c.name, got, c.class)
		}
		if got := strings.Join(r.Report.Remarks, "\n"); !strings.Contains(got, "other columns determine "+c.names+" in all rows; ") {
			t.Errorf("%s: remarks %s; want %s named", c.name, got, c.names)
		}
	}
}

func classText(r *learner.Result) string {
	var list []string
	for _, e := range r.Report.Class {
		if e.Directed {
			list = append(list, e.From+"→"+e.To)
		} else {
			list = append(list, min(e.From, e.To)+"−"+max(e.From, e.To))
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// In a chain of six variables and without a limit, exactly the edges of the chain remain. The first
// level makes 15 tests, after which all pairs are joined, and the next at most 15 times 2 times 4.
// A limit between the two ends the search before the second level, and the report says so.
func TestMaxTests(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	rows := make([][]int, 2000)
	for i := range rows {
		rows[i] = make([]int, 6)
		for v := range rows[i] {
			if rows[i][v] = rng.IntN(2); v > 0 && rng.Float64() < 0.9 {
				rows[i][v] = rows[i][v-1]
			}
		}
	}
	s := learnertest.New(t, learnertest.Vars("a", 2, "b", 2, "c", 2, "d", 2, "e", 2, "f", 2), rows, nil)
	job := &learner.Job{Train: s, Cores: 2}
	if r := learnertest.Learn(t, pc.Learner, job, "-max-tests", "1000"); len(r.Report.Class) != 5 {
		t.Errorf("%d edges; want the 5 of the chain: %v", len(r.Report.Class), r.Report.Class)
	}
	r := learnertest.Learn(t, pc.Learner, job, "-max-tests", "100")
	if len(r.Report.Class) != 15 || r.Report.Steps != 15 {
		t.Errorf("%d edges after %d tests; want 15 after 15", len(r.Report.Class), r.Report.Steps)
	}
	if want := "tests with 1 given variables or more were not made: those with 1 would have been 120"; !slices.Contains(r.Report.Remarks, want) {
		t.Errorf("remarks %q; want %q among them", r.Report.Remarks, want)
	}
	learnertest.Error(t, pc.Learner, s, "at most 0 tests; want 1 or more", "-max-tests", "0")
}

// TestCorrections learns from independent columns. At level .05, a corrected search finds an edge in
// a twentieth of the data sets, and one without correction finds edges for a twentieth of the pairs.
func TestCorrections(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 3))
	vars := learnertest.Vars("a", 2, "b", 2, "c", 2, "d", 2, "e", 2, "f", 2, "g", 2, "h", 2)
	with := map[string]int{} // data sets with edges, by correction
	const sets = 60
	for range sets {
		rows := make([][]int, 60)
		for i := range rows {
			for range vars {
				rows[i] = append(rows[i], rng.IntN(2))
			}
		}
		s := learnertest.New(t, vars, rows, nil)
		for _, correct := range []string{"none", "bonferroni", "fdr"} {
			o := pc.NewOptions()
			o.Correct, o.PValues = correct, "exact"
			r, err := o.Learn(context.Background(), &learner.Job{Train: s, Cores: 1})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Report.Class) > 0 {
				with[correct]++
			}
		}
	}
	if with["none"] < 30 || with["bonferroni"] > 9 || with["fdr"] > 9 { // binomial of 60 and .05: above 9 with a probability of .0006
		t.Errorf("%v of %d data sets have edges; want most without correction, and 3 of the others", with, sets)
	}
	learnertest.Error(t, pc.Learner, learnertest.New(t, vars, [][]int{make([]int, 8), {1, 1, 1, 1, 1, 1, 1, 1}}, nil),
		"correction fdr is of p-values, and test mi has none; want chi2 or g", "-test", "mi", "-correct", "fdr")
}

// Permutations that are too few for the level of significance are refused.
func TestFewPermutations(t *testing.T) {
	s := learnertest.Drawn(t, 1, 12)
	learnertest.Error(t, pc.Learner, s, "10 permutations have p-values from 0.0909, above the level of significance 0.05; want permutations 21 or more", "-p-values", "permuted", "-permutations", "10")
	learnertest.Error(t, pc.Learner, s, "1000 permutations have p-values from 0.000999, above the level of significance 0.000758; want permutations 1321 or more", "-p-values", "exact", "-correct", "bonferroni")
}
