package independence_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/independence"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s: got %.12g; want %.12g", what, got, want)
	}
}

// TestTables checks tables of two coins, rows by the first: those of Koller and Friedman, example
// 18.1, and of section 19.1.3. The expected numbers were computed independently with 30 digits.
func TestTables(t *testing.T) {
	for _, c := range []struct {
		n                      []float64
		chi2, pChi2, mi, g, pG float64
	}{
		{[]float64{27, 22, 25, 26}, 0.370404572085, 0.542783824258, 0.00185329798898, 0.370659597796, 0.542644950205},
		{[]float64{3, 6, 5, 6}, 0.30303030303, 0.581988900057, 0.00762521011443, 0.305008404577, 0.580759504109},
		{[]float64{13, 16, 10, 4}, 2.68554294281, math.NaN(), 0.0320697774514, 2 * 43 * 0.0320697774514, math.NaN()},
	} {
		x, free, _ := independence.Statistic("chi2", c.n, 2, 2)
		g, _, _ := independence.Statistic("g", c.n, 2, 2)
		mi, _, _ := independence.Statistic("mi", c.n, 2, 2)
		near(t, "chi2", x, c.chi2, 2e-11)
		near(t, "g", g, c.g, 2e-11)
		near(t, "mi", mi, c.mi, 1e-13)
		if free != 1 {
			t.Errorf("%v degrees of freedom; want 1", free)
		}
		if !math.IsNaN(c.pChi2) {
			near(t, "p of chi2", independence.ChiSquareSurvival(1, x), c.pChi2, 2e-12)
			near(t, "p of g", independence.ChiSquareSurvival(1, g), c.pG, 2e-12)
		}
	}
}

// TestAgreeing checks figure 18.3: fair coins that agree with probability 1/2+p have chi2 of 4 p² a
// row. The mutual information was computed independently.
func TestAgreeing(t *testing.T) {
	for p, want := range map[float64]float64{0.05: 0.00500836684636, 0.1: 0.0201355135507, 0.15: 0.0457005415253, 0.2: 0.0822828785051} {
		n := []float64{250 + 500*p, 250 - 500*p, 250 - 500*p, 250 + 500*p}
		x, _, _ := independence.Statistic("chi2", n, 2, 2)
		mi, _, _ := independence.Statistic("mi", n, 2, 2)
		near(t, "chi2", x, 4000*p*p, 1e-10)
		near(t, "mi", mi, want, 1e-13)
	}
}

// TestExact checks equation 18.3, the exact probability of a larger statistic under independence,
// by all 1,771 tables of 20 tosses, computed independently. With ties, an equal statistic counts
// too.
func TestExact(t *testing.T) {
	seen := []float64{3, 6, 5, 6}
	px, py := []float64{9.0 / 20, 11.0 / 20}, []float64{8.0 / 20, 12.0 / 20}
	factorial := func(n float64) float64 { x, _ := math.Lgamma(n + 1); return x }
	for _, c := range []struct {
		kind           string
		larger, orSame float64
	}{{"chi2", 0.55965621172, 0.595959321554}, {"mi", 0.559670189218, 0.595973299052}} {
		own, _, _ := independence.Statistic(c.kind, seen, 2, 2)
		larger, orSame, all := 0.0, 0.0, 0.0
		for i := 0.0; i <= 20; i++ {
			for j := 0.0; i+j <= 20; j++ {
				for k := 0.0; i+j+k <= 20; k++ {
					n := []float64{i, j, k, 20 - i - j - k}
					p := factorial(20)
					for s, x := range n {
						p += x*math.Log(px[s/2]*py[s%2]) - factorial(x)
					}
					d, _, _ := independence.Statistic(c.kind, n, 2, 2)
					all += math.Exp(p)
					if d > own+1e-12 {
						larger += math.Exp(p)
					}
					if d > own-1e-12 {
						orSame += math.Exp(p)
					}
				}
			}
		}
		near(t, "all tables", all, 1, 1e-12)
		near(t, c.kind+" larger", larger, c.larger, 1e-10)
		near(t, c.kind+" larger or the same", orSame, c.orSame, 1e-10)
	}
}

// TestChiSquareSurvival checks closed forms. The survival function is exp(-x/2) for two degrees of
// freedom, exp(-x/2)(1+x/2) for four, and in general exp(-x/2) Σ (x/2)^k/k! with half as many terms
// as degrees. For one degree it is that of both sides of a normal variable.
func TestChiSquareSurvival(t *testing.T) {
	for _, x := range []float64{0.01, 1, 3, 10, 60, 300} {
		for half := 1; half <= 100; half++ {
			term, sum := math.Exp(-x/2), 0.0
			for k := range half {
				sum += term
				term *= x / 2 / float64(k+1)
			}
			near(t, "tail", independence.ChiSquareSurvival(float64(2*half), x), sum, 2e-13)
		}
		near(t, "tail of one", independence.ChiSquareSurvival(1, x), math.Erfc(math.Sqrt(x/2)), 1e-14)
	}
	// Wilson and Hilferty 1931: the cube root is nearly normal, with mean 1-2/(9n) and variance
	// 2/(9n); for a million degrees within 1e-4.
	n, x := 1e6, 1e6+1500.0
	v := 2 / (9 * n)
	near(t, "a million", independence.ChiSquareSurvival(n, x), math.Erfc((math.Cbrt(x/n)-1+v)/math.Sqrt(2*v))/2, 1e-4)
	if independence.ChiSquareSurvival(0, 3) != 1 || independence.ChiSquareSurvival(3, 0) != 1 {
		t.Error("without freedom or deviance the tail is 1")
	}
}

