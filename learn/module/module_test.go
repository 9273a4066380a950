package module_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/module"
)

// marginal returns the BDeu score of a module of binary variables, by the predictive probabilities of
// their values one after the other, which needs no gamma function.
func marginal(rows [][]int, members, parents []int) float64 {
	n, all, sum := map[string]float64{}, map[string]float64{}, 0.0
	q := math.Pow(2, float64(len(parents)))
	for _, row := range rows {
		for _, x := range members {
			u := ""
			for _, v := range parents {
				u += fmt.Sprint(row[v])
			}
			key := fmt.Sprint(u, "|", row[x])
			sum += math.Log((n[key] + 1/(2*q)) / (all[u] + 1/q))
			n[key]++
			all[u]++
		}
	}
	return sum
}

// optimum returns the highest score of module networks with at most most modules, by all partitions
// of four variables and all parents.
func optimum(rows [][]int, most int) float64 {
	known := map[string]float64{}
	best := math.Inf(-1)
	var groups [][]int
	var choose func(x int)
	choose = func(x int) {
		if x < 4 {
			for k := range groups {
				groups[k] = append(groups[k], x)
				choose(x + 1)
				groups[k] = groups[k][:len(groups[k])-1]
			}
			if len(groups) < most {
				groups = append(groups, []int{x})
				choose(x + 1)
				groups = groups[:len(groups)-1]
			}
			return
		}
		for _, parents := range structures(groups) {
			sum := 0.0
			for k, members := range groups {
				key := fmt.Sprint(members, parents[k])
				if _, ok := known[key]; !ok {
					known[key] = marginal(rows, members, parents[k])
				}
				sum += known[key]
			}
			best = max(best, sum)
		}
	}
	choose(0)
	return best
}

// structures returns the parents of each group in all networks of four variables without cycles:
// those DAGs of the variables in which all variables of a group have the same parents.
func structures(groups [][]int) (out [][][]int) {
	for _, g := range learnertest.DAGs(4) {
		var parents [][]int
		for _, members := range groups {
			if slices.ContainsFunc(members, func(x int) bool { return !slices.Equal(g[x], g[members[0]]) }) {
				break
			}
			parents = append(parents, g[members[0]])
		}
		if len(parents) == len(groups) {
			out = append(out, parents)
		}
	}
	return out
}

// TestOptimum compares the learner with the best of all module networks of four variables.
func TestOptimum(t *testing.T) {
	found, trials := 0, 0
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var rows [][]int
		for range 40 {
			a := rng.IntN(2)
			noisy := func() int { return a ^ rng.IntN(4)/3 }
			row := []int{a, noisy(), noisy(), noisy() ^ rng.IntN(2)}
			rows = append(rows, []int{row[(0+seed)%4], row[(1+seed)%4], row[(2+seed)%4], row[(3+seed)%4]})
		}
		s := learnertest.New(t, learnertest.Vars("a", 2, "b", 2, "c", 2, "d", 2), rows, nil)
		for most := 1; most <= 4; most++ {
			r := learnertest.Learn(t, module.Learner, &learner.Job{Train: s, Cores: 1}, "-modules", fmt.Sprint(most))
			want := optimum(rows, most)
			if trials++; math.Abs(r.Report.Total-want) < 1e-9 {
				found++
			} else if r.Report.Total > want {
				t.Errorf("seed %d, %d modules: score %v; the best is %v", seed, most, r.Report.Total, want)
			}
		}
	}
	if found < trials {
		t.Errorf("the best network %d times of %d; want each time", found, trials)
	}
}

