package score_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/score"
)

// parentsOf reads a structure such as "[A][B|A]".
func parentsOf(t *testing.T, vars []data.Var, structure string) [][]int {
	t.Helper()
	out := make([][]int, len(vars))
	find := func(name string) int {
		v, err := data.Find(vars, name)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, part := range strings.FieldsFunc(structure, func(r rune) bool { return r == '[' || r == ']' }) {
		child, list, _ := strings.Cut(part, "|")
		for _, name := range strings.FieldsFunc(list, func(r rune) bool { return r == ':' }) {
			out[find(child)] = append(out[find(child)], find(name))
		}
	}
	return out
}

// TestGaussianShared scores R's gaussian.test under the structure of its manual. The second value
// of a score is that of unbiased variances, as bnlearn prints it; both were computed elsewhere.
func TestGaussianShared(t *testing.T) {
	s := learnertest.Table(t, "bnlearn-gaussian.test.csv.gz", "A", "B", "C", "D", "E", "F", "G")
	g := parentsOf(t, s.Vars, "[A][B][E][G][C|A:B][D|B][F|A:D:E:G]")
	for _, c := range []struct {
		name     string
		unbiased bool
		want     float64
	}{
		{"loglik-g", false, -53131.91515882},
		{"loglik-g", true, -53131.91725992},
		{"bic-g", false, -53221.34568733},
		{"bic-g", true, -53221.34778843},
		{"bic-cg", true, -53221.34778843},
		{"bic", false, -53221.34568733},
		{"aic-g", true, -53152.91725992},
	} {
		sc, err := score.New(c.name, data.NewCounter(s, 0), score.Options{Unbiased: c.unbiased})
		if err != nil {
			t.Fatal(err)
		}
		near(t, c.name, sc.Network(g), c.want, 1e-8)
		params := 0
		for x, p := range g {
			params += sc.Parameters(x, p...)
		}
		if params != 21 {
			t.Errorf("%d parameters; want 21", params)
		}
	}
}

// TestPgmpy scores a hundred rows of the same network as the tests of pgmpy do.
func TestPgmpy(t *testing.T) {
	s := learnertest.Table(t, "pgmpy-gaussian_testdata.csv", "A", "B", "C", "D", "E", "F", "G")
	s = learnertest.Columns(t, s, "A", "B", "C")
	bic, aic := scorer(t, s, "bic-g", 0), scorer(t, s, "aic-g", 0)
	collider, chain := [][]int{{}, {}, {0, 1}}, [][]int{{}, {0}, {1}}
	near(t, "bic-g of A→C←B", bic.Network(collider), -473.5265, 5e-5)
	near(t, "bic-g of A→B→C", bic.Network(chain), -587.8711, 5e-5)
	near(t, "aic-g of A→C←B", aic.Network(collider), -463.1059, 5e-5)
	near(t, "aic-g of A→B→C", aic.Network(chain), -577.4505, 5e-5)
	near(t, "bic-g of A", bic.Family(0), -124.3254, 5e-5)
	near(t, "bic-g of B", bic.Family(1), -261.6093, 5e-5)
}

// gaussians returns random rows of n dependent real variables.
func gaussians(t *testing.T, seed uint64, n, rows int) *data.Set {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 2))
	vars, list := make([]data.Var, n), make([][]float64, rows)
	for v := range vars {
		vars[v] = data.Var{Name: string(rune('A' + v)), Real: true}
	}
	for i := range list {
		sum := 3.0
		for range n {
			x := rng.NormFloat64() + .4*sum
			list[i], sum = append(list[i], x), sum+x
		}
	}
	s, err := data.NewReal(vars, list, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestBGe compares the score of a complete network with the product of predictive densities, which
// are Student's t, each given the rows before it. The prior is that of Kuipers et al.: the mean is
// normal around the mean of the data with the precision of one row, and the precision is Wishart.
func TestBGe(t *testing.T) {
	const n, m = 3, 12
	s := gaussians(t, 4, n, m)
	mean, x := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	row := func(i int) {
		for v := range n {
			x.SetVec(v, s.Real(v)[i])
		}
	}
	for i := range m {
		row(i)
		mean.AddScaledVec(mean, 1./m, x)
	}
	weight, freedom := 1.0, float64(n+2)
	scale := mat.NewSymDense(n, nil)
	for v := range n {
		scale.SetSym(v, v, weight*(freedom-n-1)/(weight+1))
	}
	want := 0.0
	for i := range m {
		row(i)
		nu := freedom - n + 1
		var sigma mat.SymDense
		sigma.ScaleSym((weight+1)/(weight*nu), scale)
		dist, ok := distmv.NewStudentsT(mean.RawVector().Data, &sigma, nu, nil)
		if !ok {
			t.Fatal("the scale is not positive definite")
		}
		want += dist.LogProb(x.RawVector().Data)
		var d mat.VecDense
		d.SubVec(x, mean)
		scale.SymRankOne(scale, weight/(weight+1), &d)
		mean.AddScaledVec(mean, 1/(weight+1), &d)
		weight, freedom = weight+1, freedom+1
	}
	sc := scorer(t, s, "bge", 0)
	near(t, "bge of a complete network", sc.Network([][]int{{}, {0}, {0, 1}}), want, 1e-9)
}

// TestEquivalent checks that equivalent structures have equal scores, in Gaussian data.
func TestEquivalent(t *testing.T) {
	s := gaussians(t, 5, 4, 50)
	for _, kind := range []string{"loglik-g", "aic-g", "bic-g", "bge", "bic"} {
		sc := scorer(t, s, kind, 0)
		near(t, kind+" of chains", sc.Network([][]int{{}, {0}, {1}, {2}}), sc.Network([][]int{{1}, {2}, {3}, {}}), 1e-9)
		near(t, kind+" of complete networks", sc.Network([][]int{{}, {0}, {0, 1}, {0, 1, 2}}), sc.Network([][]int{{1, 2, 3}, {3, 2}, {3}, {}}), 1e-9)
	}
}

// TestMixed checks that the score of a conditional linear Gaussian family is the sum of those of
// the parts of the data by the states of its discrete parent, less one penalty, and that no real
// variable may be the parent of a discrete one.
func TestMixed(t *testing.T) {
	s := learnertest.Table(t, "bnlearn-clgaussian.test.csv.gz", "D", "E", "G", "H")
	a, _ := data.Find(s.Vars, "A")
	d, _ := data.Find(s.Vars, "D")
	h, _ := data.Find(s.Vars, "H")
	sc := scorer(t, s, "loglik-cg", 0)
	want := 0.0
	for state := range s.Vars[a].States {
		var rows []int
		column := s.Column(a)
		for i := range s.Len() {
			if column.At(i) == state {
				rows = append(rows, i)
			}
		}
		want += scorer(t, s.Subset(rows), "loglik-cg", 0).Family(d, h)
	}
	near(t, "loglik-cg", sc.Family(d, h, a), want, 1e-8)
	near(t, "bic-cg", scorer(t, s, "bic-cg", 0).Family(d, a, h), want-math.Log(5000)/2*6, 1e-8)
	if !sc.Fits(d, a, h) || sc.Fits(a, d) || !sc.Fits(a) {
		t.Error("want parents of D, and no real parent of A")
	}
}

func TestRealErrors(t *testing.T) {
	s := gaussians(t, 6, 2, 5)
	for name, want := range map[string]string{
		"bdeu":   `score bdeu takes no real variables, and "A" is one; want one of loglik, aic, bic, loglik-g, aic-g, bic-g, bge, loglik-cg, aic-cg, bic-cg`,
		"bic-cg": "",
	} {
		_, err := score.New(name, data.NewCounter(s, 0), score.Options{})
		if got := errorText(err); got != want {
			t.Errorf("%s: %s; want %s", name, got, want)
		}
	}
	_, err := score.New("bge", data.NewCounter(learnertest.New(t, learnertest.Vars("a", 2), [][]int{{1}}, nil), 0), score.Options{})
	if got := errorText(err); !strings.HasPrefix(got, `score bge takes no discrete variables, and "a" is one; want one of loglik`) {
		t.Error(got)
	}
	if _, err := score.New("bge", data.NewCounter(s, 0), score.Options{PriorFreedom: 3}); err == nil {
		t.Error("3 degrees of freedom for two variables are taken")
	}
	kinds := []string{score.Default("k2", s.Vars), score.Default("k2", nil), score.Default("k2", append(learnertest.Vars("a", 2), s.Vars...))}
	if !slices.Equal(kinds, []string{"bic-g", "k2", "bic-cg"}) {
		t.Errorf("defaults %v", kinds)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
