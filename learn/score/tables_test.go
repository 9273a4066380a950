package score_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/score"
)

// TestTables scores tables of two variables for the network without an edge, with X→Y and with Y→X.
// The values were computed elsewhere by closed forms and by chain rules. The first two are the
// pairs of coins of Koller and Friedman, example 18.1; the third is from section 19.1.3. k2
// distinguishes the directions, and in the third it chooses an edge where bic does not; there, the
// result of bdeu depends on the equivalent sample size.
func TestTables(t *testing.T) {
	type row struct {
		kind            string
		size            float64
		empty, one, two float64
	}
	for _, c := range []struct {
		n    [4]float64 // X first
		rows []row
	}{
		{[4]float64{27, 22, 25, 26}, []row{
			{"loglik", 0, -138.529413431, -138.344083633, -138.344083633},
			{"bic", 0, -143.134583617, -145.251838912, -145.251838912},
			{"k2", 0, -142.698895663, -143.923735834, -143.922581321},
			{"bdeu", 1, -143.591169577, -146.260466932, -146.260466932},
			{"bdeu", 4, -141.909401392, -143.528411442, -143.528411442},
			{"bdeu", 10, -140.980945576, -142.075457054, -142.075457054},
		}},
		{[4]float64{3, 6, 5, 6}, []row{
			{"loglik", 0, -27.2230096145, -27.0705054122, -27.0705054122},
			{"bic", 0, -30.218741888, -31.5641038225, -31.5641038225},
			{"k2", 0, -29.8643250726, -30.4298770052, -30.4045591972},
			{"bdeu", 1, -30.6957440266, -32.5513207441, -32.5513207441},
			{"bdeu", 4, -29.1842137951, -30.0771624625, -30.0771624625},
		}},
		{[4]float64{13, 16, 10, 4}, []row{
			{"loglik", 0, -56.833815828, -55.4548153976, -55.4548153976},
			{"bic", 0, -60.5950159437, -61.0966155711, -61.0966155711},
			{"k2", 0, -60.2439901203, -59.9200283695, -60.0333570548},
			{"bdeu", 4, -59.5992551035, -59.6543252038, -59.6543252038},
			{"bdeu", 10, -59.0380527167, -58.8206004651, -58.8206004651},
		}},
	} {
		s := learnertest.Expected(t, learnertest.Vars("X", 2, "Y", 2), 1, func(x []int) float64 { return c.n[2*x[0]+x[1]] })
		for _, r := range c.rows {
			sc := scorer(t, s, r.kind, r.size)
			near(t, r.kind+" without", sc.Network([][]int{{}, {}}), r.empty, 2e-9)
			near(t, r.kind+" X→Y", sc.Network([][]int{{}, {0}}), r.one, 2e-9)
			near(t, r.kind+" Y→X", sc.Network([][]int{{1}, {}}), r.two, 2e-9)
		}
	}
}

// TestFewestRows checks figure 18.3: the fewest rows with which bic chooses the edge between fair
// coins that agree with probability 1/2+p, computed elsewhere.
func TestFewestRows(t *testing.T) {
	for _, c := range []struct {
		p float64
		m float64
	}{{0.05, 646}, {0.1, 119}, {0.15, 41}, {0.2, 18}} {
		for _, m := range []float64{c.m - 1, c.m} {
			s := learnertest.Expected(t, learnertest.Vars("X", 2, "Y", 2), m, func(x []int) float64 {
				return 0.25 + []float64{0.5, -0.5}[x[0]^x[1]]*c.p
			})
			sc := scorer(t, s, "bic", 0)
			if edge := sc.Family(1, 0) > sc.Family(1); edge != (m == c.m) {
				t.Errorf("p %v, %v rows: an edge is %v; want one from %v rows on", c.p, m, edge, c.m)
			}
		}
	}
}

// TestClasses checks theorem 18.2 and equivalence on all 543 structures of four variables, in 185
// classes. Members of a class have the same score, and with the expected counts of a million rows
// of a network, its class has the highest.
func TestClasses(t *testing.T) {
	truth := [][]int{{}, {0}, {0}, {1, 2}}
	s := learnertest.Expected(t, learnertest.Vars("A", 2, "B", 2, "C", 2, "D", 2), 1e6, func(x []int) float64 {
		p := 0.6
		if x[0] == 1 {
			p = 0.4
		}
		for _, f := range []struct {
			q float64
			x int
		}{{[]float64{0.2, 0.7}[x[0]], x[1]}, {[]float64{0.3, 0.9}[x[0]], x[2]}, {[]float64{0.1, 0.3, 0.4, 0.9}[2*x[1]+x[2]], x[3]}} {
			p *= []float64{1 - f.q, f.q}[f.x]
		}
		return p
	})
	for _, k := range []string{"loglik", "bic", "bdeu"} {
		sc := scorer(t, s, k, 1)
		classes, best, top := map[string]float64{}, "", math.Inf(-1)
		for _, g := range learnertest.DAGs(4) {
			class, total := learnertest.Class(g), sc.Network(g)
			if other, ok := classes[class]; ok && math.Abs(other-total) > 1e-6 {
				t.Fatalf("%s: %v and %v in class %s", k, other, total, class)
			}
			classes[class] = total
			if total > top+1e-6 {
				best, top = class, total
			}
		}
		if len(classes) != 185 {
			t.Fatalf("%d classes; want 185", len(classes))
		}
		if k != "loglik" && best != learnertest.Class(truth) {
			t.Errorf("%s: the best class is %s; want %s", k, best, learnertest.Class(truth))
		}
	}
}

// TestRefused checks the errors of data that cannot be scored.
func TestRefused(t *testing.T) {
	vars := learnertest.Vars("X", 2)
	for _, c := range []struct {
		kind, want string
		set        *data.Set
	}{
		{"bic", "the data has no rows; want at least one", learnertest.New(t, vars, nil, nil)},
		{"loocv", "score loocv leaves out whole rows, and row 0 has the weight 0.5; want another score", learnertest.New(t, vars, [][]int{{1}}, []float64{0.5})},
	} {
		if _, err := score.New(c.kind, data.NewCounter(c.set, 0), score.Options{}); err == nil || err.Error() != c.want {
			t.Errorf("got %v; want %s", err, c.want)
		}
	}
}
