package rate_test

import (
	"math"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/depnet"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/rate"
	"github.com/pgmc-go/pgmc/learn/treebn"
)

func evidenceOf(states []int) brute.Evidence {
	e := brute.Evidence{Hard: map[model.VarID]int{}}
	for v, s := range states {
		if s != data.Missing {
			e.Hard[model.VarID(v)] = s
		}
	}
	return e
}

// engine returns an engine for rows of a model.
func engine(t *testing.T, m *model.Model, opt compiler.Options) *rate.Engine {
	t.Helper()
	r, err := compiler.Compile(t.Context(), m, opt)
	if err != nil {
		t.Fatal(err)
	}
	return rate.NewEngine(t.Context(), infer.Of(r, 0), nil)
}

// In the network of the sprinkler, P(cloudy) is 0.5, P(sprinkler) is 0.1 if it is cloudy and 0.5
// otherwise, and P(rain) is 0.8 and 0.2. The row is cloudy, without sprinkler and with rain; it is
// scored by itself and given the clouds.
func TestProtocol(t *testing.T) {
	m := irtest.Sprinkler()
	joint, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	in := engine(t, m, compiler.Options{Queries: []string{"logprob", "marginals"}})
	row := []int{0, 0, 0, data.Missing}
	for v, name := range []string{"cloudy", "sprinkler", "rain"} {
		x, ok := m.VarByName(name)
		if !ok || int(x.ID) != v {
			t.Fatalf("variable %d is not %q", v, name)
		}
	}
	post := func(v int, states ...int) float64 {
		return joint.Posterior(model.VarID(v), evidenceOf(append(states, data.Missing)))[0]
	}
	whole, err := in.LogProb(row)
	if err != nil {
		t.Fatal(err)
	}
	const no = data.Missing
	cloudy := []bool{true, false, false, false}
	cmll, err := rate.Marginal(in, row, cloudy)
	if want := (math.Log(post(1, 0, no, no)) + math.Log(post(2, 0, no, no))) / 2; err != nil || math.Abs(cmll-want) > 1e-12 {
		t.Errorf("CMLL %v, %v; want %v", cmll, err, want)
	}
	// Sprinkler and rain are independent given the clouds, so that both sums are equal.
	cll, err := rate.Conditional(in, row, cloudy, whole)
	if err != nil || math.Abs(cll-2*cmll) > 1e-12 {
		t.Errorf("CLL %v, %v; want %v", cll, err, 2*cmll)
	}

	// With no evidence the CLL is the log-likelihood; with all but one variable, it is the CMLL.
	// 0.7 of three states are two.
	p := rate.Protocol{Fractions: []float64{0, 0.7}, Seed: 3}
	var got [][2]float64
	if err := p.Row(in, row, func(_ int, cmll, cll float64) { got = append(got, [2]float64{cmll, cll}) }); err != nil {
		t.Fatal(err)
	}
	want := (math.Log(post(0, no, no, no)) + math.Log(post(1, no, no, no)) + math.Log(post(2, no, no, no))) / 3
	if math.Abs(got[0][0]-want) > 1e-12 || math.Abs(got[0][1]-whole/3) > 1e-12 {
		t.Errorf("without evidence: %v; want %v, %v", got[0], want, whole/3)
	}
	if math.Abs(got[1][0]-got[1][1]) > 1e-12 {
		t.Errorf("of a single variable, CMLL and CLL are %v", got[1])
	}
}

// The evidence of a fraction is part of that of a larger one, the same seed draws the same
// evidence, and rows differ.
func TestNested(t *testing.T) {
	row := make([]int, 8)
	draw := func() (list [][]bool) {
		p := rate.Protocol{Fractions: []float64{0.25, 0.5, 0.9}, Seed: 1}
		for range 5 {
			list = append(list, p.Draw(row)...)
		}
		return list
	}
	drawn := draw()
	if !reflect.DeepEqual(drawn, draw()) {
		t.Error("the same seed draws otherwise")
	}
	different := false
	for i, evidence := range drawn {
		count := 0
		for v, known := range evidence {
			if known {
				count++
			} else if i%3 > 0 && drawn[i-1][v] {
				t.Errorf("row %d: variable %d is evidence at the smaller fraction alone", i/3, v)
			}
		}
		if want := []int{2, 4, 7}[i%3]; count != want {
			t.Errorf("row %d: %d variables are evidence; want %d", i/3, count, want)
		}
		different = different || i%3 == 0 && !reflect.DeepEqual(evidence, drawn[0])
	}
	if !different {
		t.Error("all rows have the same evidence")
	}
}

