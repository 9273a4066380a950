package structem

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/hillclimb"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// noisyCopies returns rows of a chain in which each of n variables is a copy of the one before
// except in one case of ten.
func noisyCopies(rng *rand.Rand, rows, n int) [][]int {
	out := make([][]int, rows)
	for i := range out {
		x := rng.IntN(2)
		for range n {
			out[i] = append(out[i], x)
			if rng.Float64() < .1 {
				x = 1 - x
			}
		}
	}
	return out
}

// Structural EM finds a chain of three with one cell in five hidden, and with none. Complete rows
// need no completion, so that the structure is that of hill climbing.
func TestChain(t *testing.T) {
	vars := learnertest.Vars("a", 2, "b", 2, "c", 2, "d", 2)
	rng := rand.New(rand.NewPCG(1, 1))
	rows := noisyCopies(rng, 1500, 3)
	for i := range rows {
		rows[i] = append(rows[i], rng.IntN(2)) // d is independent of them
	}
	whole := learnertest.New(t, vars, rows, nil)
	want := learnertest.Parents(learnertest.Learn(t, hillclimb.Learner, &learner.Job{Train: whole, Cores: 1}))
	if got := learnertest.Parents(learnertest.Learn(t, Learner, &learner.Job{Train: whole, Cores: 1})); got != want {
		t.Errorf("complete rows give %s; want %s as by hill climbing", got, want)
	}
	for i := range rows {
		for v := range rows[i] {
			if rng.Float64() < .2 {
				rows[i][v] = data.Missing
			}
		}
	}
	r := learnertest.Learn(t, Learner, &learner.Job{Train: learnertest.New(t, vars, rows, nil), Cores: 2})
	switch got := learnertest.Parents(r); got {
	case "a| b|a c|b d|", "a|b b| c|b d|", "a|b b|c c| d|": // the class of the chain
	default:
		t.Errorf("with gaps got %s; want a chain of a, b and c", got)
	}
}

// Four noisy copies of a hidden variable: from the structure of the mixture, with parameters that
// are symmetric in its states, the random starts of EM break the symmetry, and the search finds no
// other edge with a gain.
func TestHidden(t *testing.T) {
	vars := learnertest.Vars("a", 2, "b", 2, "c", 2, "d", 2)
	rng := rand.New(rand.NewPCG(2, 1))
	var rows [][]int
	for range 2000 {
		h := rng.IntN(2)
		var row []int
		for range vars {
			x := h
			if rng.Float64() < .15 {
				x = 1 - h
			}
			row = append(row, x)
		}
		rows = append(rows, row)
	}
	m := &model.Model{}
	for _, v := range vars {
		m.NewVar(v.Name, v.States...)
	}
	h := m.NewVar("h", "0", "1")
	h.Latent = true
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{h.ID}, Dist: &model.Table{Values: []float64{.5, .5}}})
	for i := range vars {
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{h.ID, model.VarID(i)}, Child: 1, Dist: &model.Table{Values: []float64{.5, .5, .5, .5}}})
	}
	r := learnertest.Learn(t, Learner, &learner.Job{Init: m, Train: learnertest.New(t, vars, rows, nil), Cores: 1})
	if !r.Models[0].Vars[4].Latent {
		t.Error("the hidden variable is no longer latent")
	}
	edges := 0
	for _, f := range r.Report.Families {
		edges += len(f.Parents)
		for _, p := range f.Parents {
			if f.Variable != "h" && p != "h" {
				t.Errorf("%s depends on %s; want it to depend on h alone", f.Variable, p)
			}
		}
	}
	if edges != 4 {
		t.Errorf("%d edges; want 4", edges)
	}
}