// known returns rows of a network of three modules: 4 variables without parents, 8 that depend on
// a0 and a1, and 8 that depend on b0 and a2.
func known(t testing.TB, n int) (s *data.Set, want []string) {
	rng := rand.New(rand.NewPCG(1, 1))
	var vars []data.Var
	for _, m := range []struct {
		name string
		n    int
	}{{"a", 4}, {"b", 8}, {"c", 8}} {
		var list []string
		for i := range m.n {
			vars = append(vars, data.Var{Name: fmt.Sprint(m.name, i), States: []string{"no", "yes"}})
			list = append(list, fmt.Sprint(m.name, i))
		}
		want = append(want, strings.Join(list, ", "))
	}
	draw := func(p float64) int {
		if rng.Float64() < p {
			return 1
		}
		return 0
	}
	var rows [][]int
	for range n {
		row := make([]int, 20)
		for i := range 4 {
			row[i] = draw(0.5)
		}
		for i := 4; i < 12; i++ {
			row[i] = draw([]float64{0.9, 0.3, 0.2, 0.6}[2*row[0]+row[1]])
		}
		for i := 12; i < 20; i++ {
			row[i] = draw([]float64{0.1, 0.7, 0.8, 0.4}[2*row[4]+row[2]])
		}
		rows = append(rows, row)
	}
	return learnertest.New(t, vars, rows, nil), want
}

// TestRecovery finds known modules and their parents.
func TestRecovery(t *testing.T) {
	s, want := known(t, 500)
	first := learnertest.Learn(t, module.Learner, &learner.Job{Train: s, Cores: 1}, "-modules", "3")
	for i, x := range want {
		if got := first.Report.Remarks[i]; got != fmt.Sprintf("module %d: %s", i+1, x) {
			t.Errorf("%s; want %s", got, x)
		}
	}
	m := first.Models[0]
	for v, p := range map[string]string{"a3": "[]", "b5": "[a0 a1]", "c7": "[a2 b0]"} {
		x, _ := m.VarByName(v)
		var names []string
		for _, u := range m.CPD(x.ID).Parents() {
			names = append(names, m.Vars[u].Name)
		}
		slices.Sort(names)
		if got := fmt.Sprint(names); got != p {
			t.Errorf("the parents of %s are %s; want %s", v, got, p)
		}
	}
	b, _ := m.VarByName("b5")
	cpd := m.CPD(b.ID)
	for i := range 4 {
		state := make([]int, len(m.Vars))
		state[0], state[1], state[b.ID] = i/2, i%2, 1
		if got, want := m.Value(cpd, state), []float64{0.9, 0.3, 0.2, 0.6}[i]; math.Abs(got-want) > 0.03 {
			t.Errorf("parameter %d of b5 is %v; want about %v", i, got, want)
		}
	}
	if len(m.Tied) != 3 || len(m.Tied[0])+len(m.Tied[1])+len(m.Tied[2]) != 20 || first.Report.Params != 1+4+4 {
		t.Errorf("tied %v, %d parameters", m.Tied, first.Report.Params)
	}
}

// TestStates keeps variables of other states apart, and says how many modules they need.
func TestStates(t *testing.T) {
	vars := []data.Var{{Name: "a", States: []string{"no", "yes"}}, {Name: "b", States: []string{"yes", "no"}}, {Name: "c", States: []string{"0", "1", "2"}}}
	s := learnertest.New(t, vars, [][]int{{0, 0, 0}, {1, 1, 1}, {0, 0, 2}}, nil)
	learnertest.Error(t, module.Learner, s, "2 modules for variables with 3 different lists of states; want at least as many, by modules 3", "-modules", "2")
	learnertest.Error(t, module.Learner, s, "0 modules; want 1 or more", "-modules", "0")
	learnertest.Error(t, module.Learner, s, `unknown score "bde"; want loglik, aic, bic, k2, bdeu or loocv`, "-score", "bde")
	learnertest.Error(t, module.Learner, s, "-1 restarts; want 0 or more", "-restarts", "-1")
	if r := learnertest.Learn(t, module.Learner, &learner.Job{Train: s, Cores: 1}, "-modules", "3"); len(r.Models[0].Tied) > 0 {
		t.Errorf("tied %v", r.Models[0].Tied)
	}
}

// TestStopped returns what there is after a time limit.
func TestStopped(t *testing.T) {
	s, _ := known(t, 100)
	r := learnertest.Learn(t, module.Learner, &learner.Job{Train: s, Cores: 1, MaxTime: time.Millisecond}, "-restarts", "1000000")
	if !r.Report.Stopped || len(r.Models) != 1 {
		t.Errorf("report %+v", r.Report)
	}
}
