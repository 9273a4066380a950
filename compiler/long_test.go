package compiler_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// The numbers of a hidden chain of two states. All leaves are observed in state 0, which is
// improbable.
var (
	chainMove = [2][2]float64{{0.9, 0.1}, {0.3, 0.7}}
	chainSeen = [2]float64{1e-6, 3e-5}
)

// chain returns a chain of n hidden variables, the first uniform, each with a leaf.
func chain(n int) *model.Model {
	m := &model.Model{Name: "chain"}
	cpd := func(values []float64, scope ...model.VarID) {
		m.Factors = append(m.Factors, &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: &model.Table{Values: values}})
	}
	for i := range n {
		h := m.NewVar(fmt.Sprint("h", i), "0", "1").ID
		leaf := m.NewVar(fmt.Sprint("y", i), "seen", "not").ID
		if i == 0 {
			cpd([]float64{0.5, 0.5}, h)
		} else {
			cpd([]float64{chainMove[0][0], chainMove[0][1], chainMove[1][0], chainMove[1][1]}, h-2, h)
		}
		cpd([]float64{chainSeen[0], 1 - chainSeen[0], chainSeen[1], 1 - chainSeen[1]}, h, leaf)
	}
	return m
}

// TestLongChain observes all leaves of a chain. Their probability, about e^-11,000, is far below
// the smallest float64. ln P and the posterior of the last hidden variable are compared with the
// forward recursion, normalised at each step.
func TestLongChain(t *testing.T) {
	const n = 1041
	forward, logp := [2]float64{0.5, 0.5}, 0.0
	for i := range n {
		if i > 0 {
			forward = [2]float64{forward[0]*chainMove[0][0] + forward[1]*chainMove[1][0], forward[0]*chainMove[0][1] + forward[1]*chainMove[1][1]}
		}
		forward[0], forward[1] = forward[0]*chainSeen[0], forward[1]*chainSeen[1]
		sum := forward[0] + forward[1]
		forward[0], forward[1] = forward[0]/sum, forward[1]/sum
		logp += math.Log(sum)
	}
	for _, params := range []ir.ParamMode{ir.Const, ir.Var}[:irtest.Count(t, 1, 2)] {
		r, err := compiler.Compile(context.Background(), chain(n), compiler.Options{Queries: []string{"marginals"}, Params: params, Check: true, Steps: -1})
		if err != nil {
			t.Fatal(err)
		}
		machine := eval.New(r.Program, r.Model)
		for v := 1; v < 2*n; v += 2 {
			if err := machine.Observe(model.VarID(v), 0); err != nil {
				t.Fatal(err)
			}
		}
		if err := machine.Run(r.Program.Entry("marginals")); err != nil {
			t.Fatal(err)
		}
		irtest.CloseTo(t, machine.LogP(), logp, 1e-12)
		irtest.Close(t, machine.Posterior(2*n-2), forward[:], 1e-12)
	}
}

// TestLargeNumbers multiplies messages that are within the range of a float64 to products far
// beyond it: a star of 8 leaves, whose potentials are powers of two around 2^400 for one state of
// the centre and around 2^-400 for the other.
func TestLargeNumbers(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		m := &model.Model{Kind: model.Markov}
		m.NewVar("centre", "0", "1")
		for i := range 8 {
			v := m.NewVar(fmt.Sprint("leaf", i), "0", "1").ID
			big := math.Exp2(sign * 400)
			m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{0, v}, Child: -1, Dist: &model.Table{Values: []float64{big, 3 * big, big / 2, big}}})
		}
		// Z = (4·2^400)^8 + (1.5·2^400)^8, and the best state has (3·2^400)^8
		want := 8*math.Log(4) + sign*3200*math.Ln2 + math.Log1p(math.Pow(1.5/4, 8))
		best := 8*math.Log(3) + sign*3200*math.Ln2
		for _, params := range []ir.ParamMode{ir.Const, ir.Var} {
			opt := compiler.Options{Queries: []string{"marginals", "mpe"}, Params: params, Check: true, Unnormalised: true}
			r, err := compiler.Compile(context.Background(), m, opt)
			if err != nil {
				t.Fatal(err)
			}
			machine := eval.New(r.Program, r.Model)
			if err := machine.Run(r.Program.Entry("marginals")); err != nil {
				t.Fatal(err)
			}
			irtest.CloseTo(t, machine.LogP(), want, 1e-14)
			irtest.CloseTo(t, machine.Posterior(0)[1], math.Pow(1.5/4, 8)/(1+math.Pow(1.5/4, 8)), 1e-13)
			if err := machine.Run(r.Program.Entry("mpe")); err != nil {
				t.Fatal(err)
			}
			irtest.CloseTo(t, machine.LogP(), best, 1e-14)
		}
	}
}

// TestManyComponents multiplies the partition functions of 400 independent variables, each 2^4.
func TestManyComponents(t *testing.T) {
	m := &model.Model{Kind: model.Markov}
	for i := range 400 {
		v := m.NewVar(fmt.Sprint("x", i), "0", "1").ID
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v}, Child: -1, Dist: &model.Table{Values: []float64{5, 11}}})
	}
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: []string{"logprob"}, Check: true, Unnormalised: true})
	if err != nil {
		t.Fatal(err)
	}
	machine := eval.New(r.Program, r.Model)
	if err := machine.Run(r.Program.Entry("logprob")); err != nil {
		t.Fatal(err)
	}
	irtest.CloseTo(t, machine.LogP(), 1600*math.Ln2, 1e-13)
}
