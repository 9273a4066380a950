package acmn_test

import (
	"math"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/acmn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/eval"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

func load(t *testing.T, path ...string) *data.Set {
	t.Helper()
	s, err := data.Load(filepath.Join(append([]string{irtest.Shared(t), "data"}, path...)...), data.Libra, data.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// rate is the mean log-likelihood of a set by a network that sums to 1.
func rate(t *testing.T, m *model.Model, s *data.Set) float64 {
	t.Helper()
	e, err := eval.New(m)
	if err != nil {
		t.Fatal(err)
	}
	var mean eval.Mean
	row := make([]int, len(s.Vars))
	for i := range s.Len() {
		s.Row(i, row)
		mean.Add(e.Log(row), s.Weight(i))
	}
	return mean.Value
}

// same wants a network and a circuit to be equal at all joint states, and to sum to 1.
func same(t *testing.T, net, circuit *model.Model) {
	t.Helper()
	x, total := make([]int, len(net.Vars)), 0.0
	all := circuit.Factors[0].Scope
	for more := true; more; more = net.Next(all, x) {
		want := 1.0
		for _, f := range net.Factors {
			want *= net.Value(f, x)
		}
		got := circuit.Value(circuit.Factors[0], x)
		if math.Abs(got-want) > 1e-12 {
			t.Fatalf("at %v the circuit is %v, and the network %v", x, got, want)
		}
		total += got
	}
	if math.Abs(total-1) > 1e-12 {
		t.Errorf("the circuit sums to %v; want 1", total)
	}
}

// Libra's acmn makes of its test case 7 splits and -1.778259 nats a row, by its stored circuit divided by its sum. Near the end several
// splits are worth almost the same.
func TestLibra(t *testing.T) {
	s := load(t, "libra", "test", "acbn", "cold.data")
	r := learnertest.Learn(t, acmn.Learner, &learner.Job{Train: s, Cores: 2})
	if got, want := rate(t, r.Models[0], s), -1.778259; math.Abs(got-want) > 5e-4 {
		t.Errorf("%v nats a row; want %v", got, want)
	}
	if got := r.Report.Steps; got < 6 || got > 8 {
		t.Errorf("%d splits; want 6 to 8", got)
	}
	same(t, r.Models[0], r.Models[1])
}

// Network and circuit are equal after each split, on variables of two and three states, and the likelihood does not fall: it comes to that of
// the distribution which the rows are of, of three features beside those of single variables.
func TestEverySplit(t *testing.T) {
	vars := learnertest.Vars("a", 2, "b", 3, "c", 2, "d", 2)
	value := func(x []int) float64 {
		p := 1.0
		if x[0] == x[2] {
			p *= 3
		}
		if x[1] == 2 && x[3] == 1 {
			p *= 4
		}
		if x[0] == 1 && x[1] == 0 && x[3] == 0 {
			p *= 5
		}
		return p
	}
	z, sum := 0.0, 0.0
	for i := range 24 {
		p := value([]int{i & 1, i >> 3, i >> 1 & 1, i >> 2 & 1})
		z, sum = z+p, sum+p*math.Log(p)
	}
	s := learnertest.Expected(t, vars, 2000, func(x []int) float64 { return value(x) / z })
	last := math.Inf(-1)
	for splits := 1; splits <= 4; splits++ {
		r := learnertest.Learn(t, acmn.Learner, &learner.Job{Train: s, Cores: 1}, "-max-splits", strconv.Itoa(splits), "-edge-penalty", "0.001", "-weight-variance", "0")
		same(t, r.Models[0], r.Models[1])
		if r.Report.Steps != splits {
			t.Fatalf("%d splits; want %d", r.Report.Steps, splits)
		}
		if r.Report.Total < last-1e-3 {
			t.Errorf("%d splits: log-likelihood %v, and with one less %v", splits, r.Report.Total, last)
		}
		last = r.Report.Total
	}
	if want := 2000 * (sum/z - math.Log(z)); math.Abs(last-want) > 1e-3 {
		t.Errorf("log-likelihood %v; want %v", last, want)
	}
}

// With L1 and Gaussian priors, nltcs comes to the published -6.01 within the bound of edges.
func TestNLTCS(t *testing.T) {
	train, valid, test := load(t, "debd", "nltcs.train.data.gz"), load(t, "debd", "nltcs.valid.data.gz"), load(t, "debd", "nltcs.test.data.gz")
	r := learnertest.Learn(t, acmn.Learner, &learner.Job{Train: train, Valid: valid, Cores: 2}, "-max-edges", "100000", "-shrink", "-quick", "-split-penalty", "3", "-l1", "1")
	if got := rate(t, r.Models[0], test); got < -6.01 {
		t.Errorf("%v nats a row; want at least -6.01", got)
	}
	if n := r.Models[1].Factors[0].Dist.(*model.Circuit).Edges(); n > 100000 {
		t.Errorf("%d edges; want at most 100000", n)
	}
}
