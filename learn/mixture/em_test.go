package mixture

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/spn"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// xor returns rows in which two variables determine a third. No tree represents them, and a mixture
// of two does exactly.
func xor(t *testing.T) *data.Set {
	return learnertest.Expected(t, learnertest.Vars("a", 2, "b", 2, "c", 2), 400, func(x []int) float64 {
		if x[2] == x[0]^x[1] {
			return 0.225
		}
		return 0.025
	})
}

func fit(t *testing.T, e *em, k, rounds int) *mixture {
	t.Helper()
	m, err := e.fit(t.Context(), k, rounds, nil, func(climb, float64) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// No round lowers the objective: the log-likelihood of the rows, and of the pseudo-counts of each
// tree, which are rows spread evenly over all states. From some start, two trees come near the
// entropy of the distribution, by hand 4 x 0.225 ln 0.225 + 4 x 0.025 ln 0.025 a row.
func TestEM(t *testing.T) {
	s := xor(t)
	all := learnertest.Expected(t, s.Vars, 1, func([]int) float64 { return 1 })
	best, entropy := math.Inf(-1), 4*0.225*math.Log(0.225)+4*0.025*math.Log(0.025)
	for seed := range uint64(8) {
		e, err := newEM(&learner.Job{Train: s, Cores: 1, Seed: seed}, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		last := math.Inf(-1)
		e.trace = func(m *mixture, loglik float64) {
			now := 400 * loglik
			logs := make([]float64, all.Len())
			for c, tree := range m.Trees {
				now += 0.5 * math.Log(m.Weights[c])
				tree.Rows(all, nil, logs)
				for _, x := range logs {
					now += 0.5 / 8 * x
				}
			}
			if now < last-1e-9 {
				t.Fatalf("seed %d: from %v to %v", seed, last, now)
			}
			last = now
		}
		m := fit(t, e, 2, 500)
		best = max(best, m.score)
	}
	if best < entropy-0.01 || best > entropy {
		t.Errorf("mean log-likelihood %v; want that of the distribution, %v, with the loss of the prior", best, entropy)
	}
}

// A mixture of one tree is the Chow-Liu tree: on NLTCS, -6.7591 a row of the test data (Libra
// 1.1.2, prior 1, computed independently).
func TestOneTree(t *testing.T) {
	job := &learner.Job{Train: learnertest.DEBD(t, "nltcs", "train"), Valid: learnertest.DEBD(t, "nltcs", "test"), Cores: 1}
	r := learnertest.Learn(t, Learner, job, "-components", "1", "-pseudo", "1")
	if want := "-6.759067 a row of the validation data"; r.Report.Remarks[1] != want {
		t.Errorf("got %s; want %s", r.Report.Remarks[1], want)
	}
}

// mtlearn of the Libra toolkit reaches on its own case, with five trees from a random start,
// -6.04024 on average on the data, and -6.058087 on the test data by the log of its spquery. The
// test allows half a percent.
func TestLibra(t *testing.T) {
	s := learnertest.Load(t, "libra", "test", "mtlearn", "train1.data.gz")
	e, err := newEM(&learner.Job{Train: s, Cores: 2, Seed: 1}, 1e-4)
	if err != nil {
		t.Fatal(err)
	}
	n := fit(t, e, 5, 100).network(s.Vars)
	for _, c := range []struct {
		set  *data.Set
		want float64
	}{{s, -6.04024}, {learnertest.Load(t, "libra", "test", "mtlearn", "test1.data.gz"), -6.058087}} {
		if got := spn.NewEngine(n, c.set, 2, 0).LogLik(); got < 1.005*c.want {
			t.Errorf("%v a row; want %v within 0.5 %%", got, c.want)
		}
	}
}
