package gibbs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// parity returns a network of n fair coins and the parity of the number of ones.
func parity(n int) *model.Model {
	m := &model.Model{Name: "parity", Kind: model.Bayes, File: "parity.bif"}
	var scope []model.VarID
	for i := range n {
		v := m.NewVar(fmt.Sprint("c", i), "0", "1")
		scope = append(scope, v.ID)
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v.ID}, Dist: &model.Table{Values: []float64{.5, .5}}})
	}
	states := make([]int32, 1<<n)
	for i := range states {
		for k := i; k > 0; k >>= 1 {
			states[i] ^= int32(k & 1)
		}
	}
	odd := m.NewVar("odd", "no", "yes")
	m.Factors = append(m.Factors, &model.Factor{Scope: append(scope, odd.ID), Child: n, Dist: &model.Deterministic{States: states}})
	return m
}

// TestDeterministicGroup has two coins that show the same side, and so must be drawn together:
// drawn one by one, neither would ever change. A likelihood of 1 to 4 for the first then applies to
// the second.
func TestDeterministicGroup(t *testing.T) {
	machine, program := compiled(t, parity(2), 0)
	machine.Observe(2, 0)
	machine.Likelihood(0, []float64{1, 4})
	r, err := machine.RunChain(context.Background(), &program.Entries[0], pgmrt.ChainOptions{})
	if err != nil || r.Status != pgmrt.Converged {
		t.Fatalf("%+v, %v", r, err)
	}
	for v := range 2 {
		// All variables are drawn together, so the averaged probabilities are the posterior.
		if p := machine.Posterior(v)[1]; math.Abs(p-.8) > 1e-12 {
			t.Errorf("P(c%d) = %v; want .8", v, p)
		}
	}
}

// TestWideGroup has ten coins, which are too many to be drawn together. A warning must say so.
func TestWideGroup(t *testing.T) {
	r, err := compiler.Compile(context.Background(), parity(10), compiler.Options{Method: compiler.Named("gibbs")})
	if err != nil {
		t.Fatal(err)
	}
	want := "parity.bif: warning: zeros of the CPD of \"odd\" keep variables from changing one at a time, and they are too many to be drawn together; " +
		"chains may not reach all states: compare several seeds, or try method jointree"
	if len(r.Warnings) != 1 || r.Warnings[0].Error() != want {
		t.Errorf("warnings %v; want %s", r.Warnings, want)
	}
}

// ring returns a ring of n variables of some colours, each of another colour than its neighbours.
// Unless closed is set, it is a chain.
func ring(n, colours int, closed bool) *model.Model {
	m := &model.Model{Name: "ring", Kind: model.Markov}
	names, other := make([]string, colours), make([]float64, colours*colours)
	for i := range names {
		names[i] = fmt.Sprint(i)
	}
	for i := range other {
		if i/colours != i%colours {
			other[i] = 1
		}
	}
	for i := range n {
		m.NewVar(fmt.Sprint("x", i), names...)
	}
	for i := range n {
		if i+1 < n || closed {
			m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{model.VarID(i), model.VarID((i + 1) % n)}, Child: -1, Dist: &model.Table{Values: other}})
		}
	}
	return m
}

