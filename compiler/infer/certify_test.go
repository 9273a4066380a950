package infer_test

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestCertify compares answers of random models, some with numbers near the ends of float64, with
// those of rational arithmetic: no number is further off than its bound, nor are wrong ones.
func TestCertify(t *testing.T) {
	count := irtest.Count(t, 24, 300)
	finite := 0
	for seed := range uint64(count) {
		r := rand.New(rand.NewPCG(seed, 19))
		m := irtest.RandomModel(seed, irtest.Options{MaxVars: 7, MaxStates: 4, MaxJoint: 1 << 9, TablesOnly: true, Kinds: []model.Kind{model.Bayes, model.Markov}})
		if seed%3 == 0 {
			shrink(r, m)
		}
		e, err := infer.New(context.Background(), m, infer.Options{Rows: model.RowsAsIs, Method: compiler.Named([]string{"jointree", "circuit", "topdown"}[seed%3])})
		if err != nil {
			t.Fatal(err)
		}
		f := findings(r, m)
		exact := rationalAnswer(e.Model(), f)
		answer, err := e.Marginals(context.Background(), f)
		if err != nil { // perhaps by underflow
			answer = &infer.Marginals{List: make([]infer.Distribution, len(e.Vars())), LogProb: -700}
			for i, v := range e.Vars() {
				answer.List[i].P = make([]float64, m.Card(v.ID))
			}
		}
		if seed%5 == 0 { // a wrong answer
			answer.LogProb += 1e-3
			answer.List[0].P[0] += 1e-3
		}
		c, err := e.Certify(context.Background(), f, answer)
		if exact.p.Sign() == 0 {
			if !errors.Is(err, infer.ErrImpossible) {
				t.Errorf("seed %d: found %v; want that the evidence is impossible", seed, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !within(exact.logP(), answer.LogProb, c.LogProb) {
			t.Errorf("seed %d: ln P is %v; want %v within %v", seed, answer.LogProb, exact.logP(), c.LogProb)
		}
		for i, v := range e.Vars() {
			for k, bound := range c.Marginals[i] {
				want := new(big.Rat).Quo(exact.of[v.ID][k], exact.p)
				if !within(new(big.Float).SetPrec(400).SetRat(want), answer.List[i].P[k], bound) {
					t.Errorf("seed %d: P(%s = %d) is %v; want %v within %v", seed, v.Name, k, answer.List[i].P[k], want.FloatString(20), bound)
				}
			}
		}
		if c.Largest() < 1e-12 {
			finite++
		}
	}
	if finite < count/2 {
		t.Errorf("%d of %d answers are certified within 1e-12", finite, count)
	}
}

// shrink multiplies numbers of the model by powers of two down to 2^-1050.
func shrink(r *rand.Rand, m *model.Model) {
	for _, f := range m.Factors {
		values, _ := f.Table()
		for i := range values {
			if r.IntN(3) == 0 {
				values[i] = math.Ldexp(values[i], -r.IntN(1050))
			}
		}
	}
}

// findings returns random evidence.
func findings(r *rand.Rand, m *model.Model) *infer.Findings {
	f := infer.NewFindings(len(m.Vars))
	for v := range m.Vars {
		n := m.Card(model.VarID(v))
		switch r.IntN(4) {
		case 0:
			f.State[v] = r.IntN(n)
		case 1:
			for range n {
				f.Soft[v] = append(f.Soft[v], math.Ldexp(r.Float64(), -r.IntN(400)))
			}
		}
	}
	return f
}

// rational is an answer in rational numbers.
type rational struct {
	p, z *big.Rat                   // the weight of the evidence, and of everything
	of   map[model.VarID][]*big.Rat // the weights of states
}

// rationalAnswer enumerates the joint states of m.
func rationalAnswer(m *model.Model, f *infer.Findings) *rational {
	out := &rational{p: new(big.Rat), z: new(big.Rat), of: map[model.VarID][]*big.Rat{}}
	var all []model.VarID
	for _, v := range m.Vars {
		all = append(all, v.ID)
		for range m.Card(v.ID) {
			out.of[v.ID] = append(out.of[v.ID], new(big.Rat))
		}
	}
	state := make([]int, len(m.Vars))
	for more := true; more; more = m.Next(all, state) {
		w := big.NewRat(1, 1)
		for _, x := range m.Factors {
			w.Mul(w, new(big.Rat).SetFloat64(m.Value(x, state)))
		}
		out.z.Add(out.z, w)
		for v, s := range state {
			if f.State[v] != infer.Missing && f.State[v] != s {
				w.SetInt64(0)
			}
			if f.Soft[v] != nil {
				w.Mul(w, new(big.Rat).SetFloat64(f.Soft[v][s]))
			}
		}
		out.p.Add(out.p, w)
		for v, s := range state {
			x := out.of[model.VarID(v)][s]
			x.Add(x, w)
		}
	}
	if m.Kind == model.Bayes {
		out.z.SetInt64(1)
	}
	return out
}

// logP returns ln P to some hundred digits.
func (a *rational) logP() *big.Float {
	return bigLog(new(big.Rat).Quo(a.p, a.z))
}

// bigLog returns ln x: x is m * 2^e, and the logarithms of m and of 2 are series of atanh.
func bigLog(x *big.Rat) *big.Float {
	m := new(big.Float).SetPrec(400).SetRat(x)
	e := m.MantExp(m)
	twice := func(m *big.Float) *big.Float {
		one := big.NewFloat(1).SetPrec(400)
		t := new(big.Float).Quo(new(big.Float).Sub(m, one), new(big.Float).Add(m, one))
		sum, power, square := new(big.Float).SetPrec(400), new(big.Float).Set(t), new(big.Float).Mul(t, t)
		for k := range 200 {
			sum.Add(sum, new(big.Float).Quo(power, big.NewFloat(float64(2*k+1)).SetPrec(400)))
			power.Mul(power, square)
		}
		return sum.Mul(sum, big.NewFloat(2))
	}
	two := twice(big.NewFloat(2).SetPrec(400))
	return new(big.Float).Add(twice(m), two.Mul(two, big.NewFloat(float64(e))))
}

// within reports whether found is want within bound.
func within(want *big.Float, found, bound float64) bool {
	if math.IsInf(bound, 1) {
		return true
	}
	off := new(big.Float).Sub(want, new(big.Float).SetPrec(400).SetFloat64(found))
	return off.Abs(off).Cmp(new(big.Float).SetFloat64(bound)) <= 0
}

// TestCertifyRefuses has a model whose numbers are computed.
func TestCertifyRefuses(t *testing.T) {
	pair := &model.Model{Kind: model.Markov}
	a, b := pair.NewVar("A", "no", "yes"), pair.NewVar("B", "no", "yes")
	pair.Factors = []*model.Factor{{Scope: []model.VarID{a.ID, b.ID}, Child: -1, Dist: &model.Pairwise{Weight: .5}}}
	for _, c := range []struct {
		m    *model.Model
		want string
	}{
		{pair, `cannot certify the answer: the numbers of the potential over "A", "B" are computed from those of a pairwise, with rounding errors that are not bounded; ` +
			"a table of them is exact by definition; answers of jointree or circuit or topdown can be certified"},
	} {
		e, err := infer.New(context.Background(), c.m, infer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		answer, err := e.Marginals(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = e.Certify(context.Background(), nil, answer); err == nil || err.Error() != c.want {
			t.Errorf("found %v; want %s", err, c.want)
		}
	}
}

// TestCertifyReal compares ln p of random networks with real variables, and probabilities of
// states, with exact rationals, whose logarithms are rounded: no number is further off than its
// bound, nor are wrong ones.
func TestCertifyReal(t *testing.T) {
	count, finite := irtest.Count(t, 40, 400), 0
	for seed := range uint64(count) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{MaxVars: 6, NoZeros: seed%4 != 0})
		if seed%4 == 1 {
			irtest.Widen(seed, m)
		}
		evidence := irtest.HybridEvidence(seed, m, .4)
		exact, err := brute.NewHybrid(m, evidence)
		if err != nil {
			t.Fatal(err)
		}
		e, err := infer.New(context.Background(), m, infer.Options{Rows: model.RowsAsIs})
		if err != nil {
			t.Fatal(err)
		}
		f := infer.NewFindings(len(m.Vars))
		for v, s := range evidence.States {
			f.State[v] = s
		}
		for v, x := range evidence.Reals {
			f.Value[v] = x
		}
		answer, err := e.Marginals(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		if seed%5 == 0 { // a wrong answer
			answer.LogProb += 1e-3
		}
		c, err := e.Certify(context.Background(), f, answer)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		rounding := 1e-15 * (1 + math.Abs(exact.LogDensity))
		if off := math.Abs(answer.LogProb - exact.LogDensity); off > c.LogProb+rounding {
			t.Errorf("seed %d: ln p is %v; want %v within %v", seed, answer.LogProb, exact.LogDensity, c.LogProb)
		}
		for i, v := range e.Vars() {
			if m.IsReal(v.ID) {
				continue
			}
			for k, p := range exact.Posterior(v.ID) {
				if off := math.Abs(answer.List[i].P[k] - p); off > c.Marginals[i][k]+1e-15 {
					t.Errorf("seed %d: P(%s = %d) is %v; want %v within %v", seed, v.Name, k, answer.List[i].P[k], p, c.Marginals[i][k])
				}
			}
		}
		if seed%5 > 0 && c.LogProb < 1e-9*(1+math.Abs(exact.LogDensity)) {
			finite++
		}
	}
	if finite < count*6/10 {
		t.Errorf("%d of %d answers are certified within 1e-9", finite, count)
	}
}
