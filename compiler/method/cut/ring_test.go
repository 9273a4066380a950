package cut_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/model"
)

// ringPolytope is the linear program of three clusters AB, BC and AC of variables with 2, 2 and 3
// states, which agree about the one variable that two of them share.
type ringPolytope struct {
	m          *model.Model
	cost       []float64
	at         []int // by cluster: its first variable
	normal     [][]float64
	consistent [][][]float64 // by shared variable and state
}

func newRing(r *rand.Rand) *ringPolytope {
	p := &ringPolytope{m: &model.Model{Name: "ring", Kind: model.Markov}}
	p.m.NewVar("A", "a1", "a2")
	p.m.NewVar("B", "b1", "b2")
	p.m.NewVar("C", "c1", "c2", "c3")
	for _, scope := range [][]model.VarID{{0, 1}, {1, 2}, {0, 2}} {
		d := &model.Table{}
		for range p.m.Card(scope[0]) * p.m.Card(scope[1]) {
			d.Values = append(d.Values, math.Exp(r.NormFloat64()))
		}
		p.at = append(p.at, len(p.cost))
		for _, x := range d.Values {
			p.cost = append(p.cost, -math.Log(x))
		}
		p.m.Factors = append(p.m.Factors, &model.Factor{Scope: scope, Child: -1, Dist: d})
	}
	for i := range p.m.Factors {
		p.normal = append(p.normal, p.row(i, 1, func([]int) bool { return true }, nil))
	}
	for _, share := range [][3]int{{1, 0, 1}, {2, 1, 2}, {0, 0, 2}} { // the variable, and two clusters
		var rows [][]float64
		for k := range p.m.Card(model.VarID(share[0])) {
			has := func(x []int) bool { return x[share[0]] == k }
			rows = append(rows, p.row(share[2], -1, has, p.row(share[1], 1, has, nil)))
		}
		p.consistent = append(p.consistent, rows)
	}
	return p
}

// row adds a coefficient for the joint states of a cluster for which has is true.
func (p *ringPolytope) row(cluster int, coefficient float64, has func(x []int) bool, row []float64) []float64 {
	if row == nil {
		row = make([]float64, len(p.cost))
	}
	x, scope := make([]int, 3), p.m.Factors[cluster].Scope
	for i := range p.m.Factors[cluster].Dist.Numbers() {
		if has(x) {
			row[p.at[cluster]+i] += coefficient
		}
		p.m.Next(scope, x)
	}
	return row
}

// value returns the optimum. The last row of each shared variable follows from the others.
func (p *ringPolytope) value(t *testing.T) float64 {
	rows, right := p.normal, []float64{1, 1, 1}
	for _, list := range p.consistent {
		rows, right = append(rows, list[:len(list)-1]...), append(right, make([]float64, len(list)-1)...)
	}
	a := mat.NewDense(len(rows), len(p.cost), nil)
	for i, r := range rows {
		a.SetRow(i, r)
	}
	least, _, err := lp.Simplex(p.cost, a, right, 1e-10, nil)
	if err != nil {
		t.Fatal(err)
	}
	return -least
}

// TestRingPolytope checks the size of the program of Koller and Friedman, exercises 13.15 and
// 13.16: 16 variables, three normalisations, and 2, 3 and 2 rows for B, C and A; which joint state
// the fourth variable of the third cluster is; and that AB and BC agree about b1 by the sums of two
// and of three variables. Its optimum is what trws and mplp descend to.
func TestRingPolytope(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for n := range 20 {
		p := newRing(r)
		if len(p.cost) != 16 || len(p.normal) != 3 || len(p.consistent[0]) != 2 || len(p.consistent[1]) != 3 || len(p.consistent[2]) != 2 {
			t.Fatalf("%d variables, %d normalisations and %d shared variables; want 16, 3 and 3", len(p.cost), len(p.normal), len(p.consistent))
		}
		for i, x := range p.consistent[0][0] { // columns of AB, BC and AC, the last variable fastest
			if want := []float64{0: 1, 2: 1, 4: -1, 5: -1, 6: -1, 15: 0}[i]; x != want {
				t.Fatalf("AB and BC agree about b1 with %v; want q1+q3 of AB, less q1+q2+q3 of BC", p.consistent[0][0])
			}
		}
		fourth := make([]int, 3)
		for range 3 {
			p.m.Next(p.m.Factors[2].Scope, fourth)
		}
		if fourth[0] != 1 || fourth[2] != 0 {
			t.Fatalf("the fourth joint state of AC is a%d, c%d; want a2, c1", fourth[0]+1, fourth[2]+1)
		}
		joint, err := brute.New(p.m)
		if err != nil {
			t.Fatal(err)
		}
		best, _ := joint.MPE(brute.Evidence{})
		best += joint.LogPartition()
		relaxed := p.value(t)
		for _, name := range []string{"trws", "mplp"} {
			if x := bound(t, p.m, name, "cycles=0"); x < relaxed-1e-7 || relaxed < best-1e-7 || x > relaxed+.1 {
				t.Errorf("model %d: bound %v by %s; the relaxation has %v, the best states %v", n, x, name, relaxed, best)
			}
		}
	}
}