// The listed completions of a row: all of them with their probabilities, or a number of them at
// equal distances along the cumulative probabilities, so that no frequency is off by more than one.
func TestListed(t *testing.T) {
	m := irtest.Asia()
	r := &round{job: &learner.Job{Cores: 1, Seed: 3}}
	r.take(m)
	row := make([]int, len(m.Vars))
	for v := range row {
		row[v] = data.Missing
	}
	lung, _ := m.VarByName("lung")
	smoke, _ := m.VarByName("smoke")
	bronc, _ := m.VarByName("bronc")
	for v := range row {
		if model.VarID(v) != lung.ID && model.VarID(v) != smoke.ID && model.VarID(v) != bronc.ID {
			row[v] = 1
		}
	}
	vars := r.vars
	r.job.Train = learnertest.New(t, vars, [][]int{row}, []float64{2})
	all, err := r.complete(context.Background(), m, 8)
	if err != nil {
		t.Fatal(err)
	}
	want := map[[3]int]float64{}
	sum := 0.0
	state := append([]int(nil), row...)
	for k := range 8 {
		state[lung.ID], state[smoke.ID], state[bronc.ID] = k>>2, k>>1&1, k&1
		p := 1.0
		for _, f := range m.Factors {
			p *= m.Value(f, state)
		}
		want[[3]int{k >> 2, k >> 1 & 1, k & 1}] = p
		sum += p
	}
	check := func(s *data.Set, tol float64) {
		t.Helper()
		weight := 0.0
		for i := range s.Len() {
			s.Row(i, state)
			p := want[[3]int{state[lung.ID], state[smoke.ID], state[bronc.ID]}] / sum
			if math.Abs(s.Weight(i)/2-p) > tol {
				t.Errorf("completion %v has %v of the row; want %v", state, s.Weight(i)/2, p)
			}
			weight += s.Weight(i)
		}
		irtest.CloseTo(t, weight, 2, 1e-12)
	}
	check(all, 1e-12)
	some, err := r.complete(context.Background(), m, 5)
	if err != nil {
		t.Fatal(err)
	}
	check(some, 1./5)
}

// The completions of a row with 2^14 of them are sampled: with the same counts on any number of
// cores, and the marginals of the network.
func TestDrawn(t *testing.T) {
	const n = 14
	m := &model.Model{}
	var list []any
	for v := range n {
		id := m.NewVar(string(rune('a'+v)), "0", "1").ID
		list = append(list, m.Vars[v].Name, 2)
		f := &model.Factor{Scope: []model.VarID{id}, Dist: &model.Table{Values: []float64{.3, .7}}}
		if v > 0 {
			f = &model.Factor{Scope: []model.VarID{id - 1, id}, Child: 1, Dist: &model.Table{Values: []float64{.9, .1, .1, .9}}}
		}
		m.Factors = append(m.Factors, f)
	}
	vars := learnertest.Vars(list...)
	row := make([]int, n)
	for v := range row {
		row[v] = data.Missing
	}
	r := &round{job: &learner.Job{Train: learnertest.New(t, vars, [][]int{row}, nil), Cores: 1, Seed: 4}}
	r.take(m)
	first, err := r.complete(context.Background(), m, 4000)
	if err != nil {
		t.Fatal(err)
	}
	r.job.Cores = 2
	if again, err := r.complete(context.Background(), m, 4000); err != nil || !reflect.DeepEqual(again, first) {
		t.Errorf("on two cores the completions are others (%v)", err)
	}
	est, err := mle.New(m, mle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	column, err := mle.Columns(m, vars)
	if err != nil {
		t.Fatal(err)
	}
	counts, _, err := est.Count(first, column)
	if err != nil {
		t.Fatal(err)
	}
	fit := est.Fit(counts, m)
	for i, f := range m.Factors { // four standard deviations of a frequency in at least 1,000 rows
		irtest.Close(t, fit.Factors[i].Dist.(*model.Table).Values, f.Dist.(*model.Table).Values, .04)
	}
}

// Structural EM finds a mixed network of which one cell in ten is missing: x depends on the class
// k, and y on x.
func TestReal(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	vars := []data.Var{{Name: "x", Real: true}, {Name: "y", Real: true}, {Name: "z", Real: true}, {Name: "k", States: []string{"0", "1"}}}
	var rows [][]float64
	for range 400 {
		k := float64(rng.IntN(2))
		x := 4*k + rng.NormFloat64()
		row := []float64{x, 3 - 2*x + rng.NormFloat64(), rng.NormFloat64(), k}
		for v := range row {
			if rng.IntN(10) == 0 {
				row[v] = math.NaN()
			}
		}
		rows = append(rows, row)
	}
	s, err := data.NewReal(vars, rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	first := learnertest.Learn(t, Learner, &learner.Job{Train: s, Cores: 1, Seed: 1}, "--rounds", "4", "--draws", "5")
	switch got := learnertest.Parents(first); got {
	case "x|k y|x z| k|", "x|yk y|k z| k|", "x|ky y|k z| k|":
	default:
		t.Errorf("got %s; want k -> x, x - y", got)
	}
	if again := learnertest.Learn(t, Learner, &learner.Job{Train: s, Cores: 2, Seed: 1}, "--rounds", "4", "--draws", "5"); !reflect.DeepEqual(again, first) {
		t.Error("on 2 cores another result")
	}
}
