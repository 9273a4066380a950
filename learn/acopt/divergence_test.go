package acopt_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/acbn"
	"github.com/pgmc-go/pgmc/learn/acopt"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// joint returns a distribution over three variables of two, three and two states, by a network.
var joint = []float64{0.1, 0.02, 0.05, 0.13, 0.01, 0.09, 0.12, 0.08, 0.04, 0.06, 0.2, 0.1}

// network returns a chain b -> a, b -> c with the families of the joint distribution, or that
// distribution as one potential.
func network(chain bool) *model.Model {
	m := &model.Model{Kind: model.Markov}
	m.NewVar("c", "0", "1") // in another order than in the data
	m.NewVar("a", "0", "1")
	m.NewVar("b", "0", "1", "2")
	if !chain {
		f := &model.Factor{Scope: []model.VarID{1, 2, 0}, Child: -1, Dist: &model.Table{Values: joint}}
		m.Factors = []*model.Factor{f}
		return m
	}
	m.Kind = model.Bayes
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{2, 0}, Child: 1, Dist: &model.Table{Values: []float64{0.2, 0.8, 0.5, 0.5, 0.9, 0.1}}},
		{Scope: []model.VarID{2, 1}, Child: 1, Dist: &model.Table{Values: []float64{0.3, 0.7, 0.6, 0.4, 0.25, 0.75}}},
		{Scope: []model.VarID{2}, Child: 0, Dist: &model.Table{Values: []float64{0.5, 0.3, 0.2}}},
	}
	return m
}

// from returns the divergence of a circuit over a, b, c from a network, by enumeration.
func from(q, p *model.Model) (sum float64) {
	x := make([]int, 3)
	for more := true; more; more = q.Next(q.Factors[0].Scope, x) {
		a := q.Value(q.Factors[0], x)
		b := 1.0
		for _, f := range p.Factors {
			b *= p.Value(f, []int{x[2], x[0], x[1]})
		}
		sum += a * math.Log(a/b)
	}
	return sum
}

// A circuit of a chain, learned from other rows, fits a network of that chain with divergence 0.
// For a network without that structure it comes as close as enumeration says, and closer than at
// first. So does a product of marginals.
func TestDivergence(t *testing.T) {
	vars := learnertest.Vars("a", 2, "b", 3, "c", 2)
	rows := learnertest.Expected(t, vars, 100, func(x []int) float64 {
		if x[1] == x[0] {
			return 0.12
		}
		return []float64{0.05, 0.07}[x[2]] * float64(1+x[1]) / 2
	})
	chain := learnertest.Learn(t, acbn.Learner, &learner.Job{Train: rows, Cores: 1}, "-edge-penalty", "0.0001").Models[1]
	none := learnertest.New(t, vars, nil, nil)
	for _, c := range []struct {
		name  string
		init  *model.Model
		chain bool
		most  float64
	}{{"chain to chain", chain, true, 1e-7}, {"chain to any", chain, false, 0.3}, {"product to chain", nil, true, 0.3}, {"product to any", nil, false, 0.5}} {
		p := network(c.chain)
		last := math.Inf(1)
		for _, steps := range []string{"0", "1", "3", "200"} {
			job := &learner.Job{Train: none, Init: c.init, Target: p, Cores: 2}
			r := learnertest.Learn(t, acopt.Learner, job, "-steps", steps, "-tolerance", "1e-14")
			if want := from(r.Models[0], p); math.Abs(r.Report.Total-want) > 1e-12 {
				t.Errorf("%s, %s steps: divergence %v; by enumeration %v", c.name, steps, r.Report.Total, want)
			}
			if r.Report.Total >= last {
				t.Errorf("%s, %s steps: divergence %v, and with fewer %v", c.name, steps, r.Report.Total, last)
			}
			last = r.Report.Total
		}
		if last > c.most {
			t.Errorf("%s: divergence %v; want at most %v", c.name, last, c.most)
		}
	}
}

// The fitted product of two marginals has the least divergence among all products, in steps of a
// thousandth.
func TestProduct(t *testing.T) {
	joint := []float64{0.35, 0.05, 0.2, 0.4}
	m := &model.Model{Kind: model.Markov}
	m.NewVar("a", "0", "1")
	m.NewVar("b", "0", "1")
	m.Factors = []*model.Factor{{Scope: []model.VarID{0, 1}, Child: -1, Dist: &model.Table{Values: joint}}}
	want := math.Inf(1)
	for i := 1; i < 1000; i++ {
		for j := 1; j < 1000; j++ {
			a, b, sum := float64(i)/1000, float64(j)/1000, 0.0
			for k, q := range []float64{a * b, a * (1 - b), (1 - a) * b, (1 - a) * (1 - b)} {
				sum += q * math.Log(q/joint[k])
			}
			want = min(want, sum)
		}
	}
	r := learnertest.Learn(t, acopt.Learner, &learner.Job{Train: learnertest.New(t, data.VarsOf(m), nil, nil), Target: m, Cores: 1}, "-tolerance", "1e-13")
	if got := r.Report.Total; got > want || got < want-1e-5 {
		t.Errorf("divergence %v; want at most %v, and no more than 1e-5 below", got, want)
	}
}

func TestTargets(t *testing.T) {
	none := learnertest.New(t, learnertest.Vars("a", 2, "b", 3, "c", 2), nil, nil)
	hard, other := network(true), network(true)
	hard.Factors[2].Dist = &model.Table{Values: []float64{0.5, 0.5, 0}}
	other.Vars[0].Name = "d"
	for _, c := range []struct {
		target *model.Model
		want   string
	}{
		{hard, "the network makes joint states impossible that the circuit does not; no numbers of the circuit but 0 can change that"},
		{other, `"d" of the network to come close to is no variable of the data with as many states; want the same variables`},
	} {
		_, err := learnertest.Make(t, acopt.Learner).Learn(t.Context(), &learner.Job{Train: none, Target: c.target, Cores: 1})
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v; want %s", err, c.want)
		}
	}
}