// TestGiven checks tests given other variables. A chain x→z→y with expected counts has statistic 0
// given z. One case is by hand: two tables with margins 2, 2 and 2, 2, the first 2 0 0 2, the
// second 1 1 1 1; the expected counts are 1, so chi2 is 4 for the first and 0 for the second, with
// one degree of freedom each. A third state of z, with a single row of counts, adds neither.
func TestGiven(t *testing.T) {
	n := []float64{2, 0, 0, 2, 1, 1, 1, 1, 3, 4, 0, 0}
	x, free, rows := independence.Statistic("chi2", n, 2, 2)
	if x != 4 || free != 2 || rows != 15 {
		t.Errorf("got %v with %v degrees of freedom, %v rows; want 4, 2, 15", x, free, rows)
	}
	g, _, _ := independence.Statistic("g", n, 2, 2)
	near(t, "g", g, 8*math.Log(2), 1e-14)
	s := learnertest.Expected(t, learnertest.Vars("x", 2, "y", 3, "z", 2), 1000, func(v []int) float64 {
		y := []float64{0.2, 0.5, 0.3}
		if v[2] == 1 {
			y = []float64{0.6, 0.1, 0.3}
		}
		return 0.5 * []float64{0.8, 0.2}[v[0]^v[2]] * y[v[1]]
	})
	for _, kind := range independence.Kinds {
		test, err := independence.New(data.NewCounter(s, 0), nil, independence.Options{Kind: kind, Level: 0.05, Threshold: 1e-3})
		if err != nil {
			t.Fatal(err)
		}
		if o := test(0, 1, nil); o.Independent || o.Thin {
			t.Errorf("%s: x and y: %+v", kind, o)
		}
		if o := test(0, 1, []int{2}); !o.Independent || o.PValue < -1e-12 {
			t.Errorf("%s: x and y given z: %+v", kind, o)
		}
		if a, b := test(0, 1, []int{2}), test(1, 0, []int{2}); math.Abs(a.PValue-b.PValue) > 1e-9 {
			t.Errorf("%s: %+v one way, %+v the other", kind, a, b)
		}
	}
}

// TestLimits checks the errors of options and the limits of tests.
func TestLimits(t *testing.T) {
	vars := learnertest.Vars("a", 70, "b", 70, "c", 70, "d", 70)
	c := data.NewCounter(learnertest.New(t, vars, [][]int{{0, 0, 0, 0}, {1, 1, 1, 1}}, nil), 0)
	test, err := independence.New(c, nil, independence.Options{Kind: "g", Level: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	if o := test(0, 1, []int{2, 3}); !o.Skipped || o.Independent {
		t.Errorf("a table of 24,010,000 cells: %+v", o)
	}
	if o := test(0, 1, nil); !o.Thin {
		t.Errorf("two rows in 4,900 cells: %+v", o)
	}
	for _, c := range []struct {
		opt  independence.Options
		want string
	}{
		{independence.Options{Kind: "f", Level: 0.05}, `unknown test "f"; want chi2, g or mi`},
		{independence.Options{Kind: "g", Level: 1}, "significance level 1; want a number above 0 and below 1"},
		{independence.Options{Kind: "mi", Level: 0.05, Threshold: math.NaN()}, "threshold NaN of the mutual information; want 0 or more"},
	} {
		if _, err := independence.New(nil, nil, c.opt); err == nil || err.Error() != c.want {
			t.Errorf("got %v; want %s", err, c.want)
		}
	}
}

// TestChiSquareTables checks values of printed tables of the chi-square distribution, with three
// decimals, which it exceeds with probability 0.05 and 0.001.
func TestChiSquareTables(t *testing.T) {
	for _, c := range []struct{ x, df, want float64 }{
		{3.841, 1, 0.05}, {10.828, 1, 0.001}, {5.991, 2, 0.05}, {7.815, 3, 0.05}, {16.266, 3, 0.001},
		{9.488, 4, 0.05}, {18.307, 10, 0.05}, {29.588, 10, 0.001}, {0, 3, 1},
	} {
		near(t, "p-value", independence.ChiSquareSurvival(c.df, c.x), c.want, 1e-3*c.want)
	}
}
