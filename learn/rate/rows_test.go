package rate_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// The log-likelihood of a row agrees with enumeration of the joint distribution, for factors of
// every kind.
func TestRandom(t *testing.T) {
	possible := 0
	for seed := range uint64(400) {
		m := irtest.RandomModel(seed, irtest.Options{MaxVars: 7, MaxJoint: 1 << 9})
		r, err := rate.NewRows(m)
		if err != nil {
			t.Fatal(err)
		}
		joint, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(seed, 2))
		for range 5 {
			state := joint.State(rng.IntN(joint.Len()))
			all := brute.Evidence{Hard: map[model.VarID]int{}}
			for v, s := range state {
				all.Hard[model.VarID(v)] = s
			}
			ll := joint.LogProb(all)
			want := 0.0
			for v, s := range state {
				delete(all.Hard, model.VarID(v))
				if rest := joint.LogProb(all); !math.IsInf(ll, -1) {
					want += ll - rest
				}
				all.Hard[model.VarID(v)] = s
			}
			if math.IsInf(ll, -1) {
				want = ll
			} else {
				possible++
			}
			if got := r.Pseudo(state); !same(got, want) {
				t.Errorf("seed %d, state %v: pseudo-log-likelihood %v; want %v", seed, state, got, want)
			}
			if got := r.Log(state) - joint.LogPartition(); !same(got, ll) {
				t.Errorf("seed %d, state %v: log-likelihood %v; want %v", seed, state, got, ll)
			}
		}
	}
	if possible < 500 {
		t.Errorf("only %d states were possible", possible)
	}
}

// same compares two numbers up to the rounding of sums of logarithms in different orders.
func same(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-11*max(1, math.Abs(b)) }

// Two variables with P(A = 1 | B) = 0.9 for B = 1 and 0.2 for B = 0, and P(B = 1 | A) likewise 0.7
// and 0.4, in a dependency network: the pseudo-likelihood of 1, 1 is 0.9 times 0.7, and that of 0,
// 1 is 0.1 times 0.4.
func TestDependency(t *testing.T) {
	m := &model.Model{Kind: model.Dependency}
	m.NewVar("A", "0", "1")
	m.NewVar("B", "0", "1")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{1, 0}, Child: 1, Dist: &model.Table{Values: []float64{0.8, 0.2, 0.1, 0.9}}},
		{Scope: []model.VarID{0, 1}, Child: 1, Dist: &model.Tree{Nodes: []model.TreeNode{{Axis: 0, Next: []int32{1, 2}}, {Leaf: []float64{0.6, 0.4}}, {Leaf: []float64{0.3, 0.7}}}}},
	}
	if list := m.Check(); list.HasErrors() {
		t.Fatal(list.Err())
	}
	r, err := rate.NewRows(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		state []int
		want  float64
	}{{[]int{1, 1}, 0.9 * 0.7}, {[]int{0, 1}, 0.1 * 0.4}} {
		if got := math.Exp(r.Pseudo(c.state)); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v: %v; want %v", c.state, got, c.want)
		}
	}
}

// No row has a state of a latent variable.
func TestLatent(t *testing.T) {
	m := irtest.Sprinkler()
	m.Vars[0].Latent = true
	want := `variable "` + m.Vars[0].Name + `" is in no data, so that no row has all states; its probability takes inference`
	if _, err := rate.NewRows(m); err == nil || err.Error() != want {
		t.Errorf("got %v; want %s", err, want)
	}
}

// The numbers 1, 2 and 4, the last with weight 2, are four rows with mean 11/4 and variance 27/12.
func TestMean(t *testing.T) {
	var m rate.Mean
	m.Add(1, 1)
	if m.StdErr() != 0 {
		t.Errorf("the error of one row is %v; want 0", m.StdErr())
	}
	m.Add(2, 1)
	m.Add(100, 0)
	m.Add(4, 2)
	if m.Value != 2.75 || math.Abs(m.StdErr()-math.Sqrt(27.0/12/4)) > 1e-15 {
		t.Errorf("mean %v, error %v; want 2.75 and %v", m.Value, m.StdErr(), math.Sqrt(27.0/12/4))
	}
}

// A CPD of features that is too large for a table has the values of the model, also in Bayesian
// networks in which its parents change.
func TestRegression(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	m := &model.Model{Kind: model.Bayes}
	var scope []model.VarID
	for v := range 14 {
		id := m.NewVar(string(rune('a'+v)), []string{"0", "1", "2"}[:2+v%2]...).ID
		scope = append(scope, id)
		m.Factors = append(m.Factors, &model.Factor{Scope: scope[v:], Dist: &model.Table{Values: []float64{0.5, 0.25, 0.25}[:m.Card(id)]}})
		if m.Card(id) == 2 {
			m.Factors[v].Dist = &model.Table{Values: []float64{0.3, 0.7}}
		}
	}
	d := &model.Features{}
	for range 60 {
		x := model.Feature{Weight: rng.NormFloat64()}
		for range rng.IntN(4) {
			axis := rng.IntN(len(scope))
			x.Literals = append(x.Literals, model.Literal{Axis: axis, State: int32(rng.IntN(m.Card(scope[axis]))), Not: rng.IntN(2) == 0})
		}
		d.List = append(d.List, x)
	}
	m.Factors[13] = &model.Factor{Scope: scope, Child: 13, Dist: d}
	if list := m.Check(); list.HasErrors() {
		t.Fatal(list.Err())
	}
	r, err := rate.NewRows(m)
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		state := make([]int, len(scope))
		for v := range state {
			state[v] = rng.IntN(m.Card(scope[v]))
		}
		log := func() (sum float64) {
			for _, f := range m.Factors {
				sum += math.Log(m.Value(f, state))
			}
			return sum
		}
		want := log()
		if got := r.Log(state); !same(got, want) {
			t.Errorf("%v: %v; want %v", state, got, want)
		}
		pseudo := 0.0
		for v := range state {
			was, all := state[v], 0.0
			for state[v] = range m.Card(scope[v]) {
				all += math.Exp(log() - want)
			}
			state[v] = was
			pseudo -= math.Log(all)
		}
		if got := r.Pseudo(state); !same(got, pseudo) {
			t.Errorf("%v: pseudo-log-likelihood %v; want %v", state, got, pseudo)
		}
	}
}
