package average_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/pgmc-go/pgmc/learn/average"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/score"
)

// coins returns the two coins of Koller and Friedman, example 18.1.
func coins(t *testing.T) *data.Set {
	n := [4]float64{27, 22, 25, 26}
	return learnertest.Expected(t, learnertest.Vars("X", 2, "Y", 2), 1, func(x []int) float64 { return n[2*x[0]+x[1]] })
}

// causes returns the expected counts of 100 rows of two causes of C.
func causes(t *testing.T) *data.Set {
	return learnertest.Expected(t, learnertest.Vars("A", 2, "B", 2, "C", 2), 100, func(x []int) float64 {
		p := []float64{0.1, 0.35, 0.65, 0.95}[2*x[0]+x[1]]
		return 0.25 * []float64{1 - p, p}[x[2]]
	})
}

// table returns the probabilities in a report, by the names of the ends.
func table(r *learner.Result) map[string]float64 {
	out := map[string]float64{}
	for _, p := range r.Report.Posteriors {
		out[p.From+p.To] = p.Probability
	}
	return out
}

func check(t *testing.T, what string, got, want map[string]float64, tol float64) {
	t.Helper()
	for edge, p := range want {
		if math.Abs(got[edge]-p) > tol {
			t.Errorf("%s: the edge %s has %.9f; want %.9f", what, edge, got[edge], p)
		}
	}
}

// Given an order, the probabilities equal those computed independently by enumeration.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		name string
		set  *data.Set
		args []string
		want map[string]float64
		tol  float64
		logP string
	}{
		{"coins", coins(t), []string{"-ess", "4"}, map[string]float64{"XY": 0.165341442, "YX": 0}, 1e-9, "-141.7287"},
		{"coins, 1", coins(t), []string{"-ess", "1"}, map[string]float64{"XY": 0.064809542}, 1e-9, "-143.5242"},
		{"causes", causes(t), []string{"-order", "A,B,C"}, map[string]float64{"AB": 0.054293, "AC": 1, "BC": 0.697808, "CB": 0}, 1e-6, "-199.3047"},
		{"backwards", causes(t), []string{"-order", "C,B,A"}, map[string]float64{"CB": 0.733998, "CA": 1, "BA": 0.045841}, 1e-6, "-199.1860"},
	} {
		r := learnertest.Learn(t, average.Learner, &learner.Job{Train: c.set, Cores: 1}, append(c.args, "-over", "order")...)
		check(t, c.name, table(r), c.want, c.tol)
		if want := "sum over the structures of the order: bdeu " + c.logP; r.Report.Remarks[0] != want {
			t.Errorf("%s: got %q; want %q", c.name, r.Report.Remarks[0], want)
		}
	}
}

// The chain over structures approximates the probabilities by enumeration of the 3 and the 25
// structures, which were computed independently. Chains of this length with eight other seeds
// differed by at most 0.0064.
func TestStructures(t *testing.T) {
	args := []string{"-over", "structures", "-samples", "10000", "-every", "10", "-burn-in", "1000"}
	r := learnertest.Learn(t, average.Learner, &learner.Job{Train: coins(t), Cores: 2, Seed: 1}, append(args, "-ess", "4")...)
	check(t, "coins", table(r), map[string]float64{"XY": 0.141882401, "YX": 0.141882401}, 0.01)
	r = learnertest.Learn(t, average.Learner, &learner.Job{Train: coins(t), Cores: 2, Seed: 1}, append(args, "-ess", "1")...)
	check(t, "coins, 1", table(r), map[string]float64{"XY": 0.060864915, "YX": 0.060864915}, 0.01)
	r = learnertest.Learn(t, average.Learner, &learner.Job{Train: causes(t), Cores: 2, Seed: 1}, args...)
	check(t, "causes", table(r), map[string]float64{"AB": 0.037678, "AC": 0.483796, "BA": 0.036989, "BC": 0.401842, "CA": 0.516204, "CB": 0.434938}, 0.01)
}

// posterior returns the probabilities of the edges by enumeration: of all structures with equal
// prior, or with a prior proportional to the number of orders that they agree with.
func posterior(t *testing.T, s *data.Set, most int) (uniform, byOrders map[string]float64) {
	sc, err := score.New("bdeu", data.NewCounter(s, 0), score.Options{Size: 4})
	if err != nil {
		t.Fatal(err)
	}
	n := len(s.Vars)
	var orders func(gone int, parents [][]int) float64
	orders = func(gone int, parents [][]int) float64 {
		if gone == 1<<n-1 {
			return 1
		}
		count := 0.0
		for x := range n {
			if gone>>x&1 == 0 && !slices.ContainsFunc(parents[x], func(u int) bool { return gone>>u&1 == 0 }) {
				count += orders(gone|1<<x, parents)
			}
		}
		return count
	}
	uniform, byOrders = map[string]float64{}, map[string]float64{}
	sum, sumOrders := 0.0, 0.0
	base := sc.Network(make([][]int, n))
	for _, g := range learnertest.DAGs(n) {
		if slices.ContainsFunc(g, func(p []int) bool { return len(p) > most }) {
			continue
		}
		w := math.Exp(sc.Network(g) - base)
		k := orders(0, g)
		sum, sumOrders = sum+w, sumOrders+w*k
		for x, p := range g {
			for _, u := range p {
				uniform[s.Vars[u].Name+s.Vars[x].Name] += w
				byOrders[s.Vars[u].Name+s.Vars[x].Name] += w * k
			}
		}
	}
	for edge := range uniform {
		uniform[edge] /= sum
		byOrders[edge] /= sumOrders
	}
	return uniform, byOrders
}

