package score_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/score"
)

// near compares a number with one that was printed with few digits.
func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s: got %.12g; want %.12g", what, got, want)
	}
}

func scorer(t *testing.T, s *data.Set, name string, size float64) *score.Scorer {
	t.Helper()
	sc, err := score.New(name, data.NewCounter(s, 0), score.Options{Size: size})
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// TestThreeRows scores two networks on three rows of four variables, A=0,0,1 B=0,1,0 C=1,1,0
// D=X,Y,Z. The values are from the tests of pgmpy, which say that R's bnlearn agrees.
func TestThreeRows(t *testing.T) {
	binary := []string{"0", "1"}
	s, err := data.New([]data.Var{{Name: "A", States: binary}, {Name: "B", States: binary}, {Name: "C", States: binary}, {Name: "D", States: []string{"X", "Y", "Z"}}},
		[][]int{{0, 0, 1, 0}, {0, 1, 1, 1}, {1, 0, 0, 2}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	one, two := [][]int{{}, {3}, {0, 1}, {}}, [][]int{{2}, {2}, {}, {0}}
	for _, c := range []struct {
		name     string
		size     float64
		one, two float64
	}{
		{"bdeu", 10, -9.907103407446435, -9.839964104608821},
		{"bic", 0, -10.698440814229318, -9.625886526130714},
		{"k2", 0, -10.73813429536977, -10.345091707260167},
		{"aic", 0, -15.205379370888767, -13.68213122712422},
	} {
		sc := scorer(t, s, c.name, c.size)
		near(t, c.name+" of A→C, B→C, D→B", sc.Network(one), c.one, 1e-12)
		near(t, c.name+" of C→A, C→B, A→D", sc.Network(two), c.two, 1e-12)
	}
}

// TestAlarm scores the alarm network without edges on the 1,000 rows that come with Libra.
func TestAlarm(t *testing.T) {
	s, err := rowfile.Load(filepath.Join(irtest.Shared(t), "data", "libra", "test", "acbn", "alarm.data.gz"), rowfile.Libra, rowfile.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	empty := make([][]int, len(s.Vars))
	for _, c := range []struct {
		name string
		size float64
		want float64
	}{
		{"loglik", 0, -20815.3270}, {"bic", 0, -21050.1907}, {"aic", 0, -20883.3270}, {"k2", 0, -21054.0303}, {"bdeu", 1, -21060.0614}, {"bdeu", 10, -21179.1373},
	} {
		near(t, c.name, scorer(t, s, c.name, c.size).Network(empty), c.want, 5e-5)
	}
}

// TestCoin checks example 17.7 of Koller and Friedman: five tosses H, T, T, H, H have the marginal
// likelihood 1/60 under a uniform prior.
func TestCoin(t *testing.T) {
	s, err := data.New([]data.Var{{Name: "coin", States: []string{"heads", "tails"}}}, [][]int{{0}, {1}, {1}, {0}, {0}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "k2", math.Exp(scorer(t, s, "k2", 0).Family(0)), 1.0/60, 1e-15)
	near(t, "bdeu of 2", math.Exp(scorer(t, s, "bdeu", 2).Family(0)), 1.0/60, 1e-15)
	near(t, "loglik", scorer(t, s, "loglik", 0).Family(0), -3.36505833505, 1e-11)
	near(t, "loocv", scorer(t, s, "loocv", 2).Family(0), 3*math.Log(3.0/6)+2*math.Log(2.0/6), 1e-14)
}

// TestPriorNetwork checks that bde with a uniform prior network equals bdeu.
func TestPriorNetwork(t *testing.T) {
	binary := []string{"0", "1"}
	s, err := data.New([]data.Var{{Name: "a", States: binary}, {Name: "b", States: binary}}, [][]int{{0, 0}, {0, 1}, {1, 1}, {1, 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	uniform := func(vars []int) []float64 {
		out := make([]float64, 1<<len(vars))
		for i := range out {
			out[i] = 1 / float64(len(out))
		}
		return out
	}
	bde, err := score.New("bde", data.NewCounter(s, 0), score.Options{Size: 3, Prior: uniform})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "bde", bde.Family(1, 0), scorer(t, s, "bdeu", 3).Family(1, 0), 1e-14)
	if _, err := score.New("bde", data.NewCounter(s, 0), score.Options{}); err == nil {
		t.Error("bde without a prior network is accepted")
	}
	if _, err := score.New("nothing", data.NewCounter(s, 0), score.Options{}); err == nil || err.Error() != `unknown score "nothing"; want one of loglik, aic, bic, k2, bdeu, bde, loocv, loglik-g, aic-g, bic-g, bge, loglik-cg, aic-cg, bic-cg` {
		t.Errorf("got %v", err)
	}
}

// TestEquivalence checks that equivalent scores are the same for A→B and B→A, also with a third
// variable, and that k2 differs.
func TestEquivalence(t *testing.T) {
	s, err := data.New([]data.Var{{Name: "a", States: []string{"0", "1"}}, {Name: "b", States: []string{"0", "1", "2"}}, {Name: "c", States: []string{"0", "1"}}},
		[][]int{{0, 0, 1}, {0, 1, 1}, {1, 1, 0}, {1, 2, 1}, {0, 2, 0}, {1, 1, 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range score.Kinds {
		if k.Name == "bde" || strings.HasSuffix(k.Name, "-g") || k.Name == "bge" {
			continue
		}
		sc := scorer(t, s, k.Name, 2)
		one, two := sc.Network([][]int{{}, {0}, {0, 1}}), sc.Network([][]int{{1, 2}, {}, {1}})
		if same := math.Abs(one-two) < 1e-12; same != k.Equivalent {
			t.Errorf("%s: %v and %v", k.Name, one, two)
		}
	}
}
