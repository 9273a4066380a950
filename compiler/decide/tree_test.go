package decide_test

import (
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestTree compares each branch of trees of random diagrams with sums over the joint states.
func TestTree(t *testing.T) {
	for seed := range uint64(irtest.Count(t, 40, 300)) {
		m := random(seed, 1+int(seed%3))
		none := make([][]float64, len(m.Vars))
		s, err := decide.Solve(t.Context(), m, none, decide.Options{})
		if err != nil {
			t.Fatal(err)
		}
		root, err := s.Tree(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		given := map[model.VarID]int{}
		var check func(b *decide.Branch, above float64)
		check = func(b *decide.Branch, above float64) {
			if b.Var >= 0 {
				given[b.Var] = b.State
				defer delete(given, b.Var)
			}
			p, u := 0.0, 0.0
			for state, q := range followed(m, none, s, -1) {
				for v, k := range given {
					if state[v] != k {
						q = 0
					}
				}
				p, u = p+q, u+q*sumOf(m, state)
			}
			if math.Abs(b.Probability-p/above) > tolerance || math.Abs(b.Utility-u/p) > 1e-11*max(1, math.Abs(u/p)) {
				t.Errorf("seed %d, %v: probability %v, utility %v; want %v, %v", seed, given, b.Probability, b.Utility, p/above, u/p)
			}
			sum := 0.0
			for _, c := range b.Branches {
				sum += c.Probability
				check(c, p)
			}
			if len(b.Branches) > 0 && math.Abs(sum-1) > tolerance {
				t.Errorf("seed %d, %v: branches of probability %v; want 1", seed, given, sum)
			}
		}
		all := 0.0
		for _, q := range followed(m, none, s, -1) {
			all += q
		}
		check(root, all)
	}
}

// TestTreeLarge refuses a tree with too many leaves.
func TestTreeLarge(t *testing.T) {
	m := &model.Model{Diagram: &model.Diagram{}}
	d := &model.Decision{}
	for i := range 13 {
		x := m.NewVar("x"+string(rune('a'+i)), "0", "1").ID
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{x}, Dist: &model.Table{Values: []float64{.5, .5}}})
		d.Known = append(d.Known, x)
	}
	d.Var = m.NewVar("d", "0", "1").ID
	m.Vars[d.Var].Given = true
	u := &model.Utility{Name: "u", Scope: append(append([]model.VarID{}, d.Known...), d.Var), Values: make([]float64, 1<<14)}
	for i := range u.Values {
		u.Values[i] = float64((i/2%3+i)%2) + float64(i%2)*float64(i/2%5-2)
	}
	m.Diagram.Decisions, m.Diagram.Utilities = []*model.Decision{d}, []*model.Utility{u}
	s, err := decide.Solve(t.Context(), m, make([][]float64, len(m.Vars)), decide.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Tree(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "the tree of the strategy has more than 4096 leaves") {
		t.Errorf("%d variables are known, error %v", len(s.Policies[0].Known), err)
	}
}
