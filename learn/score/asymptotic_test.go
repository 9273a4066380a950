package score_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// TestLeaveOneOut scores the pair of coins 27, 22, 25, 26 as in exercise 18.12, under priors of
// ones (2 for a variable alone, 4 for a variable with a parent) and under that of bdeu with an
// equivalent sample size of 4. The values were computed elsewhere.
func TestLeaveOneOut(t *testing.T) {
	n := []float64{27, 22, 25, 26}
	s := learnertest.Expected(t, learnertest.Vars("X", 2, "Y", 2), 1, func(x []int) float64 { return n[2*x[0]+x[1]] })
	two, four := scorer(t, s, "loocv", 2), scorer(t, s, "loocv", 4)
	near(t, "ones, without", two.Family(0)+two.Family(1), -140.519480, 1e-6)
	near(t, "ones, X→Y", two.Family(0)+four.Family(1, 0), -141.319372, 1e-6)
	near(t, "bdeu, without", four.Network([][]int{{}, {}}), -140.480687, 1e-6)
	near(t, "bdeu, X→Y", four.Network([][]int{{}, {0}}), -141.299964, 1e-6)
	// HTTHH: 1/72 under a prior of ones, and 1/128 without a prior, which 1e-9 approximates: three
	// heads with 2 of 4 others, two tails with 1 of 4.
	coin := learnertest.New(t, learnertest.Vars("coin", 2), [][]int{{1}, {0}, {0}, {1}, {1}}, nil)
	near(t, "HTTHH", math.Exp(scorer(t, coin, "loocv", 2).Family(0)), 1.0/72, 1e-15)
	near(t, "HTTHH without prior", math.Exp(scorer(t, coin, "loocv", 1e-9).Family(0)), 1.0/128, 1e-10)
}

// agreeing returns the expected counts of m rows of fair coins that agree with probability 1/2+p.
func agreeing(t *testing.T, p, m float64) *data.Set {
	return learnertest.Expected(t, learnertest.Vars("X", 2, "Y", 2), m, func(x []int) float64 {
		return 0.25 + []float64{0.5, -0.5}[x[0]^x[1]]*p
	})
}

// TestFewestRowsBayes checks figure 18.3: the fewest rows, in steps of 20, with which the Bayesian
// scores choose the edge, computed elsewhere. The score without the edge does not depend on p.
func TestFewestRowsBayes(t *testing.T) {
	for i, p := range []float64{0.05, 0.1, 0.15, 0.2} {
		for kind, want := range map[string]float64{"bdeu": []float64{780, 160, 60, 40}[i], "k2": []float64{440, 60, 20, 20}[i]} {
			for m := 20.0; m <= want; m += 20 {
				sc := scorer(t, agreeing(t, p, m), kind, 1)
				if edge := sc.Family(1, 0) > sc.Family(1); edge != (m == want) {
					t.Errorf("%s, p %v, %v rows: an edge is %v; want one from %v rows on", kind, p, m, edge, want)
				}
			}
		}
	}
	one, two := scorer(t, agreeing(t, 0.05, 100), "bdeu", 1), scorer(t, agreeing(t, 0.2, 100), "bdeu", 1)
	near(t, "no edge", one.Network([][]int{{}, {}}), two.Network([][]int{{}, {}}), 1e-9)
	// 2.0136 < 2.3026 with 100 rows, 2.4163 > 2.3937 with 120: the gain in likelihood, and the
	// penalty.
	for m, want := range map[float64][2]float64{100: {2.0136, 2.3026}, 120: {2.4163, 2.3937}} {
		s := agreeing(t, 0.1, m)
		l, b := scorer(t, s, "loglik", 0), scorer(t, s, "bic", 0)
		gain := l.Family(1, 0) - l.Family(1)
		near(t, "gain", gain, want[0], 5e-5)
		near(t, "penalty", gain-(b.Family(1, 0)-b.Family(1)), want[1], 5e-5)
	}
}

// three draws m rows of three variables.
func three(t *testing.T, m int) *data.Set {
	rng := rand.New(rand.NewPCG(18, 5))
	var rows [][]int
	for range m {
		a, b := rng.IntN(2), rng.IntN(3)
		rows = append(rows, []int{a, b, (a + b + rng.IntN(2)) % 2})
	}
	return learnertest.New(t, learnertest.Vars("a", 2, "b", 3, "c", 2), rows, nil)
}

