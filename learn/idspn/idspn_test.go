package idspn

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// twoKinds returns rows of two kinds, mostly 0 and mostly 1 in the first six of ten variables; the
// other four form pairs that are equal in nine rows of ten.
func twoKinds(t *testing.T, seed uint64, n int) *data.Set {
	rng := rand.New(rand.NewPCG(seed, 1))
	var vars []any
	for v := range 10 {
		vars = append(vars, string(rune('a'+v)), 2)
	}
	flip := func(x, tenth int) int {
		if rng.IntN(10) < tenth {
			return 1 - x
		}
		return x
	}
	var rows [][]int
	for range n {
		row, kind := make([]int, 10), rng.IntN(2)
		for v := range 6 {
			row[v] = flip(kind, 1)
		}
		for v := 6; v < 10; v += 2 {
			row[v] = rng.IntN(2)
			row[v+1] = flip(row[v], 1)
		}
		rows = append(rows, row)
	}
	return learnertest.New(t, learnertest.Vars(vars...), rows, nil)
}

// The network finds the groups and the kinds. Its probabilities sum to 1 and are those of the
// search, and the mean log-likelihood of new rows is within 5 % of the entropy of the distribution.
func TestTwoKinds(t *testing.T) {
	job := &learner.Job{Train: twoKinds(t, 1, 2000), Valid: twoKinds(t, 2, 500), Cores: 2}
	r := learnertest.Learn(t, Learner, job, "-mutual", "0.02", "-max-edges", "2000")
	joint, err := brute.New(r.Models[0])
	if err != nil {
		t.Fatal(err)
	}
	irtest.CloseTo(t, joint.LogProb(brute.Evidence{}), 0, 1e-9)
	s, err := rate.NewRows(r.Models[0])
	if err != nil {
		t.Fatal(err)
	}
	test := twoKinds(t, 3, 2000)
	var mean rate.Mean
	row := make([]int, 10)
	for i := range test.Len() {
		test.Row(i, row)
		mean.Add(s.Log(row), 1)
	}
	if want := -entropy(); mean.Value < 1.05*want {
		t.Errorf("mean log-likelihood %v of new rows; the distribution has %v", mean.Value, want)
	}
}

// entropy returns the entropy of the distribution of twoKinds.
func entropy() float64 {
	kinds, choose := 0.0, []float64{1, 6, 15, 20, 15, 6, 1}
	for ones, n := range choose {
		p := (math.Pow(.1, float64(ones))*math.Pow(.9, float64(6-ones)) + math.Pow(.9, float64(ones))*math.Pow(.1, float64(6-ones))) / 2
		kinds -= n * p * math.Log(p)
	}
	return kinds + 2*(math.Ln2-.1*math.Log(.1)-.9*math.Log(.9))
}

// The circuit gives rows the probabilities of the parts of the search, and EM of the weights never
// lowers the score that selects.
func TestParts(t *testing.T) {
	s, err := newSearch(&Options{Extensions: 6, Mutual: 0.02, ClusterPenalty: 0.2, Clusters: 3, MinRows: 50, MinVars: 2, SplitPenalty: 1, MaxEdges: 300, Rounds: 20},
		&learner.Job{Train: twoKinds(t, 4, 600), Cores: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.kept == 0 || len(s.root.sums()) == 0 {
		t.Fatalf("%d extensions kept of %d; want a sum", s.kept, s.steps)
	}
	before := s.value
	s.fit()
	if s.value < before {
		t.Errorf("EM went from %v to %v", before, s.value)
	}
	r, err := s.result(false)
	if err != nil {
		t.Fatal(err)
	}
	m := r.Models[0]
	logs, row := s.root.logs(trainLogs), make([]int, 10)
	for i := range s.train.Len() {
		s.train.Row(i, row)
		if got := math.Log(m.Value(m.Factors[0], row)); math.Abs(got-logs[i]) > 1e-9 {
			t.Fatalf("row %d: the circuit has %v, the search %v", i, got, logs[i])
		}
	}
}

// The whole circuit respects the bound on edges; independent variables take 84.
func TestMaxEdges(t *testing.T) {
	job := &learner.Job{Train: twoKinds(t, 4, 600), Cores: 1}
	for _, most := range []int{100, 200, 400} {
		r := learnertest.Learn(t, Learner, job, "-mutual", "0.02", "-min-vars", "2", "-split-penalty", "1", "-max-edges", strconv.Itoa(most))
		if got := r.Models[0].Factors[0].Dist.(*model.Circuit).Edges(); got > most {
			t.Errorf("%d edges; want at most %d", got, most)
		}
	}
	learnertest.Error(t, Learner, job.Train, "the circuit has 84 edges; want at most 5; allow more edges", "-max-edges", "5")
}

// nltcs is within 3 % of the -6.02 of Rooshenas and Lowd 2014, table 1.
func TestNLTCS(t *testing.T) {
	irtest.SkipUnlessLong(t)
	r := learnertest.Learn(t, Learner, &learner.Job{Train: learnertest.DEBD(t, "nltcs", "train"), Valid: learnertest.DEBD(t, "nltcs", "valid"), Cores: 2}, "-max-edges", "50000")
	if got := learnertest.LogLikelihood(t, r.Models[0], learnertest.DEBD(t, "nltcs", "test")); got < 1.03*-6.02 {
		t.Errorf("mean log-likelihood %v; in print is -6.02", got)
	}
}
