package infer_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/filter"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// dense is a state-observation model as matrices: z, a and b persist, and x and y are seen.
type dense struct {
	prior []float64      // by joint state
	next  [][]float64    // by joint state before and after
	seen  [2][][]float64 // by joint state and state of x; of y
}

// denseOf enumerates letters(seed, "Zz", "AaZ", "BbaZ", "XAB", "YB").
func denseOf(m *model.Model) (d dense) {
	first, step := *m, m.Step()
	first.Transition = nil
	product := func(of *model.Model, children []model.VarID, state []int) float64 {
		p := 1.0
		for _, f := range of.Factors {
			for _, v := range children {
				if f.ChildVar() == v {
					p *= of.Value(f, state)
				}
			}
		}
		return p
	}
	bits := func(i int) []int { return []int{i >> 2 & 1, i >> 1 & 1, i & 1} }
	hidden := []model.VarID{0, 1, 2}
	for i := range 8 {
		state := append(bits(i), 0, 0, 0, 0, 0)
		d.prior = append(d.prior, product(&first, hidden, state))
		var row []float64
		for j := range 8 {
			row = append(row, product(step, hidden, append(append(bits(j), 0, 0), bits(i)...)))
		}
		d.next = append(d.next, row)
		for k := range 2 {
			var p []float64
			for s := range 2 {
				state[3+k] = s
				p = append(p, product(&first, []model.VarID{model.VarID(3 + k)}, state))
			}
			d.seen[k] = append(d.seen[k], p)
		}
	}
	return d
}

// update returns the belief after x and y are seen, and their probability. belief is nil before
// slice 0.
func (d *dense) update(belief []float64, x, y int) (after []float64, p float64) {
	after = append(after, d.prior...)
	for j := range after {
		for i := range belief {
			if i == 0 {
				after[j] = 0
			}
			after[j] += belief[i] * d.next[i][j]
		}
		after[j] *= d.seen[0][j][x] * d.seen[1][j][y]
		p += after[j]
	}
	for j := range after {
		after[j] /= p
	}
	return after, p
}

// project returns P(z,a) P(z,b) / P(z), or with apart P(z) P(a) P(b).
func project(belief []float64, apart bool) (out []float64) {
	marginal := func(mask, i int) (sum float64) {
		for k, p := range belief {
			if k&mask == i&mask {
				sum += p
			}
		}
		return sum
	}
	for i := range belief {
		if apart {
			out = append(out, marginal(4, i)*marginal(2, i)*marginal(1, i))
		} else {
			out = append(out, marginal(6, i)*marginal(5, i)/marginal(4, i))
		}
	}
	return out
}

// TestDivergence compares contractions and bounds with those of dense matrices, and the mean of the
// bounds over all evidence on three slices with the mean divergence.
func TestDivergence(t *testing.T) {
	ctx := context.Background()
	for _, seed := range irtest.Cases(t, 4, 60) {
		m := letters(seed, "Zz", "AaZ", "BbaZ", "XAB", "YB")
		for k := 3; k < 5; k++ { // sensors are the same in all slices
			m.Transition.Factors[k].Dist = m.Factors[k].Dist
		}
		d := denseOf(m)
		apart := seed%2 == 0
		e, err := infer.New(ctx, m, infer.Options{Method: filter.Options{Clusters: map[bool]string{true: "Z;A;B", false: "Z,A;B,Z"}[apart]}})
		if err != nil {
			t.Fatal(err)
		}
		contraction := 1.0
		for i := range d.next {
			for k := range d.next {
				overlap := 0.0
				for j, p := range d.next[i] {
					overlap += min(p, d.next[k][j])
				}
				contraction = min(contraction, overlap)
			}
		}
		if got, err := e.Contraction(ctx); err != nil || math.Abs(got-contraction) > 1e-12 {
			t.Errorf("seed %d: contraction %v, error %v; want %v", seed, got, err, contraction)
		}
		var bounds, divergence float64
		for all := range 64 {
			f, err := e.Filter(ctx)
			if err == nil {
				err = f.Bound(ctx)
			}
			if err != nil {
				t.Fatal(err)
			}
			var exact, near []float64
			bound, weight := 0.0, 1.0
			for s := range 3 {
				x, y := all>>(2*s)&1, all>>(2*s+1)&1
				got, err := f.Step(ctx, infer.Evidence{"X": string(rune('0' + x)), "Y": string(rune('0' + y))})
				if err != nil {
					t.Fatal(err)
				}
				var p float64
				exact, p = d.update(exact, x, y)
				weight *= p
				posterior, _ := d.update(near, x, y)
				near = project(posterior, apart)
				lost := 0.0
				for i := range near {
					lost = max(lost, math.Log(posterior[i]/near[i]))
				}
				bound = (1-contraction)*bound + lost
				if x := got.Divergence; x == nil || math.Abs(x.Projection-lost) > 1e-11 || math.Abs(x.Bound-bound) > 1e-11 {
					t.Fatalf("seed %d, slice %d: %v; want a bound of %v with %v of this slice", seed, s, got.Divergence, bound, lost)
				}
			}
			bounds += weight * bound
			for i, p := range exact {
				divergence += weight * p * math.Log(p/near[i])
			}
		}
		if !(divergence > 1e-9 && divergence <= bounds) {
			t.Errorf("seed %d: the mean divergence is %v and the mean bound %v", seed, divergence, bounds)
		}
	}
}

// TestDivergenceUnknown checks for which networks there is no bound.
func TestDivergenceUnknown(t *testing.T) {
	ctx := context.Background()
	given := letters(1, "Aa", "Bb", "XAB")
	given.Vars[2].Given = true
	given.Factors, given.Transition.Factors = given.Factors[:2], given.Transition.Factors[:2]
	for _, c := range []struct {
		m              *model.Model
		clusters, want string
	}{
		{letters(1, "Aa", "Bb"), "A,B", "the belief is one table; want a filter with several of them by the option clusters"},
		{letters(1, "Aa", "Bb", "XaB"), "A;B", `variable "X", which does not persist, depends on the slice before; want a state-observation model`},
		{letters(1, "X", "AaX", "Bb"), "A;B", `variable "X", which does not persist, is a parent of "A", which does; want a state-observation model`},
		{letters(1, "Aa", "Bb", "Cc", "Dd", "Ee", "Ff", "Gg", "Hh", "Ii", "Jj"), "A;B", "the variables that persist have e^6.9 joint states; want at most 512"},
		{given, "A;B", `variable "X" is given; want a transition that is the same in all slices`},
	} {
		e, err := infer.New(ctx, c.m, infer.Options{Method: filter.Options{Clusters: c.clusters}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Contraction(ctx); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v; want %s", err, c.want)
		}
	}
}