// TestLimit checks theorem 18.1: with expected counts, bdeu minus bic converges as the number of
// rows grows. With many rows, each quadrupling changes it by at most half as much as the one
// before.
func TestLimit(t *testing.T) {
	p := func(x []int) float64 {
		c := []float64{0.1, 0.35, 0.65, 0.95}[2*x[0]+x[1]]
		return []float64{0.3, 0.7}[x[0]] * []float64{0.6, 0.4}[x[1]] * []float64{1 - c, c}[x[2]]
	}
	for _, g := range [][][]int{{{}, {}, {0, 1}}, {{}, {0}, {0, 1}}, {{}, {}, {}}} {
		var apart []float64
		for m := 1000.0; m < 1e8; m *= 4 {
			s := learnertest.Expected(t, learnertest.Vars("A", 2, "B", 2, "C", 2), m, p)
			apart = append(apart, scorer(t, s, "bdeu", 1).Network(g)-scorer(t, s, "bic", 1).Network(g))
		}
		for i := 2; i < len(apart); i++ {
			if now, before := math.Abs(apart[i]-apart[i-1]), math.Abs(apart[i-1]-apart[i-2]); now > before/2+1e-6 {
				t.Errorf("%v: the difference goes %v", g, apart)
			}
		}
	}
}

// entropy returns the entropy of the counts of some variables.
func entropy(c *data.Counter, vars ...int) float64 {
	h, m := 0.0, float64(c.Set().Len())
	for _, n := range c.Counts(vars...) {
		if n > 0 {
			h -= n / m * math.Log(n/m)
		}
	}
	return h
}

// TestInformation checks equation 18.5, with the sign of the entropy corrected: the log-likelihood
// per row is -H(X1..Xn) minus, for each variable, its conditional mutual information with the
// predecessors that are not parents, given the parents. Therefore an additional edge never lowers
// it (exercise 18.6).
func TestInformation(t *testing.T) {
	c := data.NewCounter(three(t, 300), 0)
	sc := scorer(t, c.Set(), "loglik", 0)
	for _, g := range learnertest.DAGs(3) {
		order := []int{0, 1, 2}
		slices.SortStableFunc(order, func(a, b int) int { return depth(g, a) - depth(g, b) })
		want := -entropy(c, 0, 1, 2)
		for i, x := range order {
			all := append(slices.Clone(order[:i]), x)
			own := append(slices.Clone(g[x]), x)
			want -= entropy(c, own...) - entropy(c, g[x]...) - entropy(c, all...) + entropy(c, order[:i]...)
		}
		near(t, "log-likelihood a row", sc.Network(g)/300, want, 1e-12)
		for x := range 3 {
			for u := range 3 {
				if u != x && !slices.Contains(g[x], u) && sc.Family(x, append(slices.Clone(g[x]), u)...) < sc.Family(x, g[x]...)-1e-9 {
					t.Errorf("%v: the parent %d of %d makes the likelihood smaller", g, u, x)
				}
			}
		}
	}
}

// depth returns the number of edges on the longest path to a variable.
func depth(g [][]int, x int) int {
	d := 0
	for _, u := range g[x] {
		d = max(d, depth(g, u)+1)
	}
	return d
}

// TestPrequential checks that the marginal likelihood is the product of the probabilities of the
// rows, each given the rows before it, with bdeu and k2 and in any order of the rows (section
// 18.3.4).
func TestPrequential(t *testing.T) {
	s := three(t, 40)
	g := [][]int{{}, {0}, {0, 1}}
	cards := []int{2, 3, 2}
	for _, kind := range []string{"bdeu", "k2"} {
		for _, backwards := range []bool{false, true} {
			counts, total := map[[4]int]float64{}, 0.0
			row := make([]int, 3)
			for i := range s.Len() {
				if backwards {
					i = s.Len() - 1 - i
				}
				s.Row(i, row)
				for x, p := range g {
					config, states := 0, 1
					for _, u := range p {
						config, states = config*cards[u]+row[u], states*cards[u]
					}
					a := 1.0
					if kind == "bdeu" {
						a = 3 / float64(states*cards[x])
					}
					cell, all := [4]int{x, config, row[x], 0}, [4]int{x, config, 0, 1}
					total += math.Log((counts[cell] + a) / (counts[all] + a*float64(cards[x])))
					counts[cell]++
					counts[all]++
				}
			}
			near(t, kind, total, scorer(t, s, kind, 3).Network(g), 1e-9)
		}
	}
}
