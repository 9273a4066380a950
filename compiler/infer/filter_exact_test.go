package infer_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// bits is the precision of the reference: 300 digits, of which conditions of 1e20 leave enough.
const bits = 1000

func wide(x float64) *big.Float       { return new(big.Float).SetPrec(bits).SetFloat64(x) }
func add(a, b *big.Float) *big.Float  { return new(big.Float).SetPrec(bits).Add(a, b) }
func mul(a, b *big.Float) *big.Float  { return new(big.Float).SetPrec(bits).Mul(a, b) }
func div(a, b *big.Float) *big.Float  { return new(big.Float).SetPrec(bits).Quo(a, b) }
func less(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(bits).Sub(a, b) }
func narrow(a *big.Float) (x float64) { x, _ = a.Float64(); return x }
func logOf(a *big.Float) float64 {
	m := new(big.Float)
	e := a.MantExp(m)
	return math.Log(narrow(m)) + float64(e)*math.Ln2
}

// kalman is a Kalman filter in 1,000 bits of a network of real variables alone.
type kalman struct {
	m    *model.Model
	mean []*big.Float // of the variables of the slice
	cov  [][]*big.Float
	logP float64
	size float64 // the largest mean or value so far
	slop float64 // what the rounding of numbers of that size makes of logP, about
}

// step enters a slice. A value of a variable without variance is skipped.
func (k *kalman) step(first bool, values map[string]any) {
	n := len(k.m.Vars)
	at := make([]int, n+len(k.m.Transition.Before)) // by variable: its row
	var mean []*big.Float
	var cov [][]*big.Float
	step := k.m
	if !first {
		step = k.m.Step()
		for i, v := range k.m.Transition.Before {
			at[n+i] = i
			mean = append(mean, k.mean[v])
			row := []*big.Float{}
			for _, w := range k.m.Transition.Before {
				row = append(row, k.cov[v][w])
			}
			cov = append(cov, row)
		}
	}
	for _, v := range step.Topological() {
		if int(v) >= n {
			continue
		}
		f := step.CPD(v)
		_, parents := step.SplitParents(f)
		d := f.Gaussian()
		at[v] = len(mean)
		m, row := wide(d.Mean[0]), []*big.Float{}
		for i := range cov {
			x := wide(0)
			for j, u := range parents {
				x = add(x, mul(wide(d.Coef[j]), cov[at[u]][i]))
			}
			row = append(row, x)
		}
		own := wide(d.Var[0])
		for j, u := range parents {
			m = add(m, mul(wide(d.Coef[j]), mean[at[u]]))
			own = add(own, mul(wide(d.Coef[j]), row[at[u]]))
		}
		for i := range cov {
			cov[i] = append(cov[i], row[i])
		}
		mean, cov = append(mean, m), append(cov, append(row, own))
		if value, ok := values[k.m.Vars[v].Name]; ok {
			k.condition(mean, cov, at[v], value.(float64))
		}
	}
	k.mean, k.cov = make([]*big.Float, n), make([][]*big.Float, n)
	for v := range n {
		k.mean[v] = mean[at[v]]
		for w := range n {
			k.cov[v] = append(k.cov[v], cov[at[v]][at[w]])
		}
	}
}

// condition conditions moments on the value of a variable.
func (k *kalman) condition(mean []*big.Float, cov [][]*big.Float, v int, value float64) {
	spread, off := cov[v][v], less(wide(value), mean[v])
	if narrow(spread) < 1e-150 { // a rounding error of 300 digits
		return
	}
	gain := make([]*big.Float, len(mean))
	row := append([]*big.Float{}, cov[v]...)
	for i := range mean {
		gain[i] = div(row[i], spread)
		mean[i] = add(mean[i], mul(gain[i], off))
	}
	for i := range cov {
		for j := range cov {
			cov[i][j] = less(cov[i][j], mul(gain[i], row[j]))
		}
	}
	k.logP -= .5 * (math.Log(2*math.Pi) + logOf(spread) + narrow(div(mul(off, off), spread)))
	k.size = max(k.size, math.Abs(value))
	for _, x := range mean {
		k.size = max(k.size, math.Abs(narrow(x)))
	}
	deviation := math.Sqrt(narrow(spread))
	ulp := 0x1p-52 * k.size / deviation
	k.slop += ulp*math.Abs(narrow(off))/deviation + ulp*ulp
}