// On rows of four variables, each chain approximates its own average by enumeration, and the
// averages differ. With at most one parent, structures have different numbers of moves, so that a
// chain that ignored these numbers would be wrong.
func TestFour(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 4))
	var rows [][]int
	for range 20 {
		a, b := rng.IntN(2), rng.IntN(2)
		rows = append(rows, []int{a, b, a ^ b&rng.IntN(2), (a + rng.IntN(3)) % 2})
	}
	s := learnertest.New(t, learnertest.Vars("a", 2, "b", 2, "c", 2, "d", 2), rows, nil)
	for _, most := range []int{1, 2} {
		uniform, byOrders := posterior(t, s, most)
		apart := 0.0
		for edge, p := range uniform {
			apart = max(apart, math.Abs(p-byOrders[edge]))
		}
		if apart < 0.05 {
			t.Errorf("the two averages differ by %v at most: the test shows nothing", apart)
		}
		args := []string{"-max-parents", strconv.Itoa(most), "-samples", "10000", "-every", "10", "-burn-in", "1000", "-ess", "4", "-over"}
		job := &learner.Job{Train: s, Cores: 2, Seed: 3}
		check(t, "structures", table(learnertest.Learn(t, average.Learner, job, append(args, "structures")...)), uniform, 0.012)
		check(t, "orders", table(learnertest.Learn(t, average.Learner, job, append(args, "orders")...)), byOrders, 0.01)
	}
}

// Both orders of two variables with equal columns are equally probable: a chain must see both,
// although it draws samples after an even number of swaps.
func TestEqualOrders(t *testing.T) {
	s := learnertest.New(t, learnertest.Vars("a", 2, "b", 2), [][]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, nil)
	of := table(learnertest.Learn(t, average.Learner, &learner.Job{Train: s, Cores: 1, Seed: 1}, "-over", "orders", "-chains", "1"))
	if x, y := of["ab"], of["ba"]; x == 0 || math.Abs(x-y) > 0.02 {
		t.Errorf("the edges have probabilities %v and %v; want the same", x, y)
	}
}

// A chain over structures begins with the given network: after one rejected step, its edges are
// those of the network.
func TestStart(t *testing.T) {
	s := causes(t)
	init := learnertest.Learn(t, average.Learner, &learner.Job{Train: s, Cores: 1}, "-over", "order", "-order", "C,B,A")
	short := []string{"-chains", "1", "-burn-in", "0", "-samples", "1", "-every", "1", "-over"}
	r := learnertest.Learn(t, average.Learner, &learner.Job{Train: s, Cores: 1, Init: init.Models[0]}, append(short, "structures")...)
	if got, want := learnertest.Parents(r), learnertest.Parents(init); got != want {
		t.Errorf("got %s; want %s", got, want)
	}
	in := learnertest.Make(t, average.Learner, "-over", "structures", "-max-parents", "0")
	if _, err := in.Learn(context.Background(), &learner.Job{Train: s, Cores: 1, Init: init.Models[0]}); err == nil || err.Error() != `the chains would begin with 1 parents of "A"; want at most 0, and a table of at most 16777216 numbers` {
		t.Errorf("got %v", err)
	}
}

// The result does not depend on the number of cores, and invalid options are refused.
func TestContract(t *testing.T) {
	for _, over := range []string{"order", "orders", "structures"} {
		learnertest.Run(t, average.Learner, "-over", over, "-samples", "20", "-burn-in", "50", "-every", "3")
		if over != "order" {
			learnertest.Order(t, average.Learner, "-over", over, "-samples", "20", "-burn-in", "50", "-every", "3")
		}
		if over == "structures" {
			learnertest.Rules(t, average.Learner, "-over", over, "-samples", "20", "-burn-in", "50", "-every", "3")
		}
	}
	s := coins(t)
	for _, c := range []struct {
		want string
		args []string
	}{
		{`average over "all"; want order, orders or structures`, []string{"-over", "all"}},
		{"an order is given, and the average is over orders; want over order", []string{"-order", "X,Y"}},
		{"0 chains, burn-in 10000, 1000 samples, every 20; want numbers from 1, and burn-in from 0", []string{"-chains", "0"}},
		{"score aic says nothing of how probable structures are; want bdeu, k2 or bic, or bge for real variables", []string{"-score", "aic"}},
	} {
		learnertest.Error(t, average.Learner, s, c.want, c.args...)
	}
}