// TestStart checks that initial states are found if there are any. If there are none, as for two
// colours on an odd ring or for conflicting ends, that must be proven.
func TestStart(t *testing.T) {
	for _, c := range []struct {
		n, colours int
		closed     bool
		last       int // the colour of the last variable if the first has colour 0
		want       error
	}{
		{40, 2, false, 1, nil},
		{41, 2, false, 1, pgmrt.ErrImpossible},
		{41, 2, true, 1, pgmrt.ErrImpossible},
		{41, 3, true, 1, nil},
		{400, 3, true, 0, pgmrt.ErrImpossible}, // two neighbours of one colour; a search would have to try all colours between them
	} {
		machine, program := compiled(t, ring(c.n, c.colours, c.closed), 0)
		machine.Observe(0, 0)
		machine.Observe(model.VarID(c.n-1), c.last)
		_, err := machine.RunChain(context.Background(), &program.Entries[0], pgmrt.ChainOptions{Iterations: 20, Chains: 1})
		if !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestDependencyNetwork checks two dependency networks. The CPDs of the joint distribution .1 .2 .3
// .4 are consistent, and the sampler has its marginals. For inconsistent CPDs it has the marginals
// of the last column, computed by hand: a is 1 with .9 after b = 1 and with .2 after b = 0, b is 1
// with .3 after a = 1 and with .6 after a = 0, so that P(b) = .6 - .3 P(a) and P(a) = .2 + .7 P(b),
// which gives .62/1.21 and .54/1.21.
func TestDependencyNetwork(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b []float64 // the rows of a given b, and of b given a
		want [2]float64
	}{
		{"consistent", []float64{1. / 4, 3. / 4, 1. / 3, 2. / 3}, []float64{1. / 3, 2. / 3, 3. / 7, 4. / 7}, [2]float64{.7, .6}},
		{"inconsistent", []float64{.8, .2, .1, .9}, []float64{.4, .6, .7, .3}, [2]float64{.62 / 1.21, .54 / 1.21}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &model.Model{Name: "pair", Kind: model.Dependency}
			m.NewVar("a", "no", "yes")
			m.NewVar("b", "no", "yes")
			m.Factors = []*model.Factor{
				{Scope: []model.VarID{1, 0}, Child: 1, Dist: &model.Table{Values: c.a}},
				{Scope: []model.VarID{0, 1}, Child: 1, Dist: &model.Table{Values: c.b}},
			}
			machine, program := compiled(t, m, 0)
			r, err := machine.RunChain(context.Background(), &program.Entries[0], pgmrt.ChainOptions{Iterations: 20_000})
			if err != nil || r.Status != pgmrt.Converged {
				t.Fatalf("%+v, %v", r, err)
			}
			for v, want := range c.want {
				if got := machine.Posterior(v)[1]; math.Abs(got-want) > 5*r.Residual || r.Residual > .005 {
					t.Errorf("P(%s) = %v; want %v within 5 times %v", m.Vars[v].Name, got, want, r.Residual)
				}
			}
		})
	}
}

// TestWalked has a wide tree and a feature of three variables, which are used without tables: 20
// causes of which the first decides.
func TestWalked(t *testing.T) {
	m := &model.Model{Name: "wide", Kind: model.Bayes}
	var scope []model.VarID
	for i := range 20 {
		v := m.NewVar(fmt.Sprint("x", i), "0", "1")
		scope = append(scope, v.ID)
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v.ID}, Dist: &model.Table{Values: []float64{.5, .5}}})
	}
	y := m.NewVar("y", "0", "1")
	m.Factors = append(m.Factors, &model.Factor{Scope: append(scope, y.ID), Child: 20, Dist: &model.Tree{Nodes: []model.TreeNode{
		{Axis: 0, Next: []int32{2, 1}}, {Axis: 7, Next: []int32{2, 3}}, {Leaf: []float64{.75, .25}}, {Leaf: []float64{.1, .9}},
	}}})
	m.Factors = append(m.Factors, &model.Factor{Scope: scope, Child: -1, Dist: &model.Features{List: []model.Feature{{
		Weight: math.Log(3), Literals: []model.Literal{{Axis: 0, State: 1}, {Axis: 7, State: 0, Not: true}, {Axis: 9, State: 1}},
	}}}})
	m.Kind = model.Markov
	machine, program := compiled(t, m, 0)
	r, err := machine.RunChain(context.Background(), &program.Entries[0], pgmrt.ChainOptions{Iterations: 20_000})
	if err != nil || r.Status != pgmrt.Converged {
		t.Fatalf("%+v, %v", r, err)
	}
	// Of the eight states of x0, x7 and x9, that of three ones weighs 3: P(x0 = x7 = 1) = 4/10,
	// P(x9) = 6/10, P(y) = .6*.25 + .4*.9.
	for v, want := range map[model.VarID]float64{0: .6, 7: .6, 9: .6, 3: .5, y.ID: .6*.25 + .4*.9} {
		if got := machine.Posterior(int(v))[1]; math.Abs(got-want) > 5*r.Residual || r.Residual > .005 {
			t.Errorf("P(%s) = %v; want %v within 5 times %v", m.Vars[v].Name, got, want, r.Residual)
		}
	}
}

// TestText checks that a printed program parses to itself, trees and groups included.
func TestText(t *testing.T) {
	for _, m := range []*model.Model{parity(3), ring(5, 3, true)} {
		_, program := compiled(t, m, 8)
		var first, again bytes.Buffer
		if err := program.Print(&first); err != nil {
			t.Fatal(err)
		}
		parsed, err := ir.Parse(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if err := parsed.Verify(); err != nil {
			t.Error(err)
		}
		if err := parsed.Print(&again); err != nil || !bytes.Equal(first.Bytes(), again.Bytes()) {
			t.Errorf("%s: printed again, it differs", m.Name)
		}
	}
}