func TestFractions(t *testing.T) {
	if got, err := rate.Fractions("0, 0.5"); err != nil || !reflect.DeepEqual(got, []float64{0, 0.5}) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, text := range []string{"", "1", "-0.1", "NaN", "0.1;0.2"} {
		if _, err := rate.Fractions(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

// debd reads one of the shared data sets for density estimation.
func debd(t *testing.T, name string) *data.Set {
	s, err := rowfile.Load(filepath.Join(irtest.Shared(t), "data", "debd", name), rowfile.Libra, rowfile.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// masked calls do for the first 1,000 rows of nltcs's test data. Variable i of row t is evidence if
// (16 t + i) 2654435761 mod 2^32 is below a percentage of 2^32. Rows with nothing but evidence are
// skipped.
func masked(t *testing.T, percent uint64, do func(row []int, evidence []bool, asked int)) {
	test, row := debd(t, "nltcs.test.data.gz"), make([]int, 16)
	for i := range 1000 {
		test.Row(i, row)
		evidence, asked := make([]bool, 16), 0
		for v := range row {
			if evidence[v] = uint64(uint32(16*i+v)*2654435761)*100 < percent<<32; !evidence[v] {
				asked++
			}
		}
		if asked > 0 {
			do(row, evidence, asked)
		}
	}
}

// The mean conditional log-likelihoods for each variable, marginal and joint, of the network of
// nltcs at kappa 0.0001 and masked rows, by an independent exact inference.
func TestNLTCS(t *testing.T) {
	m := learnertest.Learn(t, treebn.Learner, &learner.Job{Train: debd(t, "nltcs.train.data.gz"), Cores: 2}, "-score", "gain", "-kappa", "0.0001").Models[0]
	in := engine(t, m, compiler.Options{Queries: []string{"logprob", "marginals"}})
	for _, c := range []struct {
		percent   uint64
		cmll, cll float64
	}{{10, -0.44976, -0.35165}, {50, -0.32701, -0.31627}, {90, -0.28756, -0.28687}} {
		var cmll, cll rate.Mean
		masked(t, c.percent, func(row []int, evidence []bool, asked int) {
			whole, err := in.LogProb(row)
			if err != nil {
				t.Fatal(err)
			}
			a, err := rate.Marginal(in, row, evidence)
			if err != nil {
				t.Fatal(err)
			}
			b, err := rate.Conditional(in, row, evidence, whole)
			if err != nil {
				t.Fatal(err)
			}
			cmll.Add(a, 1)
			cll.Add(b/float64(asked), 1)
		})
		if math.Abs(cmll.Value-c.cmll) > 5e-6 || math.Abs(cll.Value-c.cll) > 5e-6 {
			t.Errorf("%d %%: %.6f and %.6f in %v rows; want %v and %v", c.percent, cmll.Value, cll.Value, cmll.Weight, c.cmll, c.cll)
		}
	}
}

// The same for the dependency network, by mean field as in Libra 1.1.2, which averages
// probabilities. Means of logarithms, as in the paper's algorithm 1, have other fixed points, which
// matter less the more is observed.
func TestNLTCSMeanField(t *testing.T) {
	m := learnertest.Learn(t, depnet.Learner, &learner.Job{Train: debd(t, "nltcs.train.data.gz"), Cores: 2}, "-score", "gain", "-kappa", "0.0001").Models[0]
	for _, c := range []struct {
		mean    string
		percent uint64
		cmll    float64
	}{{"probability", 10, -0.47275}, {"probability", 50, -0.32983}, {"probability", 90, -0.29292}, {"log", 90, -0.29292}} {
		in := engine(t, m, compiler.Options{Method: compiler.Named("meanfield", "schedule=queue", "tolerance=1e-4", "iterations=50", "mean="+c.mean)})
		var cmll rate.Mean
		masked(t, c.percent, func(row []int, evidence []bool, _ int) {
			x, err := rate.Marginal(in, row, evidence)
			if err != nil {
				t.Fatal(err)
			}
			cmll.Add(x, 1)
		})
		if math.Abs(cmll.Value-c.cmll) > 1e-5 {
			t.Errorf("means of %s, %d %%: %.6f; want %v", c.mean, c.percent, cmll.Value, c.cmll)
		}
	}
}
