package average_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/average"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/score"
)

// fewRows returns n rows of four variables that depend on each other.
func fewRows(t *testing.T, n int) *data.Set {
	rng := rand.New(rand.NewPCG(14, 4))
	var rows [][]int
	for range n {
		a, b := rng.IntN(2), rng.IntN(2)
		rows = append(rows, []int{a, b, a ^ b&rng.IntN(2), (a + rng.IntN(3)) % 2})
	}
	return learnertest.New(t, learnertest.Vars("a", 2, "b", 2, "c", 2, "d", 2), rows, nil)
}

// reaches reports whether a directed path leads from u to x.
func reaches(parents [][]int, u, x int) bool {
	return slices.ContainsFunc(parents[x], func(p int) bool { return p == u || reaches(parents, u, p) })
}

// blanket reports whether u and x are neighbours or have a common child.
func blanket(parents [][]int, u, x int) bool {
	return slices.Contains(parents[x], u) || slices.Contains(parents[u], x) ||
		slices.ContainsFunc(parents, func(p []int) bool { return slices.Contains(p, u) && slices.Contains(p, x) })
}

// orders returns the number of orders that a structure agrees with and that begin with the given
// variables.
func orders(begin uint, parents [][]int) (count float64) {
	n := len(parents)
	if begin == 1<<n-1 {
		return 1
	}
	for x := range n {
		if begin>>x&1 == 0 && !slices.ContainsFunc(parents[x], func(u int) bool { return begin>>u&1 == 0 }) {
			count += orders(begin|1<<x, parents)
		}
	}
	return count
}

// within reports whether the variables in their order have parents first.
func within(parents [][]int) bool {
	for x, p := range parents {
		if slices.ContainsFunc(p, func(u int) bool { return u > x }) {
			return false
		}
	}
	return true
}

// The probabilities of paths and of Markov blankets are those by enumeration of all 543 structures
// of four variables, weighted for each average in its way. The samples of other seeds differed by
// at most 0.012.
func TestFeatures(t *testing.T) {
	s := fewRows(t, 20)
	sc, err := score.New("bdeu", data.NewCounter(s, 0), score.Options{Size: 4})
	if err != nil {
		t.Fatal(err)
	}
	all := learnertest.DAGs(4)
	if len(all) != 543 {
		t.Fatalf("%d structures", len(all))
	}
	for over, weight := range map[string]func(g [][]int) float64{
		"structures": func([][]int) float64 { return 1 },
		"orders":     func(g [][]int) float64 { return orders(0, g) },
		"order": func(g [][]int) float64 {
			if within(g) {
				return 1
			}
			return 0
		},
	} {
		paths, blankets, sum := map[string]float64{}, map[string]float64{}, 0.0
		base := sc.Network(make([][]int, 4))
		for _, g := range all {
			w := weight(g) * math.Exp(sc.Network(g)-base)
			sum += w
			for x := range g {
				for u := range g {
					if u != x && reaches(g, u, x) {
						paths[s.Vars[u].Name+s.Vars[x].Name] += w
					}
					if u != x && blanket(g, u, x) {
						blankets[s.Vars[u].Name+s.Vars[x].Name] += w
					}
				}
			}
		}
		for _, m := range []map[string]float64{paths, blankets} {
			for k := range m {
				m[k] /= sum
			}
		}
		args := []string{"-over", over, "-samples", "10000", "-every", "10", "-burn-in", "1000", "-ess", "4"}
		plain := learnertest.Learn(t, average.Learner, &learner.Job{Train: s, Cores: 2, Seed: 3}, args...)
		r := learnertest.Learn(t, average.Learner, &learner.Job{Train: s, Cores: 2, Seed: 3}, append(args, "-features", "path, blanket")...)
		if !slices.Equal(plain.Report.Posteriors, r.Report.Posteriors) {
			t.Errorf("%s: the edges depend on other features", over)
		}
		if plain.Report.Paths != nil || plain.Report.Blankets != nil {
			t.Errorf("%s: features that are not asked for", over)
		}
		check(t, over+", paths", named(r.Report.Paths), paths, 0.02)
		got := named(r.Report.Blankets)
		for _, x := range r.Report.Blankets {
			if got[x.To+x.From] > 0 && x.To != x.From {
				t.Errorf("%s: the pair of %s and %s is there twice", over, x.From, x.To)
			}
			got[x.To+x.From] = x.Probability
		}
		check(t, over+", blankets", got, blankets, 0.02)
	}
	learnertest.Error(t, average.Learner, s, `unknown feature "child" of structures; want path, blanket or both`, "-features", "path,child")
	learnertest.Error(t, average.Learner, s, "found mixture -1; want at least 0", "-mixture", "-1")
}

func named(list []learner.Posterior) map[string]float64 {
	out := map[string]float64{}
	for _, p := range list {
		out[p.From+p.To] = p.Probability
	}
	return out
}