// scaled returns a random system of one to three states, and sensors of which some are exact and
// some are multiples of others. Most is the decade of the largest variance of a state; that of a
// sensor is up to 14 decades less.
func scaled(r *rand.Rand, most float64) *model.Model {
	m := &model.Model{Name: "scaled", Transition: &model.Transition{}}
	decades := func(lo, hi float64) float64 { return math.Pow(10, lo+(hi-lo)*r.Float64()) }
	coef := func() float64 { return []float64{1, 1, -1, 2, .5, -.25, 1.1}[r.IntN(7)] }
	cpd := func(v model.VarID, parents []model.VarID, mean, variance float64, coef []float64) *model.Factor {
		return &model.Factor{Scope: append(append([]model.VarID{}, parents...), v), Child: len(parents),
			Dist: &model.Gaussian{Mean: []float64{mean}, Var: []float64{variance}, Coef: coef}}
	}
	n := 1 + r.IntN(3)
	for i := range n {
		x := m.NewReal(fmt.Sprint("x", i)).ID
		m.Transition.Before = append(m.Transition.Before, x)
		m.Factors = append(m.Factors, cpd(x, nil, r.NormFloat64(), decades(-6, most), nil))
	}
	sensors := 1 + r.IntN(3)
	var both []*model.Factor
	for k := range sensors {
		y := m.NewReal(fmt.Sprint("y", k)).ID
		variance := decades(max(-8, most-14), 2)
		if r.IntN(4) == 0 {
			variance = 0
		}
		if k > 0 && r.IntN(3) == 0 { // a multiple of another sensor
			both = append(both, cpd(y, []model.VarID{y - 1}, 1, variance, []float64{2}))
			continue
		}
		var parents []model.VarID
		var by []float64
		for x := range n {
			if r.IntN(2) == 0 || x == n-1 && parents == nil {
				parents, by = append(parents, model.VarID(x)), append(by, coef())
			}
		}
		both = append(both, cpd(y, parents, 0, variance, by))
	}
	size := model.VarID(len(m.Vars))
	for i := range n {
		parents, by := []model.VarID{size + model.VarID(i)}, []float64{coef()}
		if i > 0 {
			parents, by = append(parents, size+model.VarID(i-1)), append(by, coef())
		}
		variance := decades(-12, 2)
		if r.IntN(3) == 0 {
			variance = 0
		}
		m.Transition.Factors = append(m.Transition.Factors, cpd(model.VarID(i), parents, 0, variance, by))
	}
	m.Factors = append(m.Factors, both...)
	m.Transition.Factors = append(m.Transition.Factors, both...)
	return m
}

// draw returns a sequence that the system could have made, with gaps.
func draw(m *model.Model, r *rand.Rand, n int) (list []map[string]any) {
	var x []float64
	for t := range n {
		from := m
		if t > 0 {
			from = m.Step()
		}
		next := make([]float64, len(m.Vars)+len(x))
		if t > 0 {
			copy(next[len(m.Vars):], x)
		}
		for _, v := range from.Topological() {
			if int(v) >= len(m.Vars) {
				continue
			}
			f := from.CPD(v)
			_, parents := from.SplitParents(f)
			d := f.Gaussian()
			next[v] = d.Mean[0] + r.NormFloat64()*math.Sqrt(d.Var[0])
			for j, u := range parents {
				next[v] += d.Coef[j] * next[u]
			}
		}
		x = nil
		for _, v := range m.Transition.Before {
			x = append(x, next[v])
		}
		found := map[string]any{}
		for _, v := range m.Vars[len(m.Transition.Before):] {
			if r.IntN(5) > 0 {
				found[v.Name] = next[v.ID]
			}
		}
		list = append(list, found)
	}
	return list
}

// TestFilterExactly compares filters with a computation in 300 digits, on systems whose variances
// span up to 20 decades and whose sensors may be exact and say the same twice. Numbers are as exact
// as the evidence: a value is known to 2^-53 of itself, which a small deviation makes much of. The
// beliefs of methods for states have covariances, which hold 16 decades. One system in a thousand
// may miss that: exact sensors alone determine it, and later slices amplify what rounding made of
// the first ones.
func TestFilterExactly(t *testing.T) {
	n := irtest.Count(t, 200, 5000)
	missed := map[uint64]string{}
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 11))
		name, most, tol := []string{"filter", "imm", "gpb2", "rbpf", "ukf"}[seed%5], 12., 1e-9
		if k := seed % 5; k > 0 && k < 4 {
			most, tol = 1, 1e-6
		}
		m := scaled(r, most)
		sequence := draw(m, r, 12)
		e, err := infer.New(context.Background(), m, infer.Options{Method: compiler.Named(name)})
		if err != nil {
			t.Fatal(err)
		}
		f, err := e.Filter(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		want := &kalman{m: m, size: 1}
		for i := range sequence {
			got, err := f.Step(context.Background(), infer.Evidence(sequence[i]))
			if err != nil {
				t.Errorf("seed %d, %s, slice %d: %v", seed, name, i, err)
				break
			}
			want.step(i == 0, sequence[i])
			for v, d := range got.List {
				mean, variance := narrow(want.mean[v]), math.Max(narrow(want.cov[v][v]), 0)
				if off := math.Abs(d.Mean - mean); !(off <= tol*math.Sqrt(variance)+1e-11*want.size) {
					missed[seed] = fmt.Sprintf("%s, slice %d: the mean of %s is %v; want %v, deviation %v", name, i, d.Var, d.Mean, mean, math.Sqrt(variance))
				}
				if !(d.Variance >= 0) || math.Abs(d.Variance-variance) > tol*variance+1e-30*want.size*want.size {
					t.Errorf("seed %d, %s, slice %d: the variance of %s is %v; want %v", seed, name, i, d.Var, d.Variance, variance)
				}
			}
			if off := math.Abs(got.LogProb - want.logP); !(off <= tol*max(1, math.Abs(want.logP))+100*want.slop) {
				missed[seed] = fmt.Sprintf("%s, slice %d: ln P is %v; want %v", name, i, got.LogProb, want.logP)
			}
		}
	}
	if len(missed) > n/1000 {
		t.Errorf("%d of %d systems miss: %v", len(missed), n, missed)
	}
}
