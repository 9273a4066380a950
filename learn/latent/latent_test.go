package latent

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/learn/internal/forest"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// additive returns the distances along the paths of a tree. The length of an edge is listed by its
// lower node.
func additive(parent []int, length []float64) [][]float64 {
	up := func(i int) (list []int, at []float64) {
		sum := 0.0
		for ; i >= 0; i = parent[i] {
			list, at = append(list, i), append(at, sum)
			sum += length[i]
		}
		return list, at
	}
	d := make([][]float64, len(parent))
	for i := range d {
		for j := range parent {
			a, da := up(i)
			b, db := up(j)
			for k, x := range a {
				if m := slices.Index(b, x); m >= 0 {
					d[i] = append(d[i], da[k]+db[m])
					break
				}
			}
		}
	}
	return d
}

// From exact distances of the observed nodes of random trees whose latent nodes have at least three
// neighbours, the search finds the tree: the same number of latent nodes, and the same path
// distances between all pairs of observed nodes.
func TestGroup(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 9))
		const observed = 12
		parent, length := randomTree(rng, observed, int(seed%5))
		full := additive(parent, length)
		d := make([][]float64, observed)
		for i := range d {
			d[i] = slices.Clone(full[i][:observed])
		}
		tree := forest.Dense(observed, func(i, j int) float64 { return 100 - d[i][j] })
		g := group(d, tree, 1e-9)
		s := g.shape(observed)
		if got, want := s.latent(), len(parent)-observed; got != want {
			t.Fatalf("seed %d: %d latent nodes; want %d", seed, got, want)
		}
		found := make([]float64, len(s.parent))
		for i, p := range s.parent {
			if p >= 0 {
				found[i] = g.d[i][p]
			}
		}
		again := additive(s.parent, found)
		for i := range observed {
			for j := range observed {
				if math.Abs(again[i][j]-full[i][j]) > 1e-9 {
					t.Fatalf("seed %d: nodes %d and %d are %v apart; want %v", seed, i, j, again[i][j], full[i][j])
				}
			}
		}
	}
}

// randomTree returns a tree of n observed nodes, the first ones, and of latent ones with at least
// three neighbours, up to a maximal number.
func randomTree(rng *rand.Rand, n, latent int) (parent []int, length []float64) {
	for i := range n {
		p := -1
		if i > 0 {
			p = rng.IntN(i)
		}
		parent, length = append(parent, p), append(length, 0.2+rng.Float64())
	}
	for range latent { // insert a latent node between a node and three or more of its children
		at := rng.IntN(n)
		var children []int
		for i, p := range parent {
			if p == at {
				children = append(children, i)
			}
		}
		if len(children) < 2 {
			continue
		}
		h := len(parent)
		for _, c := range children[:2] {
			parent[c] = h
		}
		parent, length = append(parent, at), append(length, 0.2+rng.Float64())
	}
	return parent, length
}

// By hand: the correlation of two binary variables with joint 0.4, 0.1, 0.1, 0.4 is (0.4 x 0.4 -
// 0.1 x 0.1) / 0.25 = 0.6.
func TestCorrelation(t *testing.T) {
	if got := correlation([]float64{40, 10, 10, 40}, 2); math.Abs(got-0.6) > 1e-14 {
		t.Errorf("got %v; want 0.6", got)
	}
}

// Four noisy copies of a hidden coin: ltm finds the coin, and reaches the entropy of the
// distribution.
func TestNoisyCopies(t *testing.T) {
	joint := func(x []int) float64 {
		sum := 0.0
		for h := range 2 {
			p := 0.5
			for _, s := range x {
				if s == h {
					p *= 0.8
				} else {
					p *= 0.2
				}
			}
			sum += p
		}
		return sum
	}
	s := learnertest.Expected(t, learnertest.Vars("a", 2, "b", 2, "c", 2, "d", 2), 1e5, joint)
	want := 0.0
	for row := range s.Len() {
		want += s.Weight(row) * math.Log(s.Weight(row)/1e5)
	}
	r := learnertest.Learn(t, LTM, &learner.Job{Train: s, Cores: 1})
	if got := r.Report.Remarks[len(r.Report.Remarks)-1]; got != "latent variables: 1 of 2 states" {
		t.Errorf("found %s; want 1", got)
	}
	if r.Report.Total > want || r.Report.Total < want-1e5*1e-3 {
		t.Errorf("log-likelihood %v; want %v", r.Report.Total, want)
	}
	for _, args := range [][]string{{"-states", "2"}, {"-states", "4"}} {
		if r := learnertest.Learn(t, HCLT, &learner.Job{Train: s, Cores: 1}, args...); r.Report.Total > want || r.Report.Total < want-1e5*2e-3 {
			t.Errorf("hclt %v: log-likelihood %v; want %v", args, r.Report.Total, want)
		}
	}
}