// Koller and Friedman, section 18.5.1: the average of the predictions by equation 18.10 is the
// ratio of the marginal likelihoods, summed over structures, with and without the predicted row.
// The mixture approximates it for each of the 16 rows, and its probabilities sum to 1.
func TestMixture(t *testing.T) {
	s := fewRows(t, 20)
	evidence := func(s *data.Set) (sum float64) {
		sc, err := score.New("bdeu", data.NewCounter(s, 0), score.Options{Size: 4})
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range learnertest.DAGs(4) {
			sum += math.Exp(sc.Network(g))
		}
		return sum
	}
	var rows [][]int
	for row := range s.Len() {
		var x []int
		for v := range s.Vars {
			c := s.Column(v)
			x = append(x, c.At(row))
		}
		rows = append(rows, x)
	}
	base := evidence(s)
	args := []string{"-over", "structures", "-samples", "5000", "-every", "10", "-burn-in", "1000", "-ess", "4", "-mixture"}
	r := learnertest.Learn(t, average.Learner, &learner.Job{Train: s, Cores: 2, Seed: 3}, append(args, "1000")...)
	best := learnertest.Learn(t, average.Learner, &learner.Job{Train: s, Cores: 2, Seed: 3}, append(args, "0")...)
	sum, apart := 0.0, 0.0
	for k := range 16 {
		x := []int{k >> 3, k >> 2 & 1, k >> 1 & 1, k & 1}
		more := learnertest.New(t, s.Vars, append(slices.Clone(rows), x), nil)
		want := evidence(more) / base
		got := probability(t, r, x)
		if sum += got; math.Abs(got-want) > 0.001 {
			t.Errorf("P(%v) is %.6f; want %.6f", x, got, want)
		}
		apart = max(apart, math.Abs(probability(t, best, x)-want))
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("the probabilities sum to %v", sum)
	}
	if apart < 0.005 {
		t.Errorf("the best network is %v away at most: the test shows nothing", apart)
	}
	if want := "the model is a mixture of "; !slices.ContainsFunc(r.Report.Remarks, func(x string) bool { return len(x) > len(want) && x[:len(want)] == want }) {
		t.Errorf("no remark on the mixture: %q", r.Report.Remarks)
	}
}

// probability returns the unnormalised probability of a row.
func probability(t *testing.T, r *learner.Result, x []int) float64 {
	t.Helper()
	m := r.Models[0]
	if c := m.Factors[0].Circuit(); c != nil {
		return c.Eval(func(axis int, state int32) float64 {
			if x[m.Factors[0].Scope[axis]] == int(state) {
				return 1
			}
			return 0
		}, make([]float64, len(c.Nodes)))
	}
	j, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	var vars []model.VarID
	for v := range x {
		vars = append(vars, model.VarID(v))
	}
	return math.Exp(j.LogValue(vars, x, brute.Evidence{}))
}

// Real variables by score bge, against all 25 structures of three: edges, paths, and a mixture that
// is a model.
func TestReal(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 2))
	var rows [][]float64
	for range 12 {
		a := rng.NormFloat64()
		b := .6*a + rng.NormFloat64()
		rows = append(rows, []float64{a, b, .5*b + rng.NormFloat64()})
	}
	s, err := data.NewReal([]data.Var{{Name: "a", Real: true}, {Name: "b", Real: true}, {Name: "c", Real: true}}, rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	sc, err := score.New("bge", data.NewCounter(s, 0), score.Options{Size: 1})
	if err != nil {
		t.Fatal(err)
	}
	edges, paths, sum := map[string]float64{}, map[string]float64{}, 0.0
	for _, g := range learnertest.DAGs(3) {
		w := math.Exp(sc.Network(g))
		sum += w
		for x := range g {
			for u := range g {
				if slices.Contains(g[x], u) {
					edges[s.Vars[u].Name+s.Vars[x].Name] += w
				}
				if u != x && reaches(g, u, x) {
					paths[s.Vars[u].Name+s.Vars[x].Name] += w
				}
			}
		}
	}
	for k := range edges {
		edges[k], paths[k] = edges[k]/sum, paths[k]/sum
	}
	r := learnertest.Learn(t, average.Learner, &learner.Job{Train: s, Cores: 2, Seed: 3}, "-score", "bge", "-over", "structures", "-samples", "10000", "-every", "10", "-features", "path", "-mixture", "7")
	check(t, "edges", table(r), edges, 0.015)
	check(t, "paths", named(r.Report.Paths), paths, 0.015)
	m := r.Models[0]
	if len(m.Vars) != 4 || m.Vars[3].Name != "structure" || m.Card(3) != 7 {
		t.Errorf("the mixture has the variables %v; want a, b, c and 7 structures", m.Vars)
	}
}
